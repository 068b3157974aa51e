#include "runtime/verify/examination/examination.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "runtime/verify/assess/assessment.hpp"
#include "runtime/verify/compare/wrong_values.hpp"
#include "runtime/verify/inputs/inputs.hpp"
#include "runtime/verify/plan/seal.hpp"

namespace trl::runtime {

bool Examination::try_on_gpu() {
  bool timed = false;
  ExaminedStep* step_of = &step(trials_.front().stage);
  for (Trial& trial : trials_) {
    ExaminedStep& now = *step_of++;
    const bool full = trial.stage == "full";
    if (!full && trial.executed) continue;
    if (timed && trial.executed && protocol_.compile == Protocol::Compile::after_values) continue;
    if (!affords(now, trial.stage)) {
      verdict_.values = false;
      verdict_.variation = trial.variation.label();
      return false;
    }
    draw(trial);
    const std::vector<InputData>& inputs = trial.inputs;
    if (auto plan = tuned(recording_.plans[trial.plan], inputs)) {
      // The executor has seen another configuration.
      recording_.plans[trial.plan] = std::move(*plan);
      if (!recording_.needs_gpu(recording_.plans[trial.plan]) && !try_again(trial, now)) return false;
    }
    const Plan& plan = recording_.plans[trial.plan];
    const std::vector<Compiled> kernels = kernels_of(plan);
    GpuReplay replayed;
    ReferenceTime reference;
    std::vector<Challenge> challenges;
    if (timed || !full) {
      replayed = gpu_->replay(plan, kernels, inputs, std::nullopt, cancelled_);
    } else {
      // What the executor has run whole accesses nothing that isn't its.
      if (!trial.executed) challenges = challenges_of(trial);
      std::tie(replayed, reference) =
          gpu_->compare(plan, kernels, inputs, *protocol_.timing,
                        {task_, trial.variation, protocol_.compiled_reference, challenges}, cancelled_);
    }
    verdict_.spent += replayed.spent;
    if (full && !timed && protocol_.watch) protocol_.watch(inputs, replayed);
    auto wrong = judge_gpu(plan, trial, replayed);
    if (!wrong) wrong = judge_challenged(plan, trial, challenges, replayed);
    if (!wrong && !trial.executed) wrong = judge_more_draws_on_gpu(plan, kernels, trial);
    if (!wrong && !trial.executed)
      wrong = check_decoy(plan, trial, {}, [&](const Plan& part, const std::vector<InputData>& given) {
        return result_of(gpu_->replay(part, kernels, given, std::nullopt, cancelled_), trial.expected.size());
      });
    if (wrong) {
      // Where the executor was content, it is what came behind it that failed.
      const bool behind = trial.executed && !timed;
      verdict_.values = false;
      note(behind ? step("timed") : now, Outcomes::failed, *wrong);
      fail(behind ? "timed" : trial.stage, wrong->kind, wrong->message, wrong->line);
      verdict_.variation = trial.variation.label();
      return false;
    }
    forget(trial);
    if (timed || !full) continue;
    timed = true;
    verdict_.modelled = false;
    verdict_.time_us = trimmed_mean(replayed.graph_us, protocol_.timing->trim);
    verdict_.launched_us = trimmed_mean(replayed.stream_us, protocol_.timing->trim);
    verdict_.reference_us = reference.graph_us;
    verdict_.compiled_us = reference.compiled_us;
  }
  return true;
}

std::optional<ReplayFinding> Examination::replay_on_gpu(Trial& trial) {
  draw(trial);
  const Plan& plan = recording_.plans[trial.plan];
  const GpuReplay replayed = gpu_->replay(plan, kernels_of(plan), trial.inputs, std::nullopt, cancelled_);
  verdict_.spent += replayed.spent;
  return judge_gpu(plan, trial, replayed);
}

bool Examination::try_again(Trial& trial, ExaminedStep& step) {
  if (!parse_kernels()) return false;
  step.launches = launches_of(recording_.plans[trial.plan]);
  const Outcome outcome = examine(trial);
  trial.executed = !outcome.left_to_gpu;
  if (!fails(outcome)) return true;
  verdict_.values = outcome.values;
  note(step, Outcomes::failed, *outcome.finding);
  fail(trial.stage, outcome.finding->kind, outcome.finding->message, outcome.finding->line);
  verdict_.variation = trial.variation.label();
  return false;
}

std::optional<Plan> Examination::tuned(const Plan& plan, const std::vector<InputData>& inputs) {
  constexpr std::size_t most = 16;  // configurations of a launch
  std::optional<Plan> better;
  std::optional<double> best_us;
  const auto time = [&](const Plan& one) -> std::optional<double> {
    const GpuReplay replayed =
        gpu_->replay(one, kernels_of(one), inputs, TimingProtocol{2, 8, 0.1}, cancelled_);
    verdict_.spent += replayed.spent;
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

std::optional<ReplayFinding> Examination::judge_gpu(const Plan& plan, const Trial& trial,
                                                    const GpuReplay& replayed) const {
  if (replayed.finding) return replayed.finding;
  ReplayResult result;
  result.writers.assign(trial.expected.size(), Writer::kernel);
  for (const std::vector<double>& output : replayed.outputs) {
    result.output = output;
    if (auto wrong = judge(plan, result, trial.expected)) {
      if (replayed.damage) return replayed.damage;  // says more than a number that is wrong
      explain_values(*wrong, task_, trial.variation, trial.inputs, trial.expected, output,
                     protocol_.precision);
      wrong->message += ", on the GPU";
      return wrong;
    }
  }
  if (replayed.damage && protocol_.memory_errors_fail()) return replayed.damage;
  return std::nullopt;
}

ReplayResult Examination::result_of(const GpuReplay& replayed, std::size_t elements) {
  verdict_.spent += replayed.spent;
  ReplayResult result;
  if (replayed.finding) result.findings.push_back(*replayed.finding);
  const bool gave = !replayed.finding && !replayed.outputs.empty();
  result.output = gave ? replayed.outputs.front() : std::vector<double>(elements, 0.0);
  result.writers.assign(elements, gave ? Writer::kernel : Writer::nobody);
  return result;
}

std::optional<ReplayFinding> Examination::judge_more_draws_on_gpu(const Plan& plan,
                                                                  const std::vector<Compiled>& kernels,
                                                                  const Trial& trial) {
  for (int draw = 1; draw < draws(task_, trial.variation); ++draw) {
    Trial other = trial;
    other.inputs = draw_inputs(task_, trial.variation, secret_, recording_.seal, draw);
    other.expected = expect(task_, trial.variation, other.inputs, protocol_.precision);
    const GpuReplay replayed = gpu_->replay(plan, kernels, other.inputs, std::nullopt, cancelled_);
    verdict_.spent += replayed.spent;
    if (auto wrong = judge_gpu(plan, other, replayed)) return wrong;
  }
  return std::nullopt;
}

std::vector<Challenge> Examination::challenges_of(const Trial& trial) const {
  std::vector<ElementType> types;
  for (const TensorShape& input : input_shapes(task_, trial.variation))
    types.push_back(element_type(input.dtype).value());
  return draw_challenges(trial.inputs, types,
                         input_key(secret_, recording_.seal, "challenge " + trial.variation.label()));
}

std::optional<ReplayFinding> Examination::judge_challenged(const Plan& plan, const Trial& trial,
                                                           const std::vector<Challenge>& challenges,
                                                           const GpuReplay& replayed) {
  const Stopwatch watch(verdict_.spent, Work::draw);
  ReplayResult result;
  result.writers.assign(trial.expected.size(), Writer::kernel);
  for (std::size_t i = 0; i < replayed.challenged.size(); ++i) {
    result.output = replayed.challenged[i];
    const std::vector<InputData> inputs = challenged(trial.inputs, challenges.at(i));
    auto wrong = judge(plan, result, expect(task_, trial.variation, inputs, protocol_.precision));
    if (!wrong) continue;
    if (!judge(plan, result, trial.expected))
      wrong = ReplayFinding{"kept_output",
                            fmt::format("with other values in `{}` than in the runs before it, a timed "
                                        "run gives the output of those",
                                        inputs[challenges[i].input].name)};
    else
      wrong->message += fmt::format(", when timed with other values in `{}` than in the runs before",
                                    inputs[challenges[i].input].name);
    return wrong;
  }
  return std::nullopt;
}

}  // namespace trl::runtime
