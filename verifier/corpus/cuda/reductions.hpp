// Device functions by which the threads of a warp or block combine their values.
#pragma once

#include <string>
#include <vector>

#include "verifier/corpus/cuda/operators.hpp"

namespace trl::runtime::cuda {

/// The name of a combination: "sum", "max", "min".
const char* name_of(Combination combination);

/// The neutral element of a combination: "0.0f", "-INFINITY", "INFINITY".
const char* first_of(Combination combination);

/// The expression that combines `a` and `b`: "fmaxf(a, b)".
std::string combined(Combination combination, const std::string& a, const std::string& b);

/// Writes `warp_sum(v)`, which gives every lane the sum over its warp.
std::vector<std::string> warp_function(Combination combination);

/// Writes `block_sum(v)`, which gives every thread the sum over its block; the number of threads is a
/// multiple of 32. With shuffles it calls the warp_function, which must precede it. Without its first barrier
/// it is wrong.
std::vector<std::string> block_function(Combination combination, int threads, bool shuffles, bool barrier);

}  // namespace trl::runtime::cuda
