#include <fmt/format.h>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(ignores_correctness)
namespace {

void check_ignores_correctness(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = selecting_reward(stage);
    if (reward == nullptr || reward_facts(inspection, stage).prefers_correct) continue;
    const auto& incorrect = reward_facts(inspection, stage).incorrect;
    auto d = found(
        rules::ignores_correctness, reward->range,
        fmt::format("no correct kernel gets more than a kernel that fails at stage `{}`, which gets {:.6g}",
                    incorrect->stage, incorrect->reward));
    if (incorrect->staging != nullptr) d.note("with these partial credits", incorrect->staging->range);
    d.helped("begin with `if c.correct then …`, and give more there than to incorrect kernels");
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::ignores_correctness{
    "ignores_correctness",
    Severity::error,
    true,
    "A reward under which no correct kernel beats an incorrect one does not teach correctness.",
    R"(import example
train t : example.reinforce { reward(c) = if c.correct then 1 else if c.compiled then 0.2 else 0 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { reward(c) = if c.compiled then 1 else 0 }
experiment e : example.study { train = t }
)",
    check_ignores_correctness};

}  // namespace trl::language
