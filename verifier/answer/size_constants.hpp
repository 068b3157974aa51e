#pragma once
// Finds tensor sizes for which a candidate's source may have special cases.
#include <cstdint>
#include <vector>

#include "verifier/answer/source.hpp"

namespace trl::runtime {

/// Returns the integers from 2 to 65536 that the source compares a value with. Such an integer stands next to
/// `==`, `!=` or an ordering (`<`, `>=`, …), in a list after `in`, as a dictionary's key, or in a `case`. The
/// integers are in the order of the text, without duplicates. Powers of two next to an ordering are left out,
/// since programs choose tile sizes by such comparisons. Comments and strings are skipped, except strings in
/// triple quotes, which may hold CUDA code. Any text is safe to pass.
std::vector<std::int64_t> size_constants(const Source& source);

}  // namespace trl::runtime
