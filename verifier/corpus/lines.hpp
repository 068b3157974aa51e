// Helper functions for generated source text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trl::runtime {

/// Joins items: "a, b, c".
std::string joined(const std::vector<std::string>& items);

/// Whether the name occurs in the text as a whole word.
bool mentions(const std::string& text, const std::string& name);

/// Replaces the last occurrence of `what` in one of the lines that contain `what`; `placement` chooses the
/// line. Returns false if no line contains `what`.
bool replace_in_some_line(std::vector<std::string>& lines, const std::string& what, const std::string& with,
                          std::uint64_t placement);

}  // namespace trl::runtime
