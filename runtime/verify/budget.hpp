#pragma once
// What one candidate may cost, over all that works for it.
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/verify/spent.hpp"

namespace trl::runtime {

/// Computing decides: it is the same on a busy machine. The wall clock is an outer limit, several times as
/// far.
struct BudgetLimits {
  double cpu_seconds = 60;    ///< `total_seconds` of the spec's limits
  double wall_seconds = 300;  ///< `wall_seconds`
};

/// A candidate's account. What is counted: its wrapper, reading its plan, compiling its kernels (whoever had
/// them compiled first), executing them, and on a GPU loading, replaying and timing them. Not: drawing
/// inputs, the reference, and waiting for another candidate on the GPU.
class Budget {
 public:
  /// `spent` is where the lane's stopwatches write wall time, by kind of work.
  Budget(BudgetLimits limits, const Spent& spent) : limits_(limits), spent_(&spent) {}

  /// Takes seconds of CPU off.
  void use(Work work, double cpu_seconds) { cpu_.add(work, cpu_seconds); }

  /// What is left; at or below 0 it is used up.
  double cpu_left() const;
  double wall_left() const;
  bool used_up() const { return cpu_left() <= 0 || wall_left() <= 0; }

  /// "60 s of computing are used up: record 2.1 s, compile 58.3 s, …", of whichever is used up first.
  std::string explain() const;
  /// {"cpu_seconds": {"limit": 60, "record": 0.4, …}, "wall_seconds": {"limit": 300, "record": 0.6, …}}
  nlohmann::json to_json() const;

 private:
  BudgetLimits limits_;
  const Spent* spent_;
  Spent cpu_;
};

}  // namespace trl::runtime
