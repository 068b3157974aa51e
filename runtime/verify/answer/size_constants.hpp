#pragma once
// Sizes that a candidate's text singles out.
#include <cstdint>
#include <vector>

#include "runtime/verify/answer/source.hpp"

namespace trl::runtime {

/// Whole numbers from 2 to 65536 that a text compares something with: beside `==`, `!=` or an order, in a
/// list behind `in`, as a dictionary's key or a `case`. In the text's order, each once. Powers of two beside
/// an order are left out: tiles are chosen by those. Comments and strings are passed over, but for those in
/// triple quotes, which may be CUDA. Any text is safe to pass.
std::vector<std::int64_t> size_constants(const Source& source);

}  // namespace trl::runtime
