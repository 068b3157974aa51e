// Runs work on several cores. Each thread gets whole pieces of work, in which tensor operations use no
// further threads. That is faster than several threads in every tensor operation, and the result doesn't
// depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace trl::runtime {

/// Calls work(0) … work(count - 1) on up to `threads` threads, in no particular order, and waits for all of
/// them. The first exception is rethrown once every thread has ended; pieces not yet begun are then dropped.
/// Inside `work`, tensor operations use one thread each and have the caller's gradient mode (grad or
/// no_grad).
void parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

}  // namespace trl::runtime
