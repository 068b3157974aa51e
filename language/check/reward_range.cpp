#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(reward_range)
namespace {

void check_reward_range(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = stage.train->field("reward");
    if (reward == nullptr || !reward->is(Value::Kind::formula)) continue;
    if (!zero_denominators(reward->formula, ranges_of(*reward, inspection.schema, *stage.train)).empty())
      continue;  // another rule reports that
    const formulas::Proof proof =
        prove_within(reward->formula, ranges_of(*reward, inspection.schema, *stage.train), 0, 1);
    if (proof.verdict == formulas::Proof::Verdict::Proven) continue;
    const bool refuted = proof.verdict == formulas::Proof::Verdict::Refuted;
    std::string message = "the reward is not proven to stay in [0, 1]";
    if (refuted && proof.no_value.empty())
      message = fmt::format("the reward can be {:.6g}, outside [0, 1]: {}", proof.value,
                            record_text(proof.witness));
    if (refuted && !proof.no_value.empty()) message = "the reward can have no value: " + proof.no_value;
    auto d = found(rules::reward_range, reward->range, std::move(message));
    const bool below = refuted && proof.no_value.empty() && proof.value < 0;
    d.helped(refuted || proof.hint.empty() ? below ? "clamp it: `max(…, 0)`" : "clamp it: `min(…, 1)`"
                                           : "clamp it: " + proof.hint);
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
