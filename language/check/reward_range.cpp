#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(reward_range)
namespace {

/// What a logarithm is to be taken of in place of its argument: that without a clamp that lets 0 through.
std::string within_log(const formulas::Expression& argument) {
  const auto* call = argument.as<formulas::Call>();
  if (call != nullptr && call->function == "max" && call->arguments.size() == 2)
    for (const bool first : {true, false}) {
      const auto* number = call->arguments[first ? 0 : 1].as<formulas::Number>();
      if (number != nullptr && number->value <= 0) return formula_text(call->arguments[first ? 1 : 0]);
    }
  return formula_text(argument);
}

/// How a part that may have no value gets one.
std::string remedy_of(const formulas::Expression& part) {
  const auto* call = part.as<formulas::Call>();
  const std::string of = call != nullptr && !call->arguments.empty() ? formula_text(call->arguments[0]) : "";
  if (call != nullptr && call->function == "log") {
    const std::string inner = within_log(call->arguments[0]);
    return fmt::format(
        "give log a number above 0: `log(max({}, 0.01))`, or ask first: `if {} > 0 then … else 0`", inner,
        inner);
  }
  if (call != nullptr && call->function == "sqrt")
    return fmt::format("give sqrt 0 or more: `sqrt(max({}, 0))`", of);
  if (call != nullptr) return fmt::format("keep it finite: `{}(min({}, …))`", call->function, of);
  const auto* power = part.as<formulas::Binary>();
  if (power == nullptr) return "";
  return fmt::format("keep what is raised to a power between bounds: `clamp({}, 0, …)`",
                     formula_text(power->left));
}

void check_reward_range(Inspection& inspection) {
  using Verdict = formulas::Proof::Verdict;
  for (const auto& stage : inspection.stages()) {
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
    const std::string remedy = proof.undefined && !outside ? remedy_of(*proof.undefined) : "";
    if (!remedy.empty())
      d.helped(remedy);
    else if (outside)
      d.helped(proof.value < 0 ? "clamp it: `max(…, 0)`" : "clamp it: `min(…, 1)`");
    else if (!proof.hint.empty())
      d.helped("clamp it: " + proof.hint);
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
