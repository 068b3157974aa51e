#include "runtime/verify/examination/gpu.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/verify/compare/wrong_values.hpp"
#include "runtime/verify/examination/challenges.hpp"
#include "runtime/verify/examination/decoy.hpp"
#include "runtime/verify/examination/judge.hpp"

namespace trl::runtime {
namespace {

// As the executor would say it, of an output whose writers are unknown.
ReplayResult result_of(const GpuReplay& replayed, std::size_t elements) {
  ReplayResult result;
  if (replayed.finding) result.findings.push_back(*replayed.finding);
  const bool gave = !replayed.finding && !replayed.outputs.empty();
  result.output = gave ? replayed.outputs.front() : std::vector<double>(elements, 0.0);
  result.writers.assign(elements, gave ? Writer::kernel : Writer::nobody);
  return result;
}

}  // namespace

bool GpuTrials::try_all(Trials& trials, ExecutorTrials& executor) {
  const Protocol& protocol = question_.protocol;
  Verdict& verdict = progress_.verdict;
  bool timed = false;
  ExaminedStep* step_of = &progress_.step(trials.first_stage());
  for (Trial& trial : trials.all) {
    ExaminedStep& now = *step_of++;
    const bool full = trial.stage == "full";
    if (!full && trial.executed) continue;
    if (timed && trial.executed && protocol.compile == Protocol::Compile::after_values) continue;
    if (!progress_.affords(now, trial.stage)) {
      verdict.values = false;
      verdict.variation = trial.variation.label();
      return false;
    }
    trial.draw(question_, candidate_.recording.seal, verdict.timings);
    if (!prefer_tuned(trial, now, executor)) return false;
    const Plan& plan = candidate_.recording.plans[trial.plan];
    const bool time = full && !timed;
    const Run ran = run(plan, trial, time);
    if (time && protocol.watch) protocol.watch(trial.inputs, ran.replayed);
    if (const auto wrong = judge(plan, trial, ran)) {
      // Where the executor was content, it is what came behind it that failed.
      const bool behind = trial.executed && !timed;
      verdict.values = false;
      progress_.note(behind ? progress_.step("timed") : now, ExaminedStep::Outcome::failed, *wrong);
      progress_.fail(behind ? "timed" : trial.stage, *wrong);
      verdict.variation = trial.variation.label();
      return false;
    }
    trial.forget();
    if (!time) continue;
    timed = true;
    verdict.modelled = false;
    verdict.time_us = trimmed_mean(ran.replayed.graph_us, protocol.timing->trim);
    verdict.launched_us = trimmed_mean(ran.replayed.stream_us, protocol.timing->trim);
    verdict.reference_us = ran.reference.graph_us;
    verdict.compiled_us = ran.reference.compiled_us;
  }
  return true;
}

std::optional<ReplayFinding> GpuTrials::replay(Trial& trial) {
  trial.draw(question_, candidate_.recording.seal, progress_.verdict.timings);
  const Plan& plan = candidate_.recording.plans[trial.plan];
  const GpuReplay replayed = replay_plan(plan, compiler_.cubins(candidate_.recording, plan), trial.inputs);
  return judge_outputs(plan, trial.variation, trial.inputs, trial.expected, replayed);
}

bool GpuTrials::prefer_tuned(Trial& trial, ExaminedStep& step, ExecutorTrials& executor) {
  Recording& recording = candidate_.recording;
  Plan& plan = recording.plans[trial.plan];
  auto better = tuned(plan, trial.inputs);
  if (!better) return true;
  plan = std::move(*better);
  if (recording.needs_gpu(plan)) return true;
  if (executor.parse()) return false;
  step.launches = launches_of(recording, plan, progress_);
  const Outcome outcome = executor.examine(trial);
  trial.executed = !outcome.left_to_gpu;
  if (!executor.fails(outcome)) return true;
  progress_.verdict.values = outcome.values;
  progress_.note(step, ExaminedStep::Outcome::failed, *outcome.finding);
  progress_.fail(trial.stage, *outcome.finding);
  progress_.verdict.variation = trial.variation.label();
  return false;
}

std::optional<Plan> GpuTrials::tuned(const Plan& plan, const std::vector<InputData>& inputs) {
  constexpr std::size_t most = 16;  // configurations of a launch
  std::optional<Plan> better;
  std::optional<double> best_us;
  const auto time = [&](const Plan& one) -> std::optional<double> {
    const GpuReplay replayed =
        replay_plan(one, compiler_.cubins(candidate_.recording, one), inputs, TimingProtocol{2, 8, 0.1});
    return replayed.finding ? std::nullopt : trimmed_mean(replayed.graph_us, 0.1);
  };
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto* launch = std::get_if<LaunchStep>(&plan.steps[i]);
    if (launch == nullptr || launch->alternatives.empty()) continue;
    if (!best_us) best_us = time(plan);
    for (std::size_t k = 0; k < std::min(most, launch->alternatives.size()); ++k) {
      Plan other = better.value_or(plan);
      auto& changed = std::get<LaunchStep>(other.steps[i]);
      static_cast<PlanLaunch&>(changed) = launch->alternatives[k];
      const auto us = time(other);
      if (us && (!best_us || *us < *best_us)) better = std::move(other), best_us = us;
    }
  }
  return better;
}

GpuTrials::Run GpuTrials::run(const Plan& plan, const Trial& trial, bool timed) {
  const Protocol& protocol = question_.protocol;
  Run ran;
  ran.kernels = compiler_.cubins(candidate_.recording, plan);
  if (!timed) {
    ran.replayed = replay_plan(plan, ran.kernels, trial.inputs);
    return ran;
  }
  // What the executor has run whole accesses nothing that isn't its.
  if (!trial.executed) ran.challenges = challenges_of(question_, candidate_.recording.seal, trial);
  std::tie(ran.replayed, ran.reference) = gpu_->compare(
      plan, ran.kernels, trial.inputs, *protocol.timing,
      {question_.task, trial.variation, protocol.compiled_reference, ran.challenges}, progress_.cancelled);
  progress_.verdict.timings += ran.replayed.timings;
  return ran;
}

std::optional<ReplayFinding> GpuTrials::judge(const Plan& plan, const Trial& trial, const Run& run) {
  if (auto wrong = judge_outputs(plan, trial.variation, trial.inputs, trial.expected, run.replayed))
    return wrong;
  {
    const Stopwatch watch(progress_.verdict.timings, Work::draw);
    if (auto wrong = judge_challenged(question_, plan, trial, run.challenges, run.replayed.challenged))
      return wrong;
  }
  if (trial.executed) return std::nullopt;
  if (auto wrong = judge_more_draws(question_, candidate_.recording.seal, trial.variation,
                                    [&](const std::vector<InputData>& inputs, const Expected& expected) {
                                      const GpuReplay replayed = replay_plan(plan, run.kernels, inputs);
                                      return judge_outputs(plan, trial.variation, inputs, expected, replayed);
                                    }))
    return wrong;
  return find_decoy(
      question_, plan, trial, {},
      [&](const Plan& part, const std::vector<InputData>& given) {
        return result_of(replay_plan(part, run.kernels, given), trial.expected.size());
      },
      progress_.cancelled);
}

std::optional<ReplayFinding> GpuTrials::judge_outputs(const Plan& plan, const Variation& variation,
                                                      const std::vector<InputData>& inputs,
                                                      const Expected& expected,
                                                      const GpuReplay& replayed) const {
  if (replayed.finding) return replayed.finding;
  ReplayResult result;
  result.writers.assign(expected.size(), Writer::kernel);
  for (const std::vector<double>& output : replayed.outputs) {
    result.output = output;
    if (auto wrong = judge_values(plan, result, expected)) {
      if (replayed.damage) return replayed.damage;  // says more than a number that is wrong
      explain_values(*wrong, question_.task, variation, inputs, expected, output,
                     question_.protocol.precision);
      wrong->message += ", on the GPU";
      return wrong;
    }
  }
  if (replayed.damage && question_.protocol.memory_errors_fail()) return replayed.damage;
  return std::nullopt;
}

GpuReplay GpuTrials::replay_plan(const Plan& plan, const std::vector<Compiled>& kernels,
                                 const std::vector<InputData>& inputs,
                                 const std::optional<TimingProtocol>& timing) {
  GpuReplay replayed = gpu_->replay(plan, kernels, inputs, timing, progress_.cancelled);
  progress_.verdict.timings += replayed.timings;
  return replayed;
}

}  // namespace trl::runtime
