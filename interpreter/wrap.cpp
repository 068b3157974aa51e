#include "interpreter/wrap.hpp"

#include <algorithm>

namespace trl::interpreter {
std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  bool colour = false;  // within an escape sequence, which ends in a letter
  for (const char c : text) {
    if (c == '\x1b') colour = true;
    width += !colour && (c & 0xC0) != 0x80;
    if (c == 'm') colour = false;
  }
  return width;
}

std::string padded(std::string_view text, std::size_t width) {
  const auto own = display_width(text);
  return std::string(text) + std::string(width > own ? width - own : 0, ' ');
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;
  while (true) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    const bool breaks = out.ends_with(' ') && column > indent && column + display_width(word) > width;
    if (breaks) {
      out.back() = '\n';
      out += std::string(indent, ' ');
      column = indent;
    }
    out += word;
    column += display_width(word);
    if (end == text.size()) return out;
    if (text[end] == '\n') {
      out += '\n';
      column = 0;
    } else {
      out += ' ';
      ++column;
    }
    text.remove_prefix(end + 1);
  }
}

}  // namespace trl::interpreter
