#include <fmt/format.h>

#include <algorithm>

#include "base/formulas/members.hpp"
#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(sparse_reward)
namespace {

void check_sparse_reward(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Resolved& train = *stage.train;
    const Value *reward = selecting_reward(stage), *least = train.field("min_reward");
    if (reward == nullptr || !reward->given || !train.sound("reward") || !train.sound("min_reward") ||
        train.field("pairs") != nullptr || !reward_facts(inspection, stage).prefers_correct)
      continue;
    // A time has no usual value, since tasks differ in size.
    if (formulas::members_read(reward->formula).contains("time")) continue;
    const double kept = least == nullptr ? 0 : least->number();
    // Kernels of a small model are about as fast as PyTorch; few are twice as fast.
    constexpr double twice = 2, rounding = 1e-9;
    const double paid = std::max(reward_where(*reward, inspection.schema, train, {}),
                                 reward_where(*reward, inspection.schema, train,
                                              {{".speedup", twice}, {".time", ordinary_time / twice}}));
    const double most = bound(reward->formula, ranges_when_correct(*reward, inspection.schema, train)).high;
    if (!(paid <= kept + rounding) || !(most > kept)) continue;  // another rule reports an unreachable one
    auto d = found(
        rules::sparse_reward, reward->range,
        fmt::format("a correct kernel that is twice as fast as PyTorch gets {:.3g}{}: hardly any "
                    "answer is rewarded, and `{}` has nothing to learn from",
                    paid, least == nullptr ? "" : fmt::format(", and rewards above {:.3g} are kept", kept),
                    train.name));
    if (least != nullptr && least->given) d.note("the least reward", least->range);
    const std::string& c = reward->parameters.front();
    const std::string instead =
        fmt::format("if {0}.correct then 0.7 + 0.3 * min({0}.speedup / 2, 1) else 0", c);
    d.helped(fmt::format("pay correctness, and speed on top of it: `{}`", instead));
    d.suggest("write `" + instead + "`", reward->range, instead);
    inspection.report(std::move(d), {&train});
  }
}

}  // namespace

const Rule rules::sparse_reward{"sparse_reward",
                                Severity::warning,
                                true,
                                "A reward that next to no answer gets leaves most rounds without a gradient.",
                                R"(import example
train t : example.reinforce { reward(c) = if c.correct then 0.6 + 0.4 * min(c.speedup / 4, 1) else 0 }
experiment e : example.study { train = t }
)",
                                R"(import example
train t : example.reinforce { reward(c) = if c.correct and c.speedup > 4 then 1 else 0 }
experiment e : example.study { train = t }
)",
                                check_sparse_reward};

}  // namespace trl::language
