// Formats a .trl file: changes blanks and newlines, and nothing else.
#pragma once
#include <string>
#include <string_view>

namespace trl::language {

struct Formatted {
  std::string text;
  bool broken = false;  ///< parts cannot be parsed; they stay as they are, byte for byte
  bool left = false;  ///< the whole text stays as it is, since other blanks would change how its broken parts
                      ///< are parsed
};

/// The text in the layout of GRAMMAR.md, "Layout". No token and no comment changes. Formatting is idempotent.
Formatted format(std::string_view text);

/// True when two texts have the same syntax tree and differ in blanks and newlines alone.
bool same_but_for_layout(std::string_view text, std::string_view other);

}  // namespace trl::language
