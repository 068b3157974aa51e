// Small work on generated text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trl::runtime {

/// "a, b, c".
std::string joined(const std::vector<std::string>& items);

/// Does the name occur in the text as a whole word?
bool mentions(const std::string& text, const std::string& name);

/// Replaces the last `what` in a line that has one, counted from `placement`; false when no line has.
bool replace_in_some_line(std::vector<std::string>& lines, const std::string& what, const std::string& with,
                          std::uint64_t placement);

}  // namespace trl::runtime
