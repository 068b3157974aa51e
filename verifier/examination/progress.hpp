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

/// The question that an examination answers: does the candidate compute the task, judged by the protocol, on
/// inputs that nobody can know without the secret?
struct Question {
  const Task& task;
  const Protocol& protocol;
  const std::string& secret;
};

/// The verdict so far: the results and costs of the steps, and whether the examination was cancelled.
struct Progress {
  Progress(BudgetLimits limits, const std::function<bool()>& asked)
      : cancelled(asked), budget(limits, verdict.timings) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The first step of a stage. The stage must have one.
  ExaminedStep& step(std::string_view stage);

  /// Returns `line` if the answer has such a line, else 0. Lines in plans and in kernels' locations come from
  /// the candidate and may be wrong.
  int known(int line) const { return lines > 0 && line > lines ? 0 : line; }

  /// Records a step's outcome and its finding.
  void note(ExaminedStep& step, ExaminedStep::Outcome outcome, const ReplayFinding& finding) const;

  /// Makes a finding the verdict, unless the verdict has already failed: the first failure counts. Returns
  /// false.
  bool fail(const std::string& stage, const ReplayFinding& finding);
  /// Does the same, but replaces an earlier failure.
  void fail_instead(const std::string& stage, const ReplayFinding& finding);
  /// Does the same as `fail`, and marks the first step of `stage` as failed.
  bool fail_step(const std::string& stage, const ReplayFinding& finding);

  /// Returns false if the candidate's budget is used up, which fails the candidate at this step.
  bool affords(ExaminedStep& step, const std::string& stage);

  const std::function<bool()>& cancelled;
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  Budget budget;  // its costs are added to verdict.timings
  int lines = 0;  // the number of lines of the candidate; 0 if unknown
};

/// Marks a step as passed. Returns true.
bool passed(ExaminedStep& step);

}  // namespace trl::runtime
