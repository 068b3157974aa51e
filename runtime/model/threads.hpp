// Work on several cores: whole pieces of work a thread, each with single-threaded tensor operations. Faster
// here than threads inside every operation, and the result doesn't depend on their number.
#pragma once

#include <cstddef>
#include <functional>

namespace trl::runtime {

/// Calls work(0) … work(count - 1) on up to `threads` threads, in no particular order, and waits for all of
/// them. The first exception is rethrown once every thread has ended; pieces not yet begun are then dropped.
/// Tensor operations inside use one thread each; the caller's gradient mode holds there too.
void parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace trl::runtime
