// Writes device functions that combine the values of all threads of a warp or block.
#pragma once

#include <string>
#include <vector>

#include "verifier/corpus/cuda/operators.hpp"

namespace trl::runtime::cuda {

/// Returns the name of a combination: "sum", "max", "min".
const char* name_of(Combination combination);

/// Returns the neutral element of a combination as C++ text: "0.0f" (sum), "-INFINITY" (max), "INFINITY"
/// (min).
const char* first_of(Combination combination);

/// Returns the C++ expression that combines `a` and `b`, such as "fmaxf(a, b)".
std::string combined(Combination combination, const std::string& a, const std::string& b);

/// Returns the lines of a device function, such as `warp_sum(v)`, that returns to every lane the sum of `v`
/// over its warp.
std::vector<std::string> warp_function(Combination combination);

/// Returns the lines of a device function, such as `block_sum(v)`, that returns to every thread the sum of
/// `v` over its block. `threads` is a multiple of 32. With `shuffles` it calls the device function of
/// `warp_function`, which must precede it in the source. Without `barrier`, a barrier before other threads'
/// values are read is missing, which is a flaw.
std::vector<std::string> block_function(Combination combination, int threads, bool shuffles, bool barrier);

}  // namespace trl::runtime::cuda
