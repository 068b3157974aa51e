#include "runtime/verify/examination/examination.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "runtime/verify/assess/assessment.hpp"
#include "runtime/verify/compare/tolerance.hpp"
#include "runtime/verify/compare/wrong_values.hpp"
#include "runtime/verify/examination/modelled_time.hpp"
#include "runtime/verify/examination/words.hpp"
#include "runtime/verify/inputs/inputs.hpp"
#include "runtime/verify/plan/seal.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

// What the executor does of a plan before it leaves the full sizes to the GPU: a second or so.
constexpr std::uint64_t operations_before_gpu = 200'000'000;

}  // namespace

bool Examination::try_values() {
  bool timed = false;
  ExaminedStep* step_of = &step(trials_.front().stage);
  for (Trial& trial : trials_) {
    ExaminedStep& now = *step_of++;
    now.launches = launches_of(recording_.plans[trial.plan]);
    if (!affords(now, trial.stage)) {
      verdict_.variation = trial.variation.label();
      return false;
    }
    const Outcome outcome = examine(trial);
    trial.executed = !outcome.left_to_gpu;
    if (!protocol_.timing || trial.stage != "full") forget(trial);
    if (cancelled_ && cancelled_()) throw Cancelled();
    if (outcome.finding)
      note(now, fails(outcome) ? Outcomes::failed : Outcomes::passed, *outcome.finding);
    else
      passed(now);
    if (fails(outcome) && verdict_.failed.empty()) {
      fail(trial.stage, outcome.finding->kind, outcome.finding->message, outcome.finding->line);
      verdict_.variation = trial.variation.label();
      const std::optional<PlanError>& error = recording_.plans[trial.plan].error;
      verdict_.claimed = error && error->claimed;
      if (trial.stage == "tiny") verdict_.tiny = false;
    }
    if (!outcome.values) return false;
    if (trial.stage == "tiny" && verdict_.failed.empty()) verdict_.tiny = true;
    if (trial.stage == "full" && trial.executed && !timed) {
      timed = true;
      verdict_.time_us = modelled_time_us(outcome.per_launch, protocol_.gpu);
      verdict_.counters = outcome.per_launch;
      verdict_.reference_us = modelled_reference_us(task_, trial.variation, protocol_.gpu);
    }
  }
  return true;
}

void Examination::confirm_tiny() {
  Trial& trial = *other_sizes_;
  ExaminedStep& now = *std::find_if(steps_.begin(), steps_.end(), [&](const ExaminedStep& one) {
    return one.variation == trial.variation.label();
  });
  // Passed already; or it is what failed, and the task's own sizes before it were right.
  if (now.outcome != Outcomes::skipped) return;
  now.launches = launches_of(recording_.plans[trial.plan]);
  Outcome outcome = examine(trial);
  if (outcome.left_to_gpu && outcome.values) {
    outcome.finding = replay_on_gpu(trial);
    outcome.values = !outcome.finding;
  }
  forget(trial);
  if (outcome.finding)
    note(now, outcome.values ? Outcomes::passed : Outcomes::failed, *outcome.finding);
  else
    passed(now);
  if (outcome.values) return;
  verdict_.tiny = false;
  fail_instead("tiny", *outcome.finding);
  verdict_.variation = trial.variation.label();
  const std::optional<PlanError>& error = recording_.plans[trial.plan].error;
  verdict_.claimed = error && error->claimed;
}

bool Examination::fails(const Outcome& outcome) const {
  return outcome.finding && (!outcome.finding->memory || protocol_.memory_errors_fail() || !outcome.values);
}

std::vector<LaunchGeometry> Examination::launches_of(const Plan& plan) const {
  std::vector<LaunchGeometry> launches;
  for (const Step& one : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&one)) {
      const PlanKernel& kernel = recording_.kernels[static_cast<std::size_t>(launch->kernel)];
      launches.push_back({kernel.name, launch->grid, launch->block, kernel.options.value("num_warps", 0),
                          known(launch->line)});
    }
  return launches;
}

void Examination::draw(Trial& trial) {
  if (std::exchange(trial.drawn, true)) return;
  const Stopwatch watch(verdict_.spent, Work::draw);
  trial.inputs = draw_inputs(task_, trial.variation, secret_, recording_.seal);
  trial.expected = expect(task_, trial.variation, trial.inputs, protocol_.precision);
}

void Examination::forget(Trial& trial) {
  trial.drawn = false;
  trial.inputs = {};
  trial.expected = {};
}

ReplayResult Examination::carried_out(const Plan& plan, const std::vector<InputData>& inputs,
                                      ReplayOptions options) const {
  // Somebody who never asks whether to go on is ended by the clock, a little later than one who does.
  options.cpu_seconds = std::max(budget_.cpu_left(), 0.1);
  options.wall_seconds = std::max(std::min(2 * options.cpu_seconds + 5, budget_.wall_left()), 0.1);
  const double before = executor_.cpu_seconds();
  ReplayResult result = executor_.replay(plan, inputs, options);
  budget_.use(Work::execute, executor_.cpu_seconds() - before);
  return result;
}

Outcome Examination::examine(Trial& trial) {
  const Plan& plan = recording_.plans[trial.plan];
  Outcome outcome;
  if (plan.error) {
    outcome.finding = ReplayFinding{plan.error->reason, plan.error->message, plan.error->line};
    return outcome;
  }
  if (plan.launches() == 0) {
    outcome.finding = ReplayFinding{"no_kernel", "forward launches no kernel"};
    return outcome;
  }
  const bool runs_on_gpu = protocol_.timing && trial.stage == "full";
  if (protocol_.compile == Protocol::Compile::all)
    if (auto error = compile_plan(trial.plan, runs_on_gpu ? CompileTo::cubin : CompileTo::verdict)) {
      outcome.finding = std::move(error);
      return outcome;
    }
  if (std::exchange(replaced_, false) && !parse_kernels()) return outcome;
  if (const auto wrong = check_form(plan, trial.variation)) {
    outcome.finding = wrong;
    return outcome;
  }
  if (recording_.needs_gpu(plan)) {
    if (protocol_.timing)
      outcome.values = outcome.left_to_gpu = true;
    else
      outcome.finding = ReplayFinding{"needs_gpu", "a CUDA kernel runs on a GPU alone"};
    return outcome;
  }
  if (runs_on_gpu && !protocol_.executor) {
    outcome.values = outcome.left_to_gpu = true;
    return outcome;
  }
  draw(trial);
  const Stopwatch watch(verdict_.spent, Work::execute);
  const std::vector<InputData>& inputs = trial.inputs;
  const Expected& expected = trial.expected;
  ReplayOptions options;
  options.order = order(trial.variation, "order");
  options.cancelled = cancelled_;
  options.threads = threads_;
  if (runs_on_gpu) options.plan_operations = operations_before_gpu;
  options.ways = paths_.ways();
  if (trial.stage == "full") options.turn = paths_.unasked(kernels_launched(plan));
  ReplayResult result = carried_out(plan, inputs, options);
  paths_.add(result);
  if (runs_on_gpu && result.counters.operations >= operations_before_gpu) {
    outcome.left_to_gpu = true;
    if (protocol_.memory_errors_fail()) outcome.finding = check_sampled(plan, trial);
    outcome.values = !outcome.finding || outcome.finding->memory;
    return outcome;
  }
  outcome.counters = result.counters;
  outcome.per_launch = result.per_launch;
  // What a stray read returned may have been swallowed, as maximum(NaN, 0) does, and what a stray
  // write damaged may have been written again: once more with a number and in another order.
  std::optional<ReplayFinding> wrong = judge(plan, result, expected);
  if (!wrong && !result.findings.empty()) {
    options.poison = 0x7B;
    options.order = order(trial.variation, "another order");
    wrong = judge(plan, carried_out(plan, inputs, options), expected);
  }
  if (wrong && wrong->kind == "wrong_values" && result.findings.empty()) {
    explain_values(*wrong, task_, trial.variation, inputs, expected, result.output, protocol_.precision);
    explain_nonfinite(plan, inputs, options, result, expected.values, *wrong);
  }
  if (!wrong) wrong = judge_more_draws(plan, trial, options);
  if (!wrong)
    wrong =
        check_decoy(plan, trial, result.writers, [&](const Plan& part, const std::vector<InputData>& given) {
          return carried_out(part, given, options);
        });
  outcome.values = !wrong;
  // A place in the source says more than a number that is wrong.
  const bool decoy = wrong && wrong->kind == "decoy_kernel";
  outcome.finding = result.findings.empty() || decoy ? wrong : most_telling(result.findings);
  return outcome;
}

std::uint64_t Examination::order(const Variation& variation, const char* purpose) const {
  return input_key(secret_, recording_.seal, variation.label() + "/" + purpose).value | 1;
}

std::optional<ReplayFinding> Examination::check_sampled(const Plan& plan, const Trial& trial) const {
  ReplayOptions options;
  options.sample = order(trial.variation, "sample");
  options.cancelled = cancelled_;
  const ReplayResult sampled = carried_out(plan, trial.inputs, options);
  if (sampled.findings.empty()) return std::nullopt;
  return most_telling(sampled.findings);
}

std::optional<ReplayFinding> Examination::check_form(const Plan& plan, const Variation& variation) const {
  const TensorShape shape = output_shape(task_, variation);
  if (plan.output.shape != shape.extents)
    return ReplayFinding{"wrong_shape",
                         fmt::format("forward returns shape [{}], the task's is [{}]",
                                     fmt::join(plan.output.shape, ", "), fmt::join(shape.extents, ", "))};
  if (name(plan.output.type) != (shape.dtype == "bool" ? "i1" : shape.dtype))
    return ReplayFinding{"wrong_dtype", fmt::format("forward returns {}, the task's output is {}",
                                                    name(plan.output.type), shape.dtype)};
  return std::nullopt;
}

bool Examination::task_says_something() {
  if (!protocol_.strict) return true;
  const Stopwatch watch(verdict_.spent, Work::draw);
  const std::string trivial = passing_answer(task_, protocol_.variations, protocol_.precision);
  if (trivial.empty() && verdict_.no_evidence.size() < protocol_.variations.size()) return true;
  if (trivial.empty())
    return fail("full", "degenerate_task",
                "the task says nothing of a kernel: each variation is passed by some trivial answer");
  return fail("full", "degenerate_task",
              fmt::format("the task says nothing of a kernel: no variation refuses the trivial answer \"{}\"",
                          trivial));
}

std::optional<ReplayFinding> Examination::judge_more_draws(const Plan& plan, const Trial& trial,
                                                           const ReplayOptions& options) const {
  for (int draw = 1; draw < draws(task_, trial.variation); ++draw) {
    const std::vector<InputData> inputs = draw_inputs(task_, trial.variation, secret_, recording_.seal, draw);
    const Expected expected = expect(task_, trial.variation, inputs, protocol_.precision);
    const ReplayResult result = carried_out(plan, inputs, options);
    if (auto wrong = judge(plan, result, expected)) {
      explain_values(*wrong, task_, trial.variation, inputs, expected, result.output, protocol_.precision);
      return wrong;
    }
  }
  return std::nullopt;
}

std::optional<ReplayFinding> Examination::judge(const Plan& plan, const ReplayResult& result,
                                                const Expected& expected) const {
  for (const ReplayFinding& finding : result.findings)
    if (!finding.memory) return finding;
  std::size_t wrong = 0, first = 0, unwritten = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    unwritten += result.writers[i] == Writer::nobody;
    if (expected.accepts(i, result.output[i]) && result.writers[i] != Writer::nobody) continue;
    if (wrong++ == 0) first = i;
  }
  if (wrong == 0) return std::nullopt;
  if (unwritten > 0)
    return ReplayFinding{"unwritten_output",
                         fmt::format("{} of {} output values are never written, the first at {}", unwritten,
                                     expected.size(), where(first, plan.output.shape))};
  return ReplayFinding{"wrong_values",
                       fmt::format("{} of {} values are wrong; at {} it is {} instead of {}", wrong,
                                   expected.size(), where(first, plan.output.shape),
                                   text_of(result.output[first]), text_of(expected.values[first]))};
}

void Examination::explain_nonfinite(const Plan& plan, const std::vector<InputData>& inputs,
                                    ReplayOptions options, const ReplayResult& result,
                                    const std::vector<double>& expected, ReplayFinding& wrong) const {
  constexpr std::uint64_t most_operations = 100'000'000;
  if (result.counters.operations > most_operations) return;
  std::size_t at = 0;
  while (at < expected.size() && (std::isfinite(result.output[at]) || !std::isfinite(expected[at]))) ++at;
  if (at == expected.size()) return;
  options.explain = at;
  const std::vector<OriginStep> steps = carried_out(plan, inputs, options).origin;
  if (steps.empty()) return;
  wrong.message += fmt::format("; the {} at {} ", text_of(result.output[at]), where(at, plan.output.shape));
  for (std::size_t i = 0; i < steps.size(); ++i)
    wrong.message +=
        fmt::format("{} line {}: {}", i == 0 ? "comes from" : ", this from", steps[i].line, steps[i].what);
  if (wrong.line == 0) wrong.line = steps.front().line;
}

}  // namespace trl::runtime
