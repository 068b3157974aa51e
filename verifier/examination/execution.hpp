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
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Has trl-executor parse and replay the kernels of one candidate. Used by one thread at a time.
class Execution {
 public:
  /// `threads` is called at each launch; it returns the number of threads that the launch may use. Keeps
  /// references to all arguments.
  Execution(ExecutorProcess& executor, const std::function<int()>& threads, Progress& progress)
      : threads_(threads), executor_(executor), progress_(progress) {}

  /// Parses the kernels that the plans launch. With `alternatives`, also parses the kernels of other
  /// autotuning configurations. Clears `paths`. Returns the reason why a kernel can't be executed, or
  /// nothing.
  std::optional<ReplayFinding> parse(const Recording& recording, bool alternatives);

  /// Returns the options of a replay whose programs run in the order that the key `order` determines. The key
  /// also determines the choices that TTIR leaves to the compiler, except two: contraction changes from call
  /// to call if the kernels' options allow it, and whether a thread holds one or several elements changes at
  /// every second call. The number of operations that a launch and the plan may have is derived from the
  /// task's work under the variation.
  ReplayOptions options(std::uint64_t order, const Task& task, const Variation& variation);

  /// Replays a plan or a part of one. The time limits in `options` are replaced by the remaining budget.
  ReplayResult replay(const Plan& plan, const std::vector<InputData>& inputs, ReplayOptions options);

  PathCoverage paths;  ///< the outcomes, in test cases, of data-dependent decisions in the kernels that were
                       ///< parsed last

 private:
  const std::function<int()>& threads_;
  ExecutorProcess& executor_;
  Progress& progress_;
  bool contracted_ = true;               // whether the compiler may contract a kernel's products and sums
  std::uint64_t drawn_ = 0, first_ = 0;  // the number of calls of options(), and the first call's choices
};

/// The numbers of the kernels that a plan launches, ascending and without duplicates.
std::vector<int> kernels_launched(const Plan& plan);

}  // namespace trl::runtime
