#include "verifier/examination/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "verifier/compare/wrong_values.hpp"
#include "verifier/examination/choices.hpp"
#include "verifier/examination/decoy.hpp"
#include "verifier/examination/epilogue.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/examination/modelled_time.hpp"
#include "verifier/executor/values/lowering.hpp"

namespace trl::runtime {
namespace {

// The number of operations that the executor carries out, in about a second, before it leaves a plan of full
// sizes to the GPU.
constexpr std::uint64_t operations_before_gpu = 200'000'000;

// "batch 16, dim 1024"
std::string sizes_text(const Task& task, const Variation& variation) {
  const Sizes at = sizes(task, variation);
  std::string text;
  for (const auto& [name, own] : task.dims)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, at.at(name));
  return text;
}

}  // namespace

std::optional<ReplayFinding> ExecutorTestCases::parse() {
  candidate_.relaunched = false;
  unfilled_tried_ = false;
  progress_.verdict.masked_without_other = 0;
  // A GPU may also run the alternatives of autotuned kernels.
  const bool alternatives = question_.protocol.timing.has_value();
  std::optional<ReplayFinding> error = execution_.parse(candidate_.recording, alternatives);
  if (error) progress_.fail_step(question_.protocol.tiny ? "tiny" : "full", *error);
  return error;
}

bool ExecutorTestCases::try_all(TestCases& test_cases) {
  Verdict& verdict = progress_.verdict;
  const Protocol& protocol = question_.protocol;
  bool timed = false;
  alone_ = test_cases.all.size() == 1;
  ExaminedStep* step_of = &progress_.step(test_cases.first_stage());
  for (TestCase& test_case : test_cases.all) {
    ExaminedStep& now = *step_of++;
    now.launches = launches_of(candidate_.recording, candidate_.recording.plans[test_case.plan], progress_);
    if (!progress_.affords(now, test_case.stage)) {
      verdict.variation = test_case.variation.label();
      return false;
    }
    const Outcome outcome = examine(test_case);
    test_case.executed = !outcome.left_to_gpu;
    if (!runs_on_gpu(test_case)) test_case.forget();
    if (progress_.cancelled && progress_.cancelled()) throw Cancelled();
    take(test_case, outcome, now);
    if (!outcome.values) return false;
    if (test_case.stage == "tiny" && verdict.failed.empty()) verdict.tiny = true;
    if (test_case.stage == "full" && test_case.executed && !timed) {
      timed = true;
      verdict.counters = outcome.per_launch;
      verdict.time_us = modelled_time_us(verdict.counters, protocol.gpu);
      verdict.reference_us = modelled_reference_us(question_.task, test_case.variation, protocol.gpu);
    }
  }
  return true;
}

void ExecutorTestCases::take(const TestCase& test_case, const Outcome& outcome, ExaminedStep& now) {
  Verdict& verdict = progress_.verdict;
  if (outcome.finding)
    progress_.note(now, fails(outcome) ? ExaminedStep::Outcome::failed : ExaminedStep::Outcome::passed,
                   *outcome.finding);
  else
    passed(now);
  if (test_case.smaller() && now.message.empty())
    now.message = fmt::format("at {}, since its own sizes are too large for the CPU",
                              sizes_text(question_.task, test_case.variation));
  if (!fails(outcome) || !verdict.failed.empty()) return;
  progress_.fail(test_case.stage, *outcome.finding);
  verdict.variation = test_case.variation.label();
  const std::optional<PlanError>& error = candidate_.recording.plans[test_case.plan].error;
  verdict.claimed = error && error->claimed;
  if (test_case.stage == "tiny") verdict.tiny = false;
}

bool ExecutorTestCases::try_stretched(TestCases& test_cases) {
  if (!question_.protocol.executor) return true;
  for (TestCases::Stretched& stretched : test_cases.stretched) {
    ExaminedStep& now = progress_.step_on(stretched.sizes.front().variation);
    if (!progress_.affords(now, "full")) {
      progress_.verdict.variation = now.variation;
      return false;
    }
    for (TestCase& test_case : stretched.sizes) {
      now.launches = launches_of(candidate_.recording, candidate_.recording.plans[test_case.plan], progress_);
      std::optional<Outcome> outcome = examine_stretched(test_case, now);
      test_case.forget();
      if (progress_.cancelled && progress_.cancelled()) throw Cancelled();
      if (!outcome) continue;
      if (outcome->finding)
        outcome->finding->message +=
            fmt::format(", where {} is {}, several blocks long", stretched.dim,
                        sizes(question_.task, test_case.variation).at(stretched.dim));
      if (!now.message.empty())
        now.message = fmt::format("at {}: {}", test_case.variation.label(), now.message);
      take(test_case, *outcome, now);
      if (!outcome->values) return false;
      break;
    }
  }
  return true;
}

std::optional<Outcome> ExecutorTestCases::examine_stretched(TestCase& test_case, ExaminedStep& now) {
  // A quarter of this limit would accept wrong convolutions whose mistake needs a second block.
  constexpr std::uint64_t most_operations = std::uint64_t{1} << 29;
  const Plan& plan = candidate_.recording.plans[test_case.plan];
  const auto leave = [&](const std::string& why) {
    if (now.message.empty()) now.message = "not judged at longer sizes: " + why;
    return std::nullopt;
  };
  Outcome outcome;
  if (plan.error) {
    // A candidate may fail with these reasons because of the size: a wrapper may refuse it, and a wrapper
    // that loops over a dimension, or squares it, may need more than a plan can have.
    constexpr std::array<std::string_view, 5> of_sizes = {"exception", "compile_error", "unsupported",
                                                          "too_large", "bad_plan"};
    if (std::count(of_sizes.begin(), of_sizes.end(), plan.error->reason) > 0)
      return leave(plan.error->message);
    outcome.finding = ReplayFinding{plan.error->reason, plan.error->message, plan.error->line};
  } else if (plan.own_launches() == 0) {
    outcome.finding = ReplayFinding{"no_kernel", "forward launches no kernel"};
  } else {
    outcome.finding = check_form(plan, question_.task, test_case.variation);
  }
  if (outcome.finding) return outcome;
  if (candidate_.recording.needs_gpu(plan)) return leave("a CUDA kernel runs on a GPU alone");
  const std::string& commitment = candidate_.recording.commitment;
  test_case.draw(question_, commitment, progress_.verdict.timings);
  // At long dimensions, formulas such as x · 2^k reach an infinity where other correct formulas don't.
  if (!std::all_of(test_case.expected.values.begin(), test_case.expected.values.end(),
                   [](double value) { return std::isfinite(value); }))
    return leave("the task's own formula has no finite value there");
  const Stopwatch watch(progress_.verdict.timings, Work::execute);
  ReplayOptions options =
      execution_.options(program_order(question_, commitment, test_case.variation, "order"), question_.task,
                         test_case.variation);
  options.plan_operations = most_operations;
  const ReplayResult result = execution_.replay(plan, test_case.inputs, options);
  for (const ReplayFinding& finding : result.findings)
    if (finding.kind == "timeout" || finding.kind == "unsupported") return leave(finding.message);
  const std::optional<ReplayFinding> wrong = judge_drawn(plan, test_case, result, options);
  outcome.values = !wrong;
  outcome.finding = result.findings.empty() ? wrong : most_telling(result.findings);
  return outcome;
}

bool ExecutorTestCases::fails(const Outcome& outcome) const {
  return outcome.finding &&
         (!outcome.finding->memory || question_.protocol.memory_errors_fail() || !outcome.values);
}

bool ExecutorTestCases::runs_on_gpu(const TestCase& test_case) const {
  return question_.protocol.timing && test_case.stage == "full";
}

Outcome ExecutorTestCases::examine(TestCase& test_case) {
  const Protocol& protocol = question_.protocol;
  const Plan& plan = candidate_.recording.plans[test_case.plan];
  Outcome outcome;
  if (plan.error)
    outcome.finding = ReplayFinding{plan.error->reason, plan.error->message, plan.error->line};
  else if (plan.own_launches() == 0)
    outcome.finding = ReplayFinding{"no_kernel", "forward launches no kernel"};
  else if (protocol.compile == Protocol::Compile::all)
    outcome.finding = compiler_.compile_plan(candidate_, test_case.plan,
                                             runs_on_gpu(test_case) ? CompileTo::cubin : CompileTo::verdict);
  if (outcome.finding) return outcome;
  if (candidate_.relaunched) outcome.finding = parse();
  if (!outcome.finding) outcome.finding = check_form(plan, question_.task, test_case.variation);
  if (outcome.finding) return outcome;
  const bool needs_gpu = candidate_.recording.needs_gpu(plan);
  if (runs_on_gpu(test_case) && oversized(question_.task, test_case.variation, protocol.held_bytes))
    outcome.values = outcome.left_to_gpu = true;
  else if (needs_gpu && !protocol.timing)
    outcome.finding = ReplayFinding{"needs_gpu", "a CUDA kernel runs on a GPU alone"};
  else if (needs_gpu || (runs_on_gpu(test_case) && !protocol.executor))
    outcome.values = outcome.left_to_gpu = true;
  else
    replay(test_case, plan, outcome);
  return outcome;
}

void ExecutorTestCases::replay(TestCase& test_case, const Plan& plan, Outcome& outcome) {
  const std::string& commitment = candidate_.recording.commitment;
  test_case.draw(question_, commitment, progress_.verdict.timings);
  const Stopwatch watch(progress_.verdict.timings, Work::execute);
  ReplayOptions options =
      execution_.options(program_order(question_, commitment, test_case.variation, "order"), question_.task,
                         test_case.variation);
  if (runs_on_gpu(test_case)) options.plan_operations = operations_before_gpu;
  options.ways = execution_.paths.ways();
  if (test_case.stage == "full") options.turn = execution_.paths.unasked(kernels_launched(plan));
  const ReplayResult result = execution_.replay(plan, test_case.inputs, options);
  execution_.paths.add(result);
  if (runs_on_gpu(test_case) && result.counters.operations >= operations_before_gpu) {
    outcome.left_to_gpu = true;
    if (question_.protocol.memory_errors_fail()) outcome.finding = check_sampled(plan, test_case);
    outcome.values = !outcome.finding || outcome.finding->memory;
    return;
  }
  outcome.per_launch = result.per_launch;
  std::optional<ReplayFinding> wrong = judge(plan, test_case, result, options);
  if (!wrong && test_case.stage == "full")
    wrong = check_against_kernels(candidate_.recording, plan, result.per_launch);
  outcome.values = !wrong;
  if (!wrong && test_case.stage == "full" && !progress_.verdict.time_us && !runs_on_gpu(test_case))
    replay_by_clock(plan, test_case, outcome.per_launch);
  if (!wrong && result.findings.empty()) note_unfilled(plan, test_case, result, options);
  // A finding with a line of the source is more useful than a wrong number.
  const bool decoy = wrong && (wrong->kind == "decoy_kernel" || wrong->kind == "framework_compute");
  outcome.finding = result.findings.empty() || decoy ? wrong : most_telling(result.findings);
}

std::optional<ReplayFinding> ExecutorTestCases::judge(const Plan& plan, const TestCase& test_case,
                                                      const ReplayResult& result, ReplayOptions options) {
  const Task& task = question_.task;
  const std::string& commitment = candidate_.recording.commitment;
  const auto judged = [&](const std::vector<InputData>& inputs, const Expected& expected,
                          const ReplayResult& replayed) {
    return judge_replay({plan, inputs, expected, options, replayed}, execution_, progress_.lines);
  };
  std::optional<ReplayFinding> wrong = judge_drawn(plan, test_case, result, options);
  // Replays in a second order, if no other test case does.
  if (!wrong && alone_ && result.counters.orders > 0) {
    ReplayOptions other = options;
    other.lowering ^= executor::Lowering::contraction | executor::Lowering::several_registers;
    wrong = judge_replay(
        {plan, test_case.inputs, test_case.expected, other, execution_.replay(plan, test_case.inputs, other)},
        execution_, progress_.lines);
  }
  if (wrong) return wrong;
  wrong = judge_more_draws(question_, commitment, test_case.variation,
                           [&](const std::vector<InputData>& inputs, const Expected& expected) {
                             const ReplayResult drawn = execution_.replay(plan, inputs, options);
                             std::optional<ReplayFinding> bad = judged(inputs, expected, drawn);
                             if (bad && bad->kind == "wrong_values")
                               explain_values(*bad, task, test_case.variation, inputs, expected, drawn.output,
                                              question_.protocol.precision);
                             return bad;
                           });
  if (wrong) return wrong;
  return find_decoy(
      question_, plan, test_case, result.writers,
      [&](const Plan& part, const std::vector<InputData>& given) {
        return execution_.replay(part, given, options);
      },
      progress_.cancelled);
}

std::optional<ReplayFinding> ExecutorTestCases::judge_drawn(const Plan& plan, const TestCase& test_case,
                                                            const ReplayResult& result,
                                                            ReplayOptions options) {
  std::optional<ReplayFinding> wrong = judge_replay(
      {plan, test_case.inputs, test_case.expected, options, result}, execution_, progress_.lines);
  // The result of a stray read may be hidden, as maximum(NaN, 0) hides a NaN, and a race may have ended well
  // by chance. So the plan is replayed again with a number as poison and with its programs in turns.
  if (!wrong && !result.findings.empty()) {
    options.poison = 0x7B;
    options.interleaved = true;
    wrong = judge_values(plan, execution_.replay(plan, test_case.inputs, options), test_case.expected);
  }
  if (wrong && wrong->kind == "wrong_values" && result.findings.empty()) {
    explain_values(*wrong, question_.task, test_case.variation, test_case.inputs, test_case.expected,
                   result.output, question_.protocol.precision);
    explain_nonfinite(plan, test_case, options, result, *wrong);
  }
  return wrong;
}

void ExecutorTestCases::note_unfilled(const Plan& plan, const TestCase& test_case, const ReplayResult& result,
                                      ReplayOptions options) {
  if (result.counters.unfilled_loads == 0 || std::exchange(unfilled_tried_, true)) return;
  options.turn.clear();
  options.ways.reset();
  // A large index or bound must not make this trial much longer than the replay before it.
  options.plan_operations = 2 * result.counters.operations;
  // As floats, these bytes are NaN, a large number, and a number far below zero. Each of them can be hidden
  // by some function.
  for (const std::uint8_t unfilled : {0xFF, 0x7B, 0xFB}) {
    options.unfilled = unfilled;
    const ReplayResult other = execution_.replay(plan, test_case.inputs, options);
    if (other.findings.empty() && !judge_values(plan, other, test_case.expected)) continue;
    progress_.verdict.masked_without_other = static_cast<std::int64_t>(result.counters.unfilled_loads);
    return;
  }
}

void ExecutorTestCases::replay_by_clock(const Plan& plan, const TestCase& test_case,
                                        std::vector<executor::Counters>& per_launch) {
  if (std::none_of(per_launch.begin(), per_launch.end(), [](const auto& launch) { return launch.asks > 0; }))
    return;
  ReplayOptions options = execution_.options(0, question_.task, test_case.variation);
  options.by_clock = true;
  ReplayResult timed = execution_.replay(plan, test_case.inputs, options);
  if (timed.per_launch.size() == per_launch.size()) per_launch = std::move(timed.per_launch);
}

std::optional<ReplayFinding> ExecutorTestCases::check_sampled(const Plan& plan, const TestCase& test_case) {
  ReplayOptions options;
  options.sample = program_order(question_, candidate_.recording.commitment, test_case.variation, "sample");
  options.cancelled = progress_.cancelled;
  const ReplayResult sampled = execution_.replay(plan, test_case.inputs, options);
  if (sampled.findings.empty()) return std::nullopt;
  return most_telling(sampled.findings);
}

void ExecutorTestCases::explain_nonfinite(const Plan& plan, const TestCase& test_case, ReplayOptions options,
                                          const ReplayResult& result, ReplayFinding& wrong) {
  constexpr std::uint64_t most_operations = 100'000'000;
  if (result.counters.operations > most_operations) return;
  const std::vector<double>& expected = test_case.expected.values;
  std::size_t at = 0;
  while (at < expected.size() && (std::isfinite(result.output[at]) || !std::isfinite(expected[at]))) ++at;
  if (at == expected.size()) return;
  options.explain = at;
  const std::vector<OriginStep> steps = execution_.replay(plan, test_case.inputs, options).origin;
  if (steps.empty()) return;
  wrong.message += fmt::format("; the {} at {} ", text_of(result.output[at]), plan.place_of(at));
  for (std::size_t i = 0; i < steps.size(); ++i)
    wrong.message +=
        fmt::format("{} line {}: {}", i == 0 ? "comes from" : ", this from", steps[i].line, steps[i].what);
  if (wrong.line == 0) wrong.line = steps.front().line;
}

}  // namespace trl::runtime
