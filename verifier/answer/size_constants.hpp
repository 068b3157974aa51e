#pragma once
// Finds sizes for which a candidate's text has special cases.
#include <cstdint>
#include <vector>

#include "verifier/answer/source.hpp"

namespace trl::runtime {

/// Integers from 2 to 65536 that a text compares something with: next to `==`, `!=` or an ordering, in a list
/// after `in`, as a dictionary's key or in a `case`. They are in the text's order, each once. Powers of two
/// next to an ordering are left out, since tile sizes are chosen by such comparisons. Comments and strings
/// are skipped, except strings in triple quotes, which may be CUDA. Any text is safe to pass.
std::vector<std::int64_t> size_constants(const Source& source);

}  // namespace trl::runtime
