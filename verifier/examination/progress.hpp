#pragma once
// The state that all steps of an examination share.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/budget.hpp"
#include "verifier/examination/protocol.hpp"
#include "verifier/examination/verdict.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// The fixed arguments of an examination: the task that the candidate has to compute, the protocol by which
/// it is judged, and the secret from which the inputs are derived.
struct Question {
  const Task& task;
  const Protocol& protocol;
  const std::string& secret;
  bool own_module = false;  ///< whether the task's module is the user's own, and not of somebody's store
};

/// The state of an examination: the verdict so far, the steps and the costs.
struct Progress {
  Progress(BudgetLimits limits, const std::function<bool()>& asked)
      : cancelled(asked), budget(limits, verdict.timings) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Returns the first step of a stage. The stage must have a step.
  ExaminedStep& step(std::string_view stage);
  /// Returns the step of a variation, which must have one.
  ExaminedStep& step_on(const Variation& variation);

  /// Returns `line` if the answer has a line of this number, else 0. Line numbers in plans and kernels come
  /// from the candidate and may be wrong.
  int known(int line) const { return lines > 0 && line > lines ? 0 : line; }

  /// Stores an outcome and a finding in a step.
  void note(ExaminedStep& step, ExaminedStep::Outcome outcome, const ReplayFinding& finding) const;

  /// Makes the verdict a failure for the reason `finding`. If the verdict is already a failure, it doesn't
  /// change. Returns false.
  bool fail(const std::string& stage, const ReplayFinding& finding);
  /// Like `fail`, but replaces an earlier failure.
  void fail_instead(const std::string& stage, const ReplayFinding& finding);
  /// Like `fail`, and also marks the first step of `stage` as failed. Returns false.
  bool fail_step(const std::string& stage, const ReplayFinding& finding);

  /// Whether the candidate has budget left. If not, the step and the verdict fail with a timeout.
  bool affords(ExaminedStep& step, const std::string& stage);

  const std::function<bool()>& cancelled;
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  Budget budget;  // the wall times that it reads are in verdict.timings
  int lines = 0;  // the number of lines of the answer; 0: unknown
};

/// Marks a step as passed. Returns true.
bool passed(ExaminedStep& step);

}  // namespace trl::runtime
