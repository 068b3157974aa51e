#include <fmt/format.h>

#include <algorithm>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(failure_pays)
namespace {

void check_failure_pays(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *turns = stage.train->field("turns"), *discount = stage.train->field("discount");
    const Value* reward = selecting_reward(stage);
    if (turns == nullptr || discount == nullptr || reward == nullptr || !stage.train->sound("turns") ||
        !stage.train->sound("discount") || !stage.train->sound("reward") || turns->number() <= 1)
      continue;
    const auto& worst = reward_facts(inspection, stage).incorrect;
    // An answer that is right in the first turn has return r. An answer that fails with credit c and is right
    // in the second turn has return c + discount · r, which is larger if c > (1 - discount) · r. Rewards are
    // at most 1.
    if (!worst || worst->reward <= 1 - discount->number() + 1e-9) continue;
    auto d =
        found(rules::failure_pays, discount->given ? discount->range : reward->range,
              fmt::format("failing first pays in `{}`: an answer that fails at stage `{}` gets {:.6g}, and "
                          "a right answer loses at most {:.6g} by coming a turn later",
                          stage.train->name, worst->stage, worst->reward, 1 - discount->number()));
    d.note("the reward", reward->range);
    d.helped(
        fmt::format("lower `discount` to {:.6g}, or what failures get", std::max(0.0, 1 - worst->reward)));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::failure_pays{
    "failure_pays",
    Severity::warning,
    true,
    "With several turns, an answer counts by the discounted rewards of its episode. Where a failure's credit "
    "is above what a turn's delay costs, the policy learns to fail before it succeeds.",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, turns = 3, discount = 40%
  reward(c) = if c.correct then 1 else if c.compiled then 0.2 else 0
}
experiment e : example.study { train = t }
)",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, turns = 3, discount = 100%
  reward(c) = if c.correct then 1 else if c.compiled then 0.2 else 0
}
experiment e : example.study { train = t }
)",
    check_failure_pays};

}  // namespace trl::language
