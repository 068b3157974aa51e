#pragma once
// The time and memory that one candidate may use, over all processes that work for it.
#include <nlohmann/json.hpp>
#include <string>

#include "verifier/timings.hpp"

namespace trl::runtime {

/// The CPU time is the real limit, since it is the same on a busy machine. The wall clock is an outer limit,
/// several times as large.
struct BudgetLimits {
  double cpu_seconds = 60;    ///< `total_seconds` of the spec's limits
  double wall_seconds = 300;  ///< `wall_seconds`
};

/// A candidate's account. It counts running the wrapper, reading the plan, compiling the kernels (also when
/// another candidate had them compiled first), executing them, and on a GPU loading, replaying and timing
/// them. It doesn't count drawing inputs, computing the reference, and waiting for another candidate on the
/// GPU.
class Budget {
 public:
  /// `timings` has the wall time of each kind of work, as the worker slot measures it.
  Budget(BudgetLimits limits, const Timings& timings) : limits_(limits), timings_(&timings) {}

  /// Subtracts CPU seconds.
  void use(Work work, double cpu_seconds) { cpu_.add(work, cpu_seconds); }

  /// The CPU seconds that are left; at or below 0 the budget is used up.
  double cpu_left() const;
  double wall_left() const;
  bool used_up() const { return cpu_left() <= 0 || wall_left() <= 0; }

  /// "60 s of computing are used up: record 2.1 s, compile 58.3 s, …", for whichever limit was reached first.
  std::string explain() const;
  /// {"cpu_seconds": {"limit": 60, "record": 0.4, …}, "wall_seconds": {"limit": 300, "record": 0.6, …}}
  nlohmann::json to_json() const;

 private:
  BudgetLimits limits_;
  const Timings* timings_;
  Timings cpu_;
};

}  // namespace trl::runtime
