#pragma once
// A candidate's trials on the executor: from a plan, a task and a variation to a word on the values.
#include <optional>
#include <vector>

#include "runtime/verify/examination/compile.hpp"
#include "runtime/verify/examination/execution.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/recorded.hpp"
#include "runtime/verify/examination/trial.hpp"

namespace trl::runtime {

/// What a trial comes to.
struct Outcome {
  bool values = false;                   ///< right, as far as they were looked at
  bool left_to_gpu = false;              ///< too much work for the executor: the GPU judges alone
  std::optional<ReplayFinding> finding;  ///< the first; when `values`, about memory alone
  std::vector<executor::Counters> per_launch;
};

/// The trials of one candidate that the executor carries out.
class ExecutorTrials {
 public:
  /// All are referred to.
  ExecutorTrials(const Question& question, Candidate& candidate, PlanCompiler& compiler, Execution& execution,
                 Progress& progress)
      : question_(question),
        candidate_(candidate),
        compiler_(compiler),
        execution_(execution),
        progress_(progress) {}

  /// Has the executor parse the kernels that may be launched. Why it can't, after failing the first trial.
  std::optional<ReplayFinding> parse();

  /// Every trial, one after another. False once a value is wrong; a memory error alone is noted, and the
  /// values are looked at to the end. Throws Cancelled.
  bool try_all(Trials& trials);

  /// One trial, whose inputs are drawn when they are needed. Kernels that an exam wants compiled are compiled
  /// first.
  Outcome examine(Trial& trial);

  /// Whether the protocol takes an outcome for a failure.
  bool fails(const Outcome& outcome) const;

 private:
  // Draws, replays and judges.
  void replay(Trial& trial, const Plan& plan, Outcome& outcome);
  // Why the values of a replay by these options don't pass; none when they do.
  std::optional<ReplayFinding> judge(const Plan& plan, const Trial& trial, const ReplayResult& result,
                                     ReplayOptions options);
  // Of a plan that is too long for the executor: what some programs of each launch, which nobody can know
  // before the candidate is sealed, do to memory.
  std::optional<ReplayFinding> check_sampled(const Plan& plan, const Trial& trial);
  // A NaN or Inf that the reference hasn't: the plan once more, looking for the operation that made it.
  void explain_nonfinite(const Plan& plan, const Trial& trial, ReplayOptions options,
                         const ReplayResult& result, ReplayFinding& wrong);
  // Whether the GPU has a word on it, too.
  bool runs_on_gpu(const Trial& trial) const;

  const Question& question_;
  Candidate& candidate_;
  PlanCompiler& compiler_;
  Execution& execution_;
  Progress& progress_;
};

}  // namespace trl::runtime
