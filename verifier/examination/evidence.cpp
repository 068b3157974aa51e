#include "verifier/examination/steps.hpp"

#include <fmt/format.h>

#include "verifier/assess/assessment.hpp"

namespace trl::runtime {

void mark_evidence(const Question& question, const TestCases& test_cases, Progress& progress) {
  const Task& task = question.task;
  const Protocol& protocol = question.protocol;
  if (!protocol.strict) return;
  const Stopwatch watch(progress.verdict.timings, Work::draw);
  progress.verdict.no_evidence = no_evidence(task, test_cases.variations, protocol.precision);
  for (const std::string& label : progress.verdict.no_evidence)
    for (ExaminedStep& one : progress.steps)
      if (one.stage == "full" && one.variation == label) one.evidence = false;
}

bool task_says_something(const Question& question, const TestCases& test_cases, Progress& progress) {
  const Task& task = question.task;
  const Protocol& protocol = question.protocol;
  if (!protocol.strict) return true;
  const Stopwatch watch(progress.verdict.timings, Work::draw);
  const std::string trivial = passing_answer(task, test_cases.variations, protocol.precision);
  if (!trivial.empty())
    return progress.fail(
        "full",
        {"degenerate_task",
         fmt::format("the task says nothing of a kernel: no variation refuses the trivial answer \"{}\"",
                     trivial)});
  if (progress.verdict.no_evidence.size() < protocol.variations.size()) return true;
  return progress.fail(
      "full", {"degenerate_task",
               "the task says nothing of a kernel: each variation is passed by some trivial answer"});
}

}  // namespace trl::runtime
