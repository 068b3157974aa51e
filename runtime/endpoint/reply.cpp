#include "runtime/endpoint/reply.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "base/support/feedback.hpp"
#include "base/support/json_text.hpp"

namespace trl::runtime {

using nlohmann::json;

namespace {

constexpr std::int64_t most_tokens = 1'000'000'000;  // counts beyond are none
constexpr std::size_t most_message_bytes = 400;

/// Numbers that Python's json module writes although JSON doesn't have them.
constexpr std::string_view no_numbers[] = {"-Infinity", "Infinity", "NaN"};

/// Returns the number in the four digits of a \uXXXX escape at a place of a text; nothing if there is no such
/// escape.
std::optional<unsigned> escaped_unit(std::string_view text, std::size_t at) {
  unsigned value = 0;
  if (text.size() < at + 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  const auto [end, error] = std::from_chars(text.data() + at + 2, text.data() + at + 6, value, 16);
  return error == std::errc() && end == text.data() + at + 6 ? std::optional(value) : std::nullopt;
}

/// Returns a text of JSON with replacements for halves of surrogate pairs, bytes that aren't UTF-8, control
/// characters in strings, and numbers that JSON doesn't have.
std::string mended(const std::string& body) {
  // Writing a string as JSON replaces its bytes that aren't UTF-8.
  const auto utf8 = json::parse(dumped(json(body))).get<std::string>();
  const std::string_view text = utf8;
  std::string result;
  bool quoted = false;
  for (std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0; at < text.size();) {
    const auto rest = text.substr(at);
    std::size_t taken = 1;
    if (!quoted) {
      const auto* none = std::find_if(std::begin(no_numbers), std::end(no_numbers),
                                      [&](auto name) { return rest.starts_with(name); });
      quoted = rest.front() == '"';
      if (none != std::end(no_numbers)) taken = none->size();
      result += none != std::end(no_numbers) ? "null" : rest.substr(0, 1);
    } else if (const auto unit = escaped_unit(text, at)) {
      const bool high = *unit >= 0xd800 && *unit < 0xdc00, low = *unit >= 0xdc00 && *unit < 0xe000;
      const auto next = high ? escaped_unit(text, at + 6) : std::nullopt;
      const bool pair = next && *next >= 0xdc00 && *next < 0xe000;
      taken = pair ? 12 : 6;
      result += (high && !pair) || low ? std::string_view("\\ufffd") : rest.substr(0, taken);
    } else if (rest.front() == '\\') {
      taken = std::min<std::size_t>(2, rest.size());
      result += rest.substr(0, taken);
    } else {
      quoted = rest.front() != '"';
      const bool control = static_cast<unsigned char>(rest.front()) < 0x20;
      result += control ? fmt::format("\\u{:04x}", rest.front()) : std::string(1, rest.front());
    }
    at += taken;
  }
  return result;
}

}  // namespace

std::string text_of(const json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  if (found == object.end()) return {};
  if (found->is_string()) return found->get<std::string>();
  return found->is_number() ? found->dump() : "";
}

std::optional<std::int64_t> count_of(const json& object, const char* name) {
  if (!object.is_object()) return std::nullopt;
  const auto found = object.find(name);
  if (found == object.end() || !found->is_number_integer()) return std::nullopt;
  if (found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{most_tokens})
    return std::nullopt;
  const auto count = found->get<std::int64_t>();
  if (count < 0 || count > most_tokens) return std::nullopt;
  return count;
}

std::string printable(const std::string& text) {
  std::string line;
  for (const char c : text) line += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  const auto begin = line.find_first_not_of(' '), end = line.find_last_not_of(' ');
  return begin == std::string::npos ? ""
                                    : first_line(line.substr(begin, end - begin + 1), most_message_bytes);
}

json read_leniently(const std::string& body) {
  auto document = json::parse(body, nullptr, false);
  return document.is_discarded() ? json::parse(mended(body), nullptr, false) : document;
}

std::string shown(const std::string& text) {
  constexpr std::size_t most = 80;
  const auto quoted = json(text.substr(0, most)).dump(-1, ' ', true, json::error_handler_t::replace);
  return "`" + quoted.substr(1, quoted.size() - 2) + (text.size() > most ? "…`" : "`");
}

std::string kind_of(const std::string& body) {
  const auto begin = body.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return "an empty reply";
  const auto text = std::string_view(body).substr(begin);
  for (const char* field : {"data:", "event:", "id:", ":"})
    if (text.starts_with(field)) return "a stream of events, though `stream` is false: " + shown(body);
  if (text.front() == '<') return "a page of HTML or XML: " + shown(body);
  if (text.front() == '{' || text.front() == '[') return "JSON that is broken or cut off: " + shown(body);
  return "no JSON: " + shown(body);
}

}  // namespace trl::runtime
