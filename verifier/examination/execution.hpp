#pragma once
// Runs a candidate's kernels on the executor and charges the time to its budget.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/inputs/path_coverage.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/services/executor_process.hpp"

namespace trl::runtime {

/// Parses and replays for one candidate. Used by one thread at a time.
class Execution {
 public:
  /// `threads` returns how many threads a launch may take and is called at each launch. Keeps references to
  /// all of its arguments.
  Execution(ExecutorProcess& executor, const std::function<int()>& threads, Progress& progress)
      : threads_(threads), executor_(executor), progress_(progress) {}

  /// Parses the kernels that plans launch and, with `alternatives`, the kernels that they might launch; this
  /// clears `paths`. Returns why they can't be executed, or nothing.
  std::optional<ReplayFinding> parse(const Recording& recording, bool alternatives);

  /// The options of a replay with this order of programs.
  ReplayOptions options(std::uint64_t order) const;

  /// Replays a plan or a part of one. The options' time limits are replaced by the rest of the budget.
  ReplayResult replay(const Plan& plan, const std::vector<InputData>& inputs, ReplayOptions options);

  PathCoverage paths;  ///< the ways that decisions of the kernels parsed last have gone in test cases

 private:
  const std::function<int()>& threads_;
  ExecutorProcess& executor_;
  Progress& progress_;
};

/// The numbers of the kernels that a plan launches, ascending and without duplicates.
std::vector<int> kernels_launched(const Plan& plan);

}  // namespace trl::runtime
