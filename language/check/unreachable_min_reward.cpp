#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(unreachable_min_reward)
namespace {

/// Returns an upper bound of the reward that a candidate can get, as far as it can be proven; rewards are
/// clamped at 1.
double most(const Value& reward, const std::optional<Best>& incorrect, const Schema& schema,
            const Resolved& train) {
  const double correct = bound(reward.formula, ranges_when_correct(reward, schema, train)).high;
  return std::min(1.0, incorrect ? std::max(correct, incorrect->reward) : correct);
}

/// Whether the partial credit that a failed candidate can get is known.
bool credits_known(const Inspection& inspection, const Inspection::Stage& stage) {
  for (const char* field : {"extensions", "vary"})
    if (!stage.control && !inspection.experiment.sound(field)) return false;
  return std::all_of(stage.extensions.begin(), stage.extensions.end(),
                     [](const Resolved* extension) { return extension->sound("failing"); });
}

void check_unreachable_min_reward(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *reward = selecting_reward(stage), *least = stage.train->field("min_reward");
    if (reward == nullptr || least == nullptr) continue;
    const auto& [incorrect, prefers_correct] = reward_facts(inspection, stage);
    if (!credits_known(inspection, stage)) continue;
    if (!prefers_correct) continue;  // ignores_correctness reports that
    const double reached = most(*reward, incorrect, inspection.schema, *stage.train);
    if (reached > least->number()) continue;
    auto d =
        found(rules::unreachable_min_reward, least->given ? least->range : reward->range,
              fmt::format("no reward exceeds min_reward {:.6g}: the most that a kernel can get is {:.6g}, "
                          "so `{}` keeps nothing and trains on nothing",
                          least->number(), reached, stage.train->name));
    if (least->given) d.note("the reward", reward->range);
    const bool halved = least->given && reached > 0;
    // A `min_reward` that every correct candidate exceeds, and no other candidate reaches, separates them.
    const double lowest =
        bound(reward->formula, ranges_when_correct(*reward, inspection.schema, *stage.train)).low;
    const bool apart = !halved && lowest > 0 && (!incorrect || incorrect->reward < lowest);
    d.helped(fmt::format("set min_reward below {:.6g}{}: only rewards above it are kept, not equal ones",
                         apart ? lowest : reached,
                         halved  ? fmt::format(", such as half of it, {:.6g}", reached / 2)
                         : apart ? ", the least that a correct candidate gets"
                                 : ""));
    if (halved) d.suggest("halve it", least->range, fmt::format("{:.6g}", reached / 2));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::unreachable_min_reward{
    "unreachable_min_reward",
    Severity::error,
    true,
    "Where no reward exceeds min_reward no sample is kept, and hours of sampling train on nothing.",
    R"(import example
train t : example.reinforce { min_reward = 0.99 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { min_reward = 1 }
experiment e : example.study { train = t }
)",
    check_unreachable_min_reward};

}  // namespace trl::language
