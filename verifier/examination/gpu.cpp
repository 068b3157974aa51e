#include "verifier/examination/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "verifier/compare/wrong_values.hpp"
#include "verifier/examination/challenges.hpp"
#include "verifier/examination/decoy.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {
namespace {

// Returns the GPU's result in the form of the executor's. Every element of the output counts as written by a
// kernel. If there is a finding or no output, all elements are 0 and written by nobody.
ReplayResult result_of(const GpuReplay& replayed, std::size_t elements) {
  ReplayResult result;
  if (replayed.finding) result.findings.push_back(*replayed.finding);
  const bool gave = !replayed.finding && !replayed.outputs.empty();
  result.output = gave ? replayed.outputs.front() : std::vector<double>(elements, 0.0);
  result.writers.assign(elements, gave ? Writer::kernel : Writer::nobody);
  return result;
}

}  // namespace

bool GpuTestCases::try_all(TestCases& test_cases, ExecutorTestCases& executor) {
  const Protocol& protocol = question_.protocol;
  Verdict& verdict = progress_.verdict;
  bool timed = false;
  ExaminedStep* step_of = &progress_.step(test_cases.first_stage());
  for (TestCase& test_case : test_cases.all) {
    ExaminedStep& now = *step_of++;
    const bool full = test_case.stage == "full";
    if (!full && test_case.executed) continue;
    if (timed && test_case.executed && protocol.compile == Protocol::Compile::after_values) continue;
    if (!progress_.affords(now, test_case.stage)) {
      verdict.values = false;
      verdict.variation = test_case.variation.label();
      return false;
    }
    if (oversized(question_.task, test_case.variation, protocol.held_bytes)) {
      if (!try_oversized(test_case, now, full && !timed)) return false;
      timed |= full;
      continue;
    }
    test_case.draw(question_, candidate_.recording.commitment, verdict.timings);
    if (!prefer_tuned(test_case, now, executor)) return false;
    const Plan& plan = candidate_.recording.plans[test_case.plan];
    const bool time = full && !timed;
    const Run ran = run(plan, test_case, time);
    if (time && protocol.watch) protocol.watch(test_case.inputs, ran.replayed);
    if (const auto wrong = judge(plan, test_case, ran)) {
      // If the executor accepted the values, the failure belongs to the timed step that follows it.
      const bool behind = test_case.executed && !timed;
      verdict.values = false;
      progress_.note(behind ? progress_.step("timed") : now, ExaminedStep::Outcome::failed, *wrong);
      progress_.fail(behind ? "timed" : test_case.stage, *wrong);
      verdict.variation = test_case.variation.label();
      return false;
    }
    test_case.forget();
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

bool GpuTestCases::try_oversized(TestCase& test_case, ExaminedStep& step, bool timed) {
  const Protocol& protocol = question_.protocol;
  Verdict& verdict = progress_.verdict;
  const Variation& variation = test_case.variation;
  const Plan& plan = candidate_.recording.plans[test_case.plan];
  const JudgedOnGpu judged =
      gpu_->judge(plan, compiler_.cubins(candidate_.recording, plan),
                  {question_.task, variation, protocol.compiled_reference, question_.own_module, {}},
                  input_key(question_.secret, candidate_.recording.commitment, variation.label()),
                  protocol.precision, timed ? protocol.timing : std::nullopt, progress_.cancelled);
  verdict.timings += judged.timings;
  std::optional<ReplayFinding> wrong = judged.finding;
  if (!wrong && protocol.memory_errors_fail()) wrong = judged.damage;
  if (!wrong && timed && !judged.left.empty()) wrong = ReplayFinding{"not_judged", judged.left};
  if (wrong) {
    verdict.values = false;
    progress_.note(step, ExaminedStep::Outcome::failed, *wrong);
    progress_.fail(test_case.stage, *wrong);
    verdict.variation = variation.label();
    return false;
  }
  if (!judged.left.empty()) {
    step.message = "not judged at these sizes: " + judged.left;
    return true;
  }
  step.message =
      fmt::format("{} values compared with the module in {}, on the GPU", judged.compared, judged.reference);
  if (!timed) return true;
  verdict.modelled = false;
  verdict.time_us = trimmed_mean(judged.graph_us, protocol.timing->trim);
  verdict.launched_us = trimmed_mean(judged.stream_us, protocol.timing->trim);
  verdict.reference_us = judged.time.graph_us;
  verdict.compiled_us = judged.time.compiled_us;
  return true;
}

std::optional<ReplayFinding> GpuTestCases::replay(TestCase& test_case) {
  test_case.draw(question_, candidate_.recording.commitment, progress_.verdict.timings);
  const Plan& plan = candidate_.recording.plans[test_case.plan];
  const GpuReplay replayed =
      replay_plan(plan, compiler_.cubins(candidate_.recording, plan), test_case.inputs);
  return judge_outputs(plan, test_case.variation, test_case.inputs, test_case.expected, replayed);
}

bool GpuTestCases::prefer_tuned(TestCase& test_case, ExaminedStep& step, ExecutorTestCases& executor) {
  Recording& recording = candidate_.recording;
  Plan& plan = recording.plans[test_case.plan];
  auto better = tuned(plan, test_case.inputs);
  if (!better) return true;
  plan = std::move(*better);
  if (recording.needs_gpu(plan)) return true;
  if (executor.parse()) return false;
  step.launches = launches_of(recording, plan, progress_);
  const Outcome outcome = executor.examine(test_case);
  test_case.executed = !outcome.left_to_gpu;
  if (!executor.fails(outcome)) return true;
  progress_.verdict.values = outcome.values;
  progress_.note(step, ExaminedStep::Outcome::failed, *outcome.finding);
  progress_.fail(test_case.stage, *outcome.finding);
  progress_.verdict.variation = test_case.variation.label();
  return false;
}

std::optional<Plan> GpuTestCases::tuned(const Plan& plan, const std::vector<InputData>& inputs) {
  constexpr std::size_t most = 16;  // the most configurations that are tried for a launch
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

GpuTestCases::Run GpuTestCases::run(const Plan& plan, const TestCase& test_case, bool timed) {
  const Protocol& protocol = question_.protocol;
  Run ran;
  ran.kernels = compiler_.cubins(candidate_.recording, plan);
  if (!timed) {
    ran.replayed = replay_plan(plan, ran.kernels, test_case.inputs);
    return ran;
  }
  // A plan that the executor has carried out completely accesses no memory but its own.
  if (!test_case.executed)
    ran.challenges = challenges_of(question_, candidate_.recording.commitment, test_case);
  std::tie(ran.replayed, ran.reference) =
      gpu_->compare(plan, ran.kernels, test_case.inputs, *protocol.timing,
                    {question_.task, test_case.variation, protocol.compiled_reference, question_.own_module,
                     ran.challenges},
                    progress_.cancelled);
  progress_.verdict.timings += ran.replayed.timings;
  return ran;
}

std::optional<ReplayFinding> GpuTestCases::judge(const Plan& plan, const TestCase& test_case,
                                                 const Run& run) {
  if (auto wrong =
          judge_outputs(plan, test_case.variation, test_case.inputs, test_case.expected, run.replayed))
    return wrong;
  {
    const Stopwatch watch(progress_.verdict.timings, Work::draw);
    if (auto wrong = judge_challenged(question_, plan, test_case, run.challenges, run.replayed.challenged))
      return wrong;
  }
  if (test_case.executed) return std::nullopt;
  if (auto wrong = judge_more_draws(question_, candidate_.recording.commitment, test_case.variation,
                                    [&](const std::vector<InputData>& inputs, const Expected& expected) {
                                      const GpuReplay replayed = replay_plan(plan, run.kernels, inputs);
                                      return judge_outputs(plan, test_case.variation, inputs, expected,
                                                           replayed);
                                    }))
    return wrong;
  return find_decoy(
      question_, plan, test_case, {},
      [&](const Plan& part, const std::vector<InputData>& given) {
        return result_of(replay_plan(part, run.kernels, given), test_case.expected.size());
      },
      progress_.cancelled);
}

std::optional<ReplayFinding> GpuTestCases::judge_outputs(const Plan& plan, const Variation& variation,
                                                         const std::vector<InputData>& inputs,
                                                         const Expected& expected,
                                                         const GpuReplay& replayed) const {
  if (replayed.finding) return replayed.finding;
  ReplayResult result;
  result.writers.assign(expected.size(), Writer::kernel);
  for (const std::vector<double>& output : replayed.outputs) {
    result.output = output;
    if (auto wrong = judge_values(plan, result, expected)) {
      if (replayed.damage) return replayed.damage;  // such a finding is more useful than a wrong number
      explain_values(*wrong, question_.task, variation, inputs, expected, output,
                     question_.protocol.precision);
      wrong->message += ", on the GPU";
      return wrong;
    }
  }
  if (replayed.damage && question_.protocol.memory_errors_fail()) return replayed.damage;
  return std::nullopt;
}

GpuReplay GpuTestCases::replay_plan(const Plan& plan, const std::vector<Compiled>& kernels,
                                    const std::vector<InputData>& inputs,
                                    const std::optional<TimingProtocol>& timing) {
  GpuReplay replayed = gpu_->replay(plan, kernels, inputs, timing, progress_.cancelled);
  progress_.verdict.timings += replayed.timings;
  return replayed;
}

}  // namespace trl::runtime
