#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "language/check/inspection.hpp"
#include "language/check/undefined.hpp"

namespace trl::language {
DECLARE_RULE(reward_range)
namespace {

/// The reward of plan tokens needn't lie in [0, 1], but it must always have a value.
void examine_plan_reward(Inspection& inspection, const Resolved& train) {
  const Value* reward = train.field("plan_reward");
  if (reward == nullptr || !reward->is(Value::Kind::formula)) return;
  const formulas::Ranges ranges = ranges_of(*reward, inspection.schema, train);
  if (!zero_denominators(reward->formula, ranges).empty()) return;
  constexpr double most = std::numeric_limits<double>::max();
  const formulas::Proof proof = prove_within(reward->formula, ranges, -most, most);
  if (proof.no_value.empty()) return;
  auto d = found(rules::reward_range, reward->range,
                 fmt::format("the reward of plans can have no value: {}, for {}", proof.no_value,
                             record_text(proof.witness)));
  if (proof.undefined) d.helped(remedy_of_undefined(*proof.undefined));
  inspection.report(std::move(d), {&train});
}

/// Looks for a `max(x, k)` whose replacement by `min(x, k)` keeps the formula in [0, 1]: the two are easily
/// confused. A `max` with a number below 1 is meant as a least reward, so it gets the missing upper bound,
/// `min(max(x, k), 1)`. Returns the old and the new text; two empty texts if there is no such `max`.
std::pair<std::string, std::string> minimum_meant(const formulas::Expression& whole,
                                                  const formulas::Ranges& ranges) {
  std::vector<const formulas::Expression*> calls;
  const std::function<void(const formulas::Expression&)> collect = [&](const formulas::Expression& e) {
    const auto* call = e.as<formulas::Call>();
    if (call != nullptr && call->function == "max" && call->arguments.size() == 2) calls.push_back(&e);
    formulas::each_part(e.node(), collect);
  };
  collect(whole);
  for (const auto* one : calls) {
    const nlohmann::json written = without_places(*one).write();
    nlohmann::json smaller = written;
    smaller.at("call") = "min";
    const auto& arguments = one->as<formulas::Call>()->arguments;
    if (std::any_of(arguments.begin(), arguments.end(), [](const formulas::Expression& argument) {
          const auto* number = argument.as<formulas::Number>();
          return number != nullptr && number->value < 1;
        }))
      smaller.at("args") = {written, 1};
    const std::function<void(nlohmann::json&)> exchange = [&](nlohmann::json& part) {
      if (part == written)
        part = smaller;
      else if (part.is_structured())
        for (auto& inner : part) exchange(inner);
    };
    nlohmann::json changed = without_places(whole).write();
    exchange(changed);
    if (prove_within(formulas::Expression::read(changed), ranges, 0, 1).verdict ==
        formulas::Proof::Verdict::Proven)
      return {formula_text(*one), formula_text(formulas::Expression::read(smaller))};
  }
  return {};
}

/// What to write for the whole reward, `if c.correct then min(log(max(c.speedup, 0.01)), 1) else 0`, so that
/// it is within its range at once; empty if clamps alone don't do.
std::string rewritten(const Value& reward, const formulas::Ranges& ranges) {
  constexpr std::size_t longest = 200;
  const auto kept = kept_in_range(reward.formula, ranges);
  const std::string text = kept ? formula_text(*kept) : "";
  return text.size() > longest ? "" : text;
}

/// The reward divided by the scale that it is on, 100 points; empty if it isn't within its range then.
std::string divided(const Value& reward, const formulas::Ranges& ranges, double scale) {
  const formulas::Expression by = formulas::Node{formulas::Number{scale, scale == std::floor(scale)}};
  const formulas::Expression whole =
      formulas::Node{formulas::Binary{formulas::Operator::divided, without_places(reward.formula), by}};
  return prove_within(whole, ranges, 0, 1).verdict == formulas::Proof::Verdict::Proven ? formula_text(whole)
                                                                                       : "";
}

/// Returns advice for a reward that has `value`, which is outside [0, 1]. For a reward on another scale, such
/// as one of 100 points, it also advises division, since clamping would make all good answers equal.
/// `instead` is the formula to write in place of the reward, empty if there is none; it is replaced or
/// emptied if the advice is another one.
std::string remedy_of_range(const Value& reward, const formulas::Ranges& ranges, double value,
                            std::string& instead) {
  const std::string clamp = instead.empty() ? value < 0 ? "clamp it: `max(…, 0)`" : "clamp it: `min(…, 1)`"
                                            : "clamp it: `" + instead + "`";
  if (value < 0) return clamp;
  // A time has no upper bound: whatever number it is divided by, some kernels get almost no reward.
  const std::string text = formula_text(reward.formula), time = reward.parameters.front() + ".time";
  if (text.find("/ " + time) != text.npos) {
    instead.clear();
    return fmt::format(
        "`{0}` is in microseconds and as long as its task is large: reward `{1}.speedup`, the "
        "reference's time over it, as `min({1}.speedup / 2, 1)`",
        time, reward.parameters.front());
  }
  constexpr double largest_scale = 1000;
  const double most = bound(reward.formula, ranges).high;
  if (!(most <= largest_scale)) return clamp;
  const double scale = most > 10 ? std::pow(10, std::ceil(std::log10(most) - 1e-9)) : most;
  // A scale that somebody meant is a round number, which ordinary speedups reach: the root of a speedup has
  // none.
  formulas::Ranges ordinary = ranges;
  constexpr double fast = 4;
  for (const std::string& parameter : reward.parameters)
    if (const auto speedup = ordinary.values.find(parameter + ".speedup"); speedup != ordinary.values.end())
      speedup->second.interval.high = fast;
  if (most != std::round(most) || 2 * bound(reward.formula, ordinary).high < most) return clamp;
  if (const std::string whole = divided(reward, ranges, scale); !whole.empty()) {
    std::string out = fmt::format(
        "rewards go from 0 to 1, and this one to {0:.6g}: write `{1}`, so that {0:.6g} becomes {2:.6g}; or "
        "{3}",
        most, whole, most / scale, clamp);
    instead = whole;
    return out;
  }
  return fmt::format(
      "rewards go from 0 to 1, and this one to {0:.6g}: divide by {1:.6g} what is on that scale, so "
      "that {0:.6g} becomes {2:.6g}; or {3}",
      most, scale, most / scale, clamp);
}

void check_reward_range(Inspection& inspection) {
  using Verdict = formulas::Proof::Verdict;
  for (const auto& stage : inspection.stages()) {
    examine_plan_reward(inspection, *stage.train);
    const Value* reward = stage.train->field("reward");
    if (reward == nullptr || !reward->is(Value::Kind::formula)) continue;
    if (!zero_denominators(reward->formula, ranges_of(*reward, inspection.schema, *stage.train)).empty())
      continue;  // another rule reports that
    const formulas::Proof proof =
        prove_within(reward->formula, ranges_of(*reward, inspection.schema, *stage.train), 0, 1);
    if (proof.verdict == Verdict::Proven) continue;
    const bool refuted = proof.verdict == Verdict::Refuted;
    const bool outside = refuted && proof.no_value.empty();
    std::string message = "the reward is not proven to stay in [0, 1]";
    if (outside)
      message = fmt::format("the reward can be {:.6g}, outside [0, 1]: {}", proof.value,
                            record_text(proof.witness));
    else if (refuted)
      message =
          fmt::format("the reward can have no value: {}, for {}", proof.no_value, record_text(proof.witness));
    else if (proof.undefined && proof.hint.empty())
      message = fmt::format("the reward is not proven to have a value: `{}`", formula_text(*proof.undefined));
    auto d = found(rules::reward_range, reward->range, std::move(message));
    const formulas::Ranges ranges = ranges_of(*reward, inspection.schema, *stage.train);
    std::string instead = rewritten(*reward, ranges);
    const std::string remedy = proof.undefined && !outside ? remedy_of_undefined(*proof.undefined) : "";
    if (!remedy.empty()) {
      d.helped(instead.empty() ? remedy
                               : fmt::format("write `{}`: `{}` then has a value everywhere, and the reward "
                                             "stays in its range",
                                             instead, formula_text(*proof.undefined)));
    } else if (const auto [largest, smallest] =
                   outside ? minimum_meant(reward->formula, ranges) : std::pair<std::string, std::string>();
               !smallest.empty()) {
      instead.clear();
      d.helped((smallest.find(largest) == smallest.npos ? "`max` takes the larger of two: " : "clamp it: ") +
               ("write `" + smallest + "` in place of `" + largest + "`"));
    } else if (outside) {
      d.helped(remedy_of_range(*reward, ranges, proof.value, instead));
    } else if (!proof.hint.empty() || !instead.empty()) {
      d.helped("clamp it: " + (instead.empty() ? proof.hint : "`" + instead + "`"));
    }
    if (!instead.empty() && reward->given) d.suggest("write `" + instead + "`", reward->range, instead);
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::reward_range{
    "reward_range",
    Severity::warning,
    true,
    "A reward is a fraction: values outside [0, 1] are clamped before min_reward is compared with them.",
    R"(import example
train t : example.reinforce { reward(c) = if c.correct then min(c.speedup, 1) else 0 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { reward(c) = if c.correct then c.speedup else 0 }
experiment e : example.study { train = t }
)",
    check_reward_range};

}  // namespace trl::language
