#pragma once
// What all steps of an examination share.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/tasks/task.hpp"
#include "runtime/verify/budget.hpp"
#include "runtime/verify/examination/protocol.hpp"
#include "runtime/verify/examination/verdict.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// What is asked of a candidate: whether it computes the task, judged by the protocol, on inputs that nobody
/// knows who doesn't know the secret.
struct Question {
  const Task& task;
  const Protocol& protocol;
  const std::string& secret;
};

/// The verdict under way: what the steps have come to, what they have cost, and whether anybody still wants
/// to know.
struct Progress {
  Progress(BudgetLimits limits, const std::function<bool()>& asked)
      : cancelled(asked), budget(limits, verdict.timings) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// The first step of a stage, which must have one.
  ExaminedStep& step(std::string_view stage);

  /// A line of the answer; 0 for one that it hasn't. Lines of plans and of kernels' locations are a
  /// candidate's word.
  int known(int line) const { return lines > 0 && line > lines ? 0 : line; }

  /// Writes down what a step came to, with what was found.
  void note(ExaminedStep& step, ExaminedStep::Outcome outcome, const ReplayFinding& finding) const;

  /// Makes a finding the verdict, unless it has failed already: the first failure counts. False.
  bool fail(const std::string& stage, const ReplayFinding& finding);
  /// The same in the place of the failure that the verdict has.
  void fail_instead(const std::string& stage, const ReplayFinding& finding);
  /// As `fail`, and the first step of `stage` has failed.
  bool fail_step(const std::string& stage, const ReplayFinding& finding);

  /// False once the candidate's budget is used up, which fails it at this step.
  bool affords(ExaminedStep& step, const std::string& stage);

  const std::function<bool()>& cancelled;
  Verdict verdict;
  std::vector<ExaminedStep> steps;
  Budget budget;  // counts in verdict.spent
  int lines = 0;  // of the candidate; 0: unknown
};

/// The step has passed. True.
bool passed(ExaminedStep& step);

}  // namespace trl::runtime
