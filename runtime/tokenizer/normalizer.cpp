#include "runtime/tokenizer/normalizer.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"

namespace trl::runtime {

RegularExpression read_pattern(Component& component) {
  Component pattern = component.object("pattern");
  const bool literal = pattern.optional("String") != nullptr;
  const std::string text = pattern.text(literal ? "String" : "Regex");
  pattern.finish();
  if (text.empty()) pattern.refuse("an empty pattern");
  try {
    return literal ? RegularExpression::literal(text) : RegularExpression(text);
  } catch (const UserError& error) {
    pattern.refuse(error.what());
  }
}

std::string_view without_leading_space(std::string_view text) {
  while (!text.empty()) {
    const Character character = character_at(text, 0);
    if (!character.valid || !is_white_space(character.code)) break;
    text.remove_prefix(character.length);
  }
  return text;
}

std::string_view without_trailing_space(std::string_view text) {
  while (!text.empty()) {
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80)
      --start;
    const Character character = character_at(text, start);
    if (!character.valid || start + character.length != text.size() || !is_white_space(character.code)) break;
    text.remove_suffix(character.length);
  }
  return text;
}

void Normalizer::read(Component& component) {
  const std::string type = component.type();
  if (type == "Sequence") {
    for (Component& part : component.list("normalizers")) read(part);
  } else if (type == "NFC") {
    steps_.push_back(NormalForm::NFC);
  } else if (type == "NFD") {
    steps_.push_back(NormalForm::NFD);
  } else if (type == "NFKC") {
    steps_.push_back(NormalForm::NFKC);
  } else if (type == "NFKD") {
    steps_.push_back(NormalForm::NFKD);
  } else if (type == "Prepend") {
    steps_.push_back(Prepend{component.text("prepend")});
  } else if (type == "Replace") {
    auto pattern = read_pattern(component);
    steps_.push_back(Replace{std::move(pattern), component.text("content")});
  } else if (type == "Strip") {
    const bool left = component.boolean("strip_left");
    steps_.push_back(Strip{left, component.boolean("strip_right")});
  } else {
    component.refuse(fmt::format("the normalizer {} is not supported", type));
  }
  component.finish();
}

std::string Normalizer::apply(std::string_view given) const {
  std::string text(given);
  for (const Step& step : steps_) {
    if (const auto* form = std::get_if<NormalForm>(&step)) {
      std::string out;
      for (std::string_view rest = text; !rest.empty();) {
        const std::size_t valid = valid_prefix(rest);
        out += normal_form(rest.substr(0, valid), *form);
        if (valid < rest.size()) out += rest[valid];
        rest.remove_prefix(std::min(valid + 1, rest.size()));
      }
      text = std::move(out);
    } else if (const auto* prepend = std::get_if<Prepend>(&step)) {
      if (!text.empty()) text.insert(0, prepend->text);
    } else if (const auto* replace = std::get_if<Replace>(&step)) {
      std::vector<Span> spans;
      replace->pattern.find(text, spans);
      std::string out;
      out.reserve(text.size());
      for (const Span& span : spans) {
        if (span.match)
          out += replace->content;
        else
          out.append(text, span.begin, span.end - span.begin);
      }
      text = std::move(out);
    } else if (const auto* strip = std::get_if<Strip>(&step)) {
      std::string_view kept = text;
      if (strip->left) kept = without_leading_space(kept);
      if (strip->right) kept = without_trailing_space(kept);
      text = std::string(kept);
    }
  }
  return text;
}

}  // namespace trl::runtime
