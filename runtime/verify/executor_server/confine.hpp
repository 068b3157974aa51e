#pragma once
// What a child of trl-executor gives up before it reads a candidate's first byte.
#include <cstdint>

namespace trl::runtime {

/// Ends this process with its parent, limits its memory, and leaves it the system calls of computing, of
/// threads and of the sockets that it has: no file, no process, no signal, no descriptor, no executable
/// memory. False when the kernel refuses.
bool confine(std::uint64_t memory_bytes);

}  // namespace trl::runtime
