#pragma once
// A candidate's kernels on the executor, at the expense of its budget.
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/inputs/path_coverage.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/services/executor_process.hpp"

namespace trl::runtime {

/// Parses and replays for one candidate. Used by one thread at a time.
class Execution {
 public:
  /// `threads`: how many a launch may take, asked at each. All are referred to.
  Execution(ExecutorProcess& executor, const std::function<int()>& threads, Progress& progress)
      : threads_(threads), executor_(executor), progress_(progress) {}

  /// Parses the kernels that plans launch and, with `alternatives`, those that they might launch; `paths` is
  /// empty then. Why they can't be executed, if so.
  std::optional<ReplayFinding> parse(const Recording& recording, bool alternatives);

  /// Options with this order of programs.
  ReplayOptions options(std::uint64_t order) const;

  /// Replays a plan, or a part of one. What the options say of time is replaced by what the budget leaves.
  ReplayResult replay(const Plan& plan, const std::vector<InputData>& inputs, ReplayOptions options);

  PathCoverage paths;  ///< the decisions of the kernels parsed last, as trials have seen them go

 private:
  const std::function<int()>& threads_;
  ExecutorProcess& executor_;
  Progress& progress_;
};

/// The kernels that a plan launches: their numbers, each once, in order.
std::vector<int> kernels_launched(const Plan& plan);

}  // namespace trl::runtime
