#pragma once

#include <string>
#include <string_view>

namespace trl {

/// Returns a list of names for a sentence, each between backticks, since names may contain commas: "`rank =
/// 8, alpha = 16`, `base`".
template <typename Names>
std::string quoted_names(const Names& names) {
  std::string text;
  for (const std::string_view name : names) {
    text += text.empty() ? "`" : ", `";
    text += name;
    text += '`';
  }
  return text;
}

}  // namespace trl
