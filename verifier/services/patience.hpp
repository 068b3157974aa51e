#pragma once
// Limits the waiting for a process by its CPU time and its sleep, which don't depend on how busy the machine
// is.
#include <sys/types.h>

#include <chrono>
#include <functional>
#include <limits>

#include "base/support/byte_channel.hpp"

namespace trl::runtime {

/// The limits of a process and of all processes that it started, in seconds.
struct PatienceLimits {
  /// The longest time for which all of these processes sleep at once, that is, neither compute nor wait for a
  /// core or a disk. If the machine doesn't show other processes' states, wall time counts instead.
  double asleep = std::numeric_limits<double>::infinity();
  double computing = std::numeric_limits<double>::infinity();  ///< CPU time of all of them together
};

/// Ends a wait for a process that takes too long. Used by one thread at a time.
class Patience {
 public:
  /// Starts counting sleep and CPU time. `process` is a child of this process, which may start others.
  Patience(pid_t process, PatienceLimits limits) : process_(process), limits_(limits) {}

  /// Whether a limit is reached. Looks at the processes at most twice a second.
  bool over();
  /// The seconds of sleep so far.
  double asleep() const { return asleep_; }
  /// A wait limit that ends when a limit is reached or `cancelled` returns true. Refers to this object.
  WaitLimit wait_limit(std::function<bool()> cancelled);

 private:
  using Clock = std::chrono::steady_clock;
  struct Look {
    bool known = false;  ///< whether the machine shows processes
    bool busy = false;   ///< whether a process computes, or waits for a core or a disk
    double cpu = 0;      ///< CPU seconds so far
  };
  static Look look_at(pid_t process);

  pid_t process_;
  PatienceLimits limits_;
  Clock::time_point at_ = Clock::now();
  Look last_;
  double begun_ = -1;  // CPU seconds at the first look; -1: none yet, since most waits end before it
  double asleep_ = 0;
};

}  // namespace trl::runtime
