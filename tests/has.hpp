#pragma once
#include <string>

namespace trl {

/// Whether `part` occurs in `text`.
inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace trl
