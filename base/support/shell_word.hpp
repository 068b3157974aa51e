#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace trl {

/// Returns a text in single quotes, as one word for a shell.
inline std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

/// Returns a text as a shell reads it as one word, in single quotes only where it has to be: a command in a
/// message can be copied.
inline std::string shell_word(std::string_view text) {
  const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("_-+=:,./@%").find(c) != std::string_view::npos ||
           static_cast<unsigned char>(c) >= 0x80;
  });
  return plain ? std::string(text) : shell_quoted(text);
}

}  // namespace trl
