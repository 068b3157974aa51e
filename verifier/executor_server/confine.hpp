#pragma once
// Confines a child process of trl-executor before it reads any data of a candidate.
#include <cstdint>
#include <vector>

#include "verifier/sandbox/filter.hpp"

namespace trl::runtime {

/// Makes this process end when its parent ends, limits its memory, and installs `filter`: the system-call
/// filter of `Profile::executor`, made once before the first fork. Returns false if the kernel refuses a
/// step.
bool confine(std::uint64_t memory_bytes, const std::vector<sock_filter>& filter);

}  // namespace trl::runtime
