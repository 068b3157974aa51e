// A candidate's values on inputs that make its kernels decide otherwise than drawn ones do.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/verify/examination/examination.hpp"
#include "runtime/verify/examination/words.hpp"
#include "runtime/verify/inputs/inputs.hpp"
#include "runtime/verify/plan/seal.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

// For one plan on directed inputs: replays, and operations of all of them together.
constexpr int most_directed = 12;
constexpr std::uint64_t most_directed_operations = 400'000'000;

// Whether the reference is defined throughout, finite in the output's dtype, and PyTorch's own f32 comes near
// it: else a right kernel could be wrong there.
bool says_something(const Expected& expected) {
  return expected.demanded() == expected.size() &&
         std::all_of(expected.values.begin(), expected.values.end(),
                     [&](double value) { return std::abs(value) <= expected.largest; });
}

}  // namespace

std::vector<int> Examination::kernels_launched(const Plan& plan) {
  std::vector<int> kernels;
  for (const Step& one : plan.steps)
    if (const auto* launch = std::get_if<LaunchStep>(&one)) kernels.push_back(launch->kernel);
  std::sort(kernels.begin(), kernels.end());
  kernels.erase(std::unique(kernels.begin(), kernels.end()), kernels.end());
  return kernels;
}

bool Examination::try_directed() {
  ExaminedStep& now = *std::find_if(steps_.begin(), steps_.end(),
                                    [](const ExaminedStep& one) { return one.variation == directed_label; });
  std::set<std::size_t> plans;
  bool looked = false;
  for (const Trial& trial : trials_) {
    const Plan& plan = recording_.plans[trial.plan];
    if (trial.stage != "full" || !trial.executed || recording_.needs_gpu(plan)) continue;
    looked = true;
    if (!plans.insert(trial.plan).second) continue;
    const std::optional<ReplayFinding> wrong = direct(trial, plan);
    if (cancelled_ && cancelled_()) throw Cancelled();
    if (!wrong) continue;
    const bool values = wrong->memory;
    const bool fails = !values || protocol_.memory_errors_fail();
    note(now, fails ? Outcomes::failed : Outcomes::passed, *wrong);
    if (fails && verdict_.failed.empty()) {
      now.launches = launches_of(plan);
      fail("full", wrong->kind, wrong->message, wrong->line);
      verdict_.variation = directed_label;
    }
    if (!values) return false;
  }
  if (looked && now.outcome == Outcomes::skipped) passed(now);
  if (looked && protocol_.strict) verdict_.paths = paths_.to_json();
  return true;
}

std::optional<ReplayFinding> Examination::direct(const Trial& trial, const Plan& plan) {
  const std::vector<int> kernels = kernels_launched(plan);
  if (std::none_of(kernels.begin(), kernels.end(), [&](int kernel) { return paths_.open(kernel); }))
    return std::nullopt;
  Direction direction(task_, trial.variation, draw_inputs(task_, trial.variation, secret_, recording_.seal),
                      kernels, input_key(secret_, recording_.seal, trial.variation.label() + "/directed"),
                      protocol_.strict);
  std::uint64_t operations = 0;
  for (int number = 0; number < most_directed && operations < most_directed_operations; ++number) {
    const auto directed = direction.next(paths_);
    if (!directed) break;
    Stopwatch watch(verdict_.spent, Work::execute);
    const Expected expected = expect(task_, trial.variation, directed->inputs, protocol_.precision);
    if (!says_something(expected)) {
      direction.refused();
      continue;
    }
    ReplayOptions options;
    options.order = order(trial.variation, "directed order");
    options.cancelled = cancelled_;
    options.threads = threads_;
    options.ways = paths_.ways();
    const ReplayResult result = carried_out(plan, directed->inputs, options);
    operations += result.counters.operations;
    const PathCoverage before = paths_;
    paths_.add(result, true);
    auto wrong = judge(plan, result, expected);
    if (!wrong && !result.findings.empty()) return most_telling(result.findings);
    if (wrong) return explained(*wrong, *directed, trial, plan, result, expected.values, before);
  }
  return std::nullopt;
}

ReplayFinding Examination::explained(ReplayFinding wrong, const DirectedInputs& directed, const Trial& trial,
                                     const Plan& plan, const ReplayResult& result,
                                     const std::vector<double>& expected, const PathCoverage& before) const {
  const std::vector<TensorShape> shapes = input_shapes(task_, trial.variation);
  const KernelDecision* decision = paths_.turned_since(before);
  std::string how = directed.how;
  if (!directed.planted.empty()) {
    // Where outputs lie as inputs do, the planted value behind the largest error is to blame.
    const Planted* blamed = &directed.planted.front();
    double worst = -1;
    for (const Planted& one : directed.planted) {
      const KernelDecision* turned = paths_.decision(one.kernel, one.decision);
      if (shapes[one.input].extents != plan.output.shape || turned == nullptr) continue;
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

}  // namespace trl::runtime
