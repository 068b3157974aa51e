#include <fmt/format.h>

#include <cmath>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_incorrect)
namespace {

void check_pays_incorrect(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = selecting_reward(stage);
    // Where a least reward selects, rule keeps_incorrect compares with that.
    if (reward == nullptr || stage.train->field("min_reward") != nullptr || !stage.train->sound("min_reward"))
      continue;
    const auto& [worst, prefers_correct] = reward_facts(inspection, stage);
    if (!worst || !prefers_correct) continue;  // ignores_correctness reports that
    const double most =
        bound(reward->formula, ranges_when_correct(*reward, inspection.schema, *stage.train)).high;
    if (!std::isfinite(most) || most <= 0) continue;
    const auto asked = paid_unchecked(*reward, inspection.schema, *stage.train, most / 2);
    if (asked.empty()) continue;
    inspection.report(
        found(
            rules::pays_incorrect, reward->range,
            fmt::format("`{}` pays an incorrect kernel {:.6g}, more than half of the most that a correct one "
                        "can get, {:.6g}",
                        stage.train->name, worst->reward, most))
            .helped(fmt::format("`{}` holds for incorrect kernels, too: ask `{}.correct`", asked.front(),
                                reward->parameters.at(0))),
        {stage.train});
  }
}

}  // namespace

const Rule rules::pays_incorrect{
    "pays_incorrect",
    Severity::warning,
    true,
    "A reward that asks whether a kernel compiles, and never whether it is correct, teaches kernels that "
    "compile.",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, learning_rate = 1e-4
  reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else if c.compiled then 0.2 else 0
}
experiment e : example.study { train = t }
)",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, learning_rate = 1e-4
  reward(c) = if c.compiled then 0.7 + 0.3 * min(c.speedup, 1) else 0
}
experiment e : example.study { train = t }
)",
    check_pays_incorrect};

}  // namespace trl::language
