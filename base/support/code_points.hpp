// Code points of texts in UTF-8.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace trl {

/// Whether a byte continues a code point in UTF-8, that is, isn't its first byte.
inline bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

inline std::size_t code_points(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_code_point));
}

/// A text of at most `most` code points: a longer one is cut, and ends with "…".
inline std::string cut_to(std::string_view text, std::size_t most) {
  if (code_points(text) <= most) return std::string(text);
  std::size_t end = 0;
  for (std::size_t kept = 0; kept + 1 < most; ++kept) do
      ++end;
    while (continues_code_point(text[end]));
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace trl
