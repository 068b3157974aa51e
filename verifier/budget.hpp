#pragma once
// The time and memory that one candidate may use, over all processes that work for it.
#include <nlohmann/json.hpp>
#include <string>

#include "verifier/timings.hpp"

namespace trl::runtime {

/// The limits of one candidate. The main limit is CPU time, since it is the same on a busy machine. So is the
/// time for which a candidate's processes sleep, that is, neither compute nor wait for a core or a disk.
struct BudgetLimits {
  double cpu_seconds = 60;      ///< `total_seconds` in the limits of the stage's spec
  double asleep_seconds = 300;  ///< `wall_seconds` in the limits of the stage's spec
};

/// The time that a candidate has used. These count: running the candidate's Python, reading the launch plan,
/// compiling the kernels (even if they were already compiled for another candidate), executing them, and, on
/// a GPU, loading, replaying and timing them. These don't count: drawing inputs, computing the reference, and
/// waiting for the GPU.
class Budget {
 public:
  /// `timings` holds the wall time of each kind of work, measured by the worker slot. Time of work on a GPU
  /// counts as sleep.
  Budget(BudgetLimits limits, const Timings& timings) : limits_(limits), timings_(&timings) {}

  /// Subtracts CPU seconds, used for work of this kind.
  void use(Work work, double cpu_seconds) { cpu_.add(work, cpu_seconds); }
  /// Subtracts seconds of sleep.
  void sleep(Work work, double seconds) { asleep_.add(work, seconds); }

  /// Returns the remaining CPU seconds. At or below 0 the budget is used up.
  double cpu_left() const;
  double asleep_left() const;
  bool used_up() const { return cpu_left() <= 0 || asleep_left() <= 0; }

  /// Returns a message about the limit that was reached first: "60 s of computing are used up: record 2.1 s,
  /// compile 58.3 s, …".
  std::string explain() const;
  /// Returns {"cpu_seconds": {"limit": 60, "record": 0.4, …}, "wall_seconds": {"limit": 300, "record": 0.6,
  /// …}, "uncounted_seconds": {"draw": 0.1, …}}. The last is the wall time of work that doesn't count.
  nlohmann::json to_json() const;

 private:
  BudgetLimits limits_;
  const Timings* timings_;
  Timings asleep() const;

  Timings cpu_, asleep_;
};

}  // namespace trl::runtime
