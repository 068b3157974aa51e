#include "interpreter/report/escape.hpp"
#include "interpreter/report/json_safe.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

/// Calls visit(code point, its bytes) for each; the code point is U+FFFD for bytes that aren't UTF-8.
template <typename Visit>
void for_each_character(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const auto first = static_cast<unsigned char>(text[at]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    std::uint32_t point = length <= 1 ? first : first & (0xFF >> (length + 1));
    bool whole = length > 0 && at + length <= text.size();
    for (std::size_t i = 1; whole && i < length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      whole = (byte & 0xC0) == 0x80;
      point = point << 6 | (byte & 0x3F);
    }
    if (whole)
      visit(point, text.substr(at, length));
    else
      visit(std::uint32_t{0xFFFD}, std::string_view("\xEF\xBF\xBD"));
    at += whole ? length : 1;
  }
}

/// Whether a character is invisible and changes what a reader sees.
bool deceives(std::uint32_t point) {
  return (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7F && point < 0xA0) ||
         (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF || (point >= 0xE0000 && point <= 0xE007F) ||
         (point >= 0xD800 && point <= 0xDFFF) || point == 0x061C;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::uint32_t point, std::string_view bytes) {
    if (deceives(point))
      out += "\xEF\xBF\xBD";
    else if (point == '&')
      out += "&amp;";
    else if (point == '<')
      out += "&lt;";
    else if (point == '>')
      out += "&gt;";
    else if (point == '"')
      out += "&quot;";
    else if (point == '\'')
      out += "&#39;";
    else
      out += bytes;
  });
  return out;
}

std::string terminal_safe(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::uint32_t point, std::string_view bytes) {
    if (point == '\t')
      out += "    ";
    else if (deceives(point))
      out += point < 0x100 ? fmt::format("\\x{:02x}", point) : fmt::format("\\u{:04x}", point);
    else
      out += bytes;
  });
  return out;
}

std::string json_safe(std::string_view text) {
  std::string out;
  for_each_character(text, [&](std::uint32_t point, std::string_view bytes) {
    if (!deceives(point))
      out += bytes;
    else if (point < 0x10000)
      out += fmt::format("\\u{:04x}", point);
    else
      out += fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (point >> 10), 0xDC00 + (point & 0x3FF));
  });
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace trl::interpreter
