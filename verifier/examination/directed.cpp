#include "verifier/examination/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "verifier/examination/choices.hpp"
#include "verifier/examination/examination.hpp"
#include "verifier/examination/judge.hpp"
#include "verifier/examination/recorded.hpp"
#include "verifier/inputs/directed_inputs.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/plan/commitment.hpp"

namespace trl::runtime {
namespace {

// The most replays of one plan on directed inputs.
constexpr int most_directed = 12;

// Whether the reference is defined for every element, finite in the output's dtype, and close to PyTorch's
// own f32. Otherwise a correct kernel could be judged wrong.
bool says_something(const Expected& expected) {
  if (expected.demanded() != expected.size()) return false;
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(std::abs(expected.values[i]) <= expected.largest_at(i))) return false;
  return true;
}

// Returns a finding with its cause added to the message: "where x is -9.5 at [3, 7], a decision that drawn
// inputs always take the same way goes wrong …". `shapes` are the inputs' shapes; `before` has the paths that
// were known before this replay.
ReplayFinding explained(ReplayFinding wrong, const DirectedInputs& directed,
                        const std::vector<TensorShape>& shapes, const Plan& plan, const ReplayResult& result,
                        const std::vector<double>& expected, const PathCoverage& paths,
                        const PathCoverage& before) {
  const KernelDecision* decision = paths.turned_since(before);
  std::string how = directed.how;
  if (!directed.planted.empty()) {
    // If the output has the shape of an input, the planted value with the largest error at its place is the
    // cause.
    const Planted* blamed = &directed.planted.front();
    double worst = -1;
    for (const Planted& one : directed.planted) {
      const KernelDecision* turned = paths.decision(one.kernel, one.decision);
      if (plan.outputs.size() != 1 || shapes[one.input].extents != plan.outputs[0].shape || turned == nullptr)
        continue;
      const double error = std::abs(result.output[one.element] - expected[one.element]);
      if (std::isnan(error) || error > worst) {
        worst = std::isnan(error) ? worst : error;
        blamed = &one;
        decision = turned;
      }
    }
    how = fmt::format("{} is {} at {}", shapes[blamed->input].name, text_of(blamed->value),
                      where(blamed->element, shapes[blamed->input].extents));
  }
  if (decision != nullptr) {
    wrong.message = fmt::format(
        "where {}, a decision that drawn inputs always take the same way goes wrong "
        "({}{}): {}",
        how, decision->what, decision->line > 0 ? fmt::format(" at line {}", decision->line) : "",
        wrong.message);
    if (wrong.line == 0) wrong.line = decision->line;
  } else {
    wrong.message = fmt::format("where {}: {}", how, wrong.message);
  }
  return wrong;
}

// The result of replaying a test case's plan on directed inputs.
struct Directed {
  std::optional<ReplayFinding> wrong;
  bool ended = true;  // whether it took no more operations than the protocol allows
};

Directed direct(const Question& question, const TestCase& test_case, const Recording& recording,
                Execution& execution, Progress& progress) {
  const auto& [task, protocol, secret, own_module] = question;
  const Plan& plan = recording.plans[test_case.plan];
  PathCoverage& paths = execution.paths;
  const std::vector<int> kernels = kernels_launched(plan);
  if (std::none_of(kernels.begin(), kernels.end(), [&](int kernel) { return paths.open(kernel); })) return {};
  Direction direction(task, test_case.variation,
                      draw_inputs(task, test_case.variation, secret, recording.commitment), kernels,
                      input_key(secret, recording.commitment, test_case.variation.label() + "/directed"),
                      protocol.strict);
  std::uint64_t operations = 0;
  for (int number = 0; number < most_directed && operations < protocol.directed_operations; ++number) {
    auto directed = direction.next(paths);
    if (!directed) return {};
    if (test_case.stage == "tiny")
      directed->how += fmt::format(" and its tensors small ({})", test_case.variation.label());
    const Stopwatch watch(progress.verdict.timings, Work::execute);
    const Expected expected = expect(task, test_case.variation, directed->inputs, protocol.precision);
    if (!says_something(expected)) {
      direction.refused();
      continue;
    }
    ReplayOptions options = execution.options(
        program_order(question, recording.commitment, test_case.variation, "directed order"), task,
        test_case.variation);
    options.ways = paths.ways();
    const ReplayResult result = execution.replay(plan, directed->inputs, options);
    operations += result.counters.operations;
    const PathCoverage before = paths;
    paths.add(result, true);
    auto wrong = judge_replay({plan, directed->inputs, expected, options, result}, execution, progress.lines);
    if (!wrong && !result.findings.empty()) return {most_telling(result.findings)};
    if (wrong)
      return {explained(*wrong, *directed, input_shapes(task, test_case.variation), plan, result,
                        expected.values, paths, before)};
  }
  return {std::nullopt, operations < protocol.directed_operations};
}

}  // namespace

bool try_directed(const Question& question, const TestCases& test_cases, const Recording& recording,
                  Execution& execution, Progress& progress) {
  Verdict& verdict = progress.verdict;
  ExaminedStep& now = *std::find_if(progress.steps.begin(), progress.steps.end(),
                                    [](const ExaminedStep& one) { return one.variation == directed_label; });
  std::set<std::size_t> plans;
  bool looked = false, ended = true;
  const auto right = [&](const TestCase& test_case) {
    looked = true;
    if (!plans.insert(test_case.plan).second) return true;
    const Plan& plan = recording.plans[test_case.plan];
    const auto [wrong, all] = direct(question, test_case, recording, execution, progress);
    ended = ended && all;
    if (progress.cancelled && progress.cancelled()) throw Cancelled();
    if (!wrong) return true;
    const bool values = wrong->memory;
    const bool fails = !values || question.protocol.memory_errors_fail();
    progress.note(now, fails ? ExaminedStep::Outcome::failed : ExaminedStep::Outcome::passed, *wrong);
    if (fails && verdict.failed.empty()) {
      now.launches = launches_of(recording, plan, progress);
      progress.fail("full", *wrong);
      verdict.variation = directed_label;
    }
    return values;
  };
  const auto all_right = [&](const char* stage) {
    return std::all_of(test_cases.all.begin(), test_cases.all.end(), [&](const TestCase& one) {
      return one.stage != stage || !one.executed || recording.needs_gpu(recording.plans[one.plan]) ||
             right(one);
    });
  };
  if (!all_right("full")) return false;
  // Large tensors leave the executor few replays, or none: decisions that are still open are tried at small
  // sizes.
  if ((!looked || !ended) && question.protocol.strict && !all_right("tiny")) return false;
  if (looked && now.outcome == ExaminedStep::Outcome::skipped) passed(now);
  if (looked && question.protocol.strict) verdict.paths = execution.paths.to_json();
  return true;
}

}  // namespace trl::runtime
