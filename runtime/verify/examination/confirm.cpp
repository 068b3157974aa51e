#include "runtime/verify/examination/confirm.hpp"

#include <algorithm>

#include "ground/random.hpp"
#include "runtime/verify/plan/seal.hpp"

namespace trl::runtime {
namespace {

// Of a wrong candidate one plan is compiled: that of the task's own sizes, or, where its values at other
// sizes earn credit, one of those that the secret draws. Compiling each would cost more than the rest of
// its trial.
std::size_t plan_to_compile(const Question& question, const Trials& trials, const std::string& seal,
                            bool full) {
  std::vector<std::size_t> plans = {0};
  if (full) {
    plans.push_back(trials.all.front().plan);
    if (trials.other_sizes) plans.push_back(trials.other_sizes->plan);
  }
  RandomStream draw(input_key(question.secret, seal, "plan to compile"));
  return plans[draw.below(plans.size())];
}

// A trial at the other sizes, unless it has passed already; or it is what failed, and the task's own sizes
// before it were right.
void confirm_tiny(Trial& trial, Candidate& candidate, ExecutorTrials& executor, GpuTrials& gpu,
                  Progress& progress) {
  ExaminedStep& now =
      *std::find_if(progress.steps.begin(), progress.steps.end(),
                    [&](const ExaminedStep& one) { return one.variation == trial.variation.label(); });
  if (now.outcome != ExaminedStep::Outcome::skipped) return;
  const Plan& plan = candidate.recording.plans[trial.plan];
  now.launches = launches_of(candidate.recording, plan, progress);
  Outcome outcome = executor.examine(trial);
  if (outcome.left_to_gpu && outcome.values) {
    outcome.finding = gpu.replay(trial);
    outcome.values = !outcome.finding;
  }
  trial.forget();
  if (outcome.finding)
    progress.note(now, outcome.values ? ExaminedStep::Outcome::passed : ExaminedStep::Outcome::failed,
                  *outcome.finding);
  else
    passed(now);
  if (outcome.values) return;
  Verdict& verdict = progress.verdict;
  verdict.tiny = false;
  progress.fail_instead("tiny", *outcome.finding);
  verdict.variation = trial.variation.label();
  verdict.claimed = plan.error && plan.error->claimed;
}

}  // namespace

void confirm_stages(const Question& question, Trials& trials, Candidate& candidate, PlanCompiler& compiler,
                    ExecutorTrials& executor, GpuTrials& gpu, Progress& progress) {
  Verdict& verdict = progress.verdict;
  const bool full = verdict.failed == "full";
  if (!full && verdict.failed != "tiny") return;
  if (!verdict.compiled) {
    const std::size_t plan = plan_to_compile(question, trials, candidate.recording.seal, full);
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
  if (full && trials.other_sizes) confirm_tiny(*trials.other_sizes, candidate, executor, gpu, progress);
}

}  // namespace trl::runtime
