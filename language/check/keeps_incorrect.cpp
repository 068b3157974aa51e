#include <fmt/format.h>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(keeps_incorrect)
namespace {

void check_keeps_incorrect(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *reward = selecting_reward(stage), *least = stage.train->field("min_reward");
    if (reward == nullptr || least == nullptr) continue;
    const auto& [worst, prefers_correct] = reward_facts(inspection, stage);
    if (!worst || worst->reward <= least->number()) continue;
    if (!prefers_correct) continue;  // ignores_correctness reports that
    auto d = found(rules::keeps_incorrect, reward->range,
                   fmt::format("a candidate that fails at stage `{}` gets the reward {:.6g}, above "
                               "min_reward {:.6g}: `{}` trains on incorrect kernels",
                               worst->stage, worst->reward, least->number(), stage.train->name));
    if (least->given) d.note("candidates above this are kept", least->range);
    if (worst->staging != nullptr)
      if (const Value* credits = worst->staging->field("failing"))
        if (const Value* credit = credits->entry(worst->stage))
          d.note(fmt::format("`{}` gives it the credit {:.6g}", worst->staging->name, credit->number()),
                 credit->range);
    const std::string allowed = fmt::format("or allow(keeps_incorrect, \"why\") in `{}`", stage.train->name);
    const auto asked = paid_unchecked(*reward, inspection.schema, *stage.train, least->number());
    if (!asked.empty()) {
      d.helped(fmt::format("`{}` holds for incorrect kernels, too: ask `{}.correct`, {}", asked.front(),
                           reward->parameters.at(0), allowed));
    } else {
      d.helped(fmt::format("raise min_reward to {:.6g}, lower the credit, {}", worst->reward, allowed));
      if (least->given) d.suggest("raise min_reward", least->range, fmt::format("{:.6g}", worst->reward));
    }
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::keeps_incorrect{
    "keeps_incorrect",
    Severity::error,
    true,
    "Where an incorrect kernel's reward exceeds min_reward, training uses incorrect kernels.",
    R"(import example
extension strict : staged_evaluation { failing { full = 0.5 } }
experiment e : example.study { vary = subsets(strict) }
)",
    R"(import example
experiment e : example.study { vary = subsets(example.stages) }
)",
    check_keeps_incorrect};

}  // namespace trl::language
