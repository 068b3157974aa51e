#include "runtime/tokenizer/token_decoder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "runtime/tokenizer/byte_level.hpp"
#include "runtime/tokenizer/normalizer.hpp"
#include "runtime/tokenizer/unicode.hpp"

namespace trl::runtime {

int fallback_byte(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || !text.ends_with('>')) return -1;
  unsigned value = 0;
  // Rust's parser of numbers takes a plus sign.
  const char* const begin = text.data() + (text[3] == '+' ? 4 : 3);
  const auto [end, error] = std::from_chars(begin, text.data() + 5, value, 16);
  return error == std::errc() && end == text.data() + 5 ? static_cast<int>(value) : -1;
}

namespace {

std::vector<std::string> without_fallback(const std::vector<std::string>& texts) {
  std::vector<std::string> out;
  std::string bytes;
  const auto flush = [&] {
    if (bytes.empty()) return;
    if (valid_prefix(bytes) == bytes.size())
      out.push_back(bytes);
    else
      for (std::size_t i = 0; i < bytes.size(); ++i) out.push_back(utf8(0xFFFD));
    bytes.clear();
  };
  for (const std::string& text : texts) {
    const int byte = fallback_byte(text);
    if (byte >= 0) {
      bytes += static_cast<char>(byte);
    } else {
      flush();
      out.push_back(text);
    }
  }
  flush();
  return out;
}

std::string replaced(const RegularExpression& pattern, const std::string& content, const std::string& text) {
  std::vector<Span> spans;
  pattern.find(text, spans);
  std::string out;
  for (const Span& span : spans) out += span.match ? content : text.substr(span.begin, span.end - span.begin);
  return out;
}

}  // namespace

void TokenDecoder::read(Component& component) {
  const std::string type = component.type();
  if (type == "Sequence") {
    for (Component& part : component.list("decoders")) read(part);
  } else if (type == "ByteLevel") {
    // These fields matter only where ByteLevel is a pre-tokenizer or post-processor.
    for (const char* field : {"add_prefix_space", "trim_offsets", "use_regex"}) component.ignore(field);
    steps_.emplace_back(ByteLevel{});
  } else if (type == "ByteFallback") {
    steps_.emplace_back(ByteFallback{});
  } else if (type == "Fuse") {
    steps_.emplace_back(Fuse{});
  } else if (type == "Replace") {
    auto pattern = read_pattern(component);
    steps_.push_back(Replace{std::move(pattern), component.text("content")});
  } else if (type == "Strip") {
    const std::string content = utf8(component.character("content"));
    const std::int32_t start = component.integer("start");
    if (component.integer("stop") != 0) component.refuse("Strip at the end of a token is not supported");
    steps_.push_back(Strip{content, start});
  } else if (type == "Metaspace") {
    const std::string replacement = utf8(component.character("replacement"));
    const std::string scheme =
        component.optional("prepend_scheme") ? component.text("prepend_scheme") : "always";
    if (scheme != "always" && scheme != "first" && scheme != "never")
      component.refuse(fmt::format("the prepend_scheme {} is not supported", scheme));
    if (!component.boolean("add_prefix_space", true) && scheme != "never")
      component.refuse("add_prefix_space is false, but prepend_scheme is not never");
    component.ignore("str_rep");
    component.ignore("split");
    steps_.push_back(Metaspace{replacement, scheme != "never"});
  } else {
    component.refuse(fmt::format("the decoder {} is not supported", type));
  }
  component.finish();
}

std::string TokenDecoder::decode(std::vector<std::string> texts) const {
  if (!given_) return fmt::format("{}", fmt::join(texts, " "));
  for (const Step& step : steps_) {
    if (std::holds_alternative<ByteLevel>(step)) {
      std::string bytes;
      for (const std::string& text : texts) bytes += from_byte_level(text).value_or(text);
      texts = {bytes};
    } else if (std::holds_alternative<ByteFallback>(step)) {
      texts = without_fallback(texts);
    } else if (std::holds_alternative<Fuse>(step)) {
      texts = {fmt::format("{}", fmt::join(texts, ""))};
    } else if (const auto* replace = std::get_if<Replace>(&step)) {
      for (std::string& text : texts) text = replaced(replace->pattern, replace->content, text);
    } else if (const auto* strip = std::get_if<Strip>(&step)) {
      for (std::string& text : texts)
        for (std::int32_t i = 0; i < strip->start && text.starts_with(strip->content); ++i)
          text.erase(0, strip->content.size());
    } else if (const auto* metaspace = std::get_if<Metaspace>(&step)) {
      const auto marks = RegularExpression::literal(metaspace->replacement);
      for (std::size_t i = 0; i < texts.size(); ++i)
        texts[i] = replaced(marks, i == 0 && metaspace->prepends ? "" : " ", texts[i]);
    }
  }
  return fmt::format("{}", fmt::join(texts, ""));
}

}  // namespace trl::runtime
