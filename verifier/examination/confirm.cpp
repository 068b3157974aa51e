#include "verifier/examination/steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/support/random.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {
namespace {

// Chooses the one plan of a wrong candidate that is compiled: the plan at the task's own sizes or, where its
// values at other sizes earn credit, a plan that the secret draws. Compiling each plan would cost more than
// the rest of its test case.
std::size_t plan_to_compile(const Question& question, const TestCases& test_cases,
                            const std::string& commitment, bool full) {
  std::vector<std::size_t> plans = {0};
  if (full) {
    plans.push_back(test_cases.all.front().plan);
    if (test_cases.other_sizes) plans.push_back(test_cases.other_sizes->plan);
  }
  RandomStream draw(input_key(question.secret, commitment, "plan to compile"));
  return plans[draw.below(plans.size())];
}

// Examines the test case at the other sizes, unless its step has been carried out already. (If it has, either
// the test case has passed or the verdict has failed there.)
void confirm_tiny(TestCase& test_case, Candidate& candidate, ExecutorTestCases& executor, GpuTestCases& gpu,
                  Progress& progress) {
  ExaminedStep& now = progress.step_on(test_case.variation);
  if (now.outcome != ExaminedStep::Outcome::skipped) return;
  const Plan& plan = candidate.recording.plans[test_case.plan];
  now.launches = launches_of(candidate.recording, plan, progress);
  Outcome outcome = executor.examine(test_case);
  if (outcome.left_to_gpu && outcome.values) {
    outcome.finding = gpu.replay(test_case);
    outcome.values = !outcome.finding;
  }
  test_case.forget();
  if (outcome.finding)
    progress.note(now, outcome.values ? ExaminedStep::Outcome::passed : ExaminedStep::Outcome::failed,
                  *outcome.finding);
  else
    passed(now);
  if (outcome.values) return;
  Verdict& verdict = progress.verdict;
  verdict.tiny = false;
  progress.fail_instead("tiny", *outcome.finding);
  verdict.variation = test_case.variation.label();
  verdict.claimed = plan.error && plan.error->claimed;
}

}  // namespace

void confirm_stages(const Question& question, TestCases& test_cases, Candidate& candidate,
                    PlanCompiler& compiler, ExecutorTestCases& executor, GpuTestCases& gpu,
                    Progress& progress) {
  Verdict& verdict = progress.verdict;
  const bool full = verdict.failed == "full";
  if (!full && verdict.failed != "tiny") return;
  if (!verdict.compiled) {
    const std::size_t plan = plan_to_compile(question, test_cases, candidate.recording.commitment, full);
    if (const auto error = compiler.compile_plan(candidate, plan, CompileTo::verdict,
                                                 PlanCompiler::Configurations::launched)) {
      verdict.compiled = false;
      verdict.tiny = verdict.claimed = false;
      verdict.variation.clear();
      progress.note(progress.step("compile"), ExaminedStep::Outcome::failed, *error);
      return progress.fail_instead("compile", *error);
    }
    verdict.compiled = passed(progress.step("compile"));
  }
  if (full && test_cases.other_sizes)
    confirm_tiny(*test_cases.other_sizes, candidate, executor, gpu, progress);
}

void confirm_own_size(const Question& question, TestCases& test_cases, ExecutorTestCases& executor,
                      GpuTestCases& gpu, Progress& progress) {
  Verdict& verdict = progress.verdict;
  if (!question.protocol.strict || !question.task.module || !verdict.valid || verdict.values ||
      (verdict.failed != "tiny" && verdict.failed != "full") || verdict.reason == "needs_gpu")
    return;
  // The next steps draw the task's tensors on the host, so they are left out for tensors beyond the host's
  // limit.
  if (oversized(question.task, Variation{}, question.protocol.held_bytes)) return;
  const auto right = [&](TestCase& test_case) {
    Outcome outcome = executor.examine(test_case);
    if (outcome.left_to_gpu && outcome.values) outcome.values = !gpu.replay(test_case);
    test_case.forget();
    return outcome.values;
  };
  TestCase own{Variation{}, "full", 0};
  if (!right(own)) return;
  std::size_t others = 0;
  for (TestCase& test_case : test_cases.all) {
    if (test_case.plan == 0) continue;
    ++others;
    if (right(test_case)) return;
  }
  if (others < 2) return;  // a single other size may be wrong for another reason
  progress.fail_instead(verdict.failed,
                        {"own_size_only",
                         fmt::format("its values are right at the sizes of the task's file, and wrong at all "
                                     "others that were tried; at {}: {}: {}",
                                     verdict.variation, verdict.reason, verdict.message),
                         verdict.line});
}

}  // namespace trl::runtime
