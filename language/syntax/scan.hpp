// Scans a text for words, quoted texts and comments, without parsing it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace trl::language {

inline bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool word_character(char c) { return letter(c) || (c >= '0' && c <= '9'); }
inline bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Returns the end of the quoted text or comment that begins at the offset `i`.
inline std::size_t skip_opaque(const char* text, std::size_t i, std::size_t size) {
  if (text[i] == '"') {
    ++i;
    while (i < size && text[i] != '"' && text[i] != '\n')
      i += text[i] == '\\' && i + 1 < size && text[i + 1] != '\n' ? 2 : 1;
    return i < size && text[i] == '"' ? i + 1 : std::min(i, size);
  }
  while (i < size && text[i] != '\n') ++i;
  return i;
}

/// Returns the end of the code in the line that begins at the offset `begin`. A comment and blanks at the
/// line's end aren't code. Returns `begin` if the line has no code.
inline std::size_t end_of_code(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  for (std::size_t i = begin; i < text.size() && text[i] != '\n' && text[i] != '#';) {
    const std::size_t next = text[i] == '"' ? skip_opaque(text.data(), i, text.size()) : i + 1;
    if (!blank(text[i])) end = next;
    i = next;
  }
  return end;
}

inline std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

/// Returns the end of the last code before the offset `at`: blanks, newlines and comments before `at` are
/// skipped.
inline std::size_t end_of_code_before(std::string_view text, std::size_t at) {
  for (std::size_t line = line_begin(text, at);; line = line_begin(text, line - 1)) {
    const std::size_t end = std::min(at, end_of_code(text.substr(0, at), line));
    if (end > line || line == 0) return end;
  }
}

}  // namespace trl::language
