#pragma once
// The rights that a child of trl-executor gives up before it reads a candidate's first byte.
#include <cstdint>

namespace trl::runtime {

/// Makes this process end with its parent, limits its memory, and leaves it only the system calls for
/// computing, for threads and for the sockets that it has: it can open no file, start no process, send no
/// signal, make no descriptor and map no executable memory. False when the kernel refuses.
bool confine(std::uint64_t memory_bytes);

}  // namespace trl::runtime
