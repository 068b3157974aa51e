// Device functions by which the threads of a warp or block combine their values.
#pragma once

#include <string>
#include <vector>

#include "runtime/corpus/cuda/operators.hpp"

namespace trl::runtime::cuda {

/// "sum", "max", "min".
const char* name_of(Combination combination);

/// What a combination begins with: "0.0f", "-INFINITY", "INFINITY".
const char* first_of(Combination combination);

/// `a` combined with `b`: "fmaxf(a, b)".
std::string combined(Combination combination, const std::string& a, const std::string& b);

/// `warp_sum(v)`: every lane gets the warp's sum.
std::vector<std::string> warp_function(Combination combination);

/// `block_sum(v)`: every thread gets the sum of a block of so many threads, a multiple of 32. By shuffles it
/// needs warp_function before it. Without its first barrier it is wrong.
std::vector<std::string> block_function(Combination combination, int threads, bool shuffles, bool barrier);

}  // namespace trl::runtime::cuda
