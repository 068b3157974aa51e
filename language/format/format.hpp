// The layout of a .trl file: blanks and newlines, and nothing else.
#pragma once
#include <string>
#include <string_view>

namespace trl::language {

struct Formatted {
  std::string text;
  bool broken = false;  ///< parts cannot be read; they stay as they are written, byte for byte
  bool left =
      false;  ///< all of it stays as it is written: with other blanks the broken parts would read otherwise
};

/// The text in the house's layout (GRAMMAR.md, "Layout"). No token and no comment changes, and formatting
/// what was formatted changes nothing.
Formatted format(std::string_view text);

/// True when two texts have the same syntax tree and differ in blanks and newlines alone.
bool same_but_for_layout(std::string_view text, std::string_view other);

}  // namespace trl::language
