// Code points of texts in UTF-8.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

namespace trl {

/// Whether a byte is not the first one of a code point.
inline bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

inline std::size_t code_points(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues_code_point));
}

}  // namespace trl
