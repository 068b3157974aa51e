#pragma once
// The rights that a child of trl-executor gives up before it reads a candidate's first byte.
#include <cstdint>
#include <vector>

#include "verifier/sandbox/filter.hpp"

namespace trl::runtime {

/// Makes this process end with its parent, limits its memory and installs the filter of `Profile::executor`,
/// which is made before the first fork. False when the kernel refuses.
bool confine(std::uint64_t memory_bytes, const std::vector<sock_filter>& filter);

}  // namespace trl::runtime
