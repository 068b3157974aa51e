// Formats a .trl file. Only blanks and newlines change.
#pragma once
#include <string>
#include <string_view>

namespace trl::language {

struct Formatted {
  std::string text;
  bool broken = false;  ///< parts of the text can't be parsed; these parts stay as they are, byte for byte
  bool left = false;    ///< the whole text stays as it is, since new blanks would change how its broken parts
                        ///< are parsed
};

/// Returns the text in the layout of GRAMMAR.md, "Layout". No token and no comment changes. Formatting twice
/// gives the same as formatting once.
Formatted format(std::string_view text);

/// Whether two texts have the same syntax tree and differ only in blanks and newlines.
bool same_but_for_layout(std::string_view text, std::string_view other);

}  // namespace trl::language
