#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_slowness)
namespace {

/// Returns the smallest branch of a reward that contains all that the reward says about the kernel's speed:
/// `1 / c.speedup` of `if c.correct then 1 / c.speedup else 0`. It is the whole reward if a condition, both
/// branches or neither branch read the speed.
const formulas::Expression& part_about_speed(const formulas::Expression& reward) {
  const auto asks = [](const formulas::Expression& e) {
    const std::string text = formula_text(e);
    return text.find(".speedup") != text.npos || text.find(".time") != text.npos;
  };
  const auto* choice = reward.as<formulas::Choice>();
  if (choice == nullptr || asks(choice->condition)) return reward;
  const bool then = asks(choice->then), otherwise = asks(choice->otherwise);
  if (then == otherwise) return reward;
  return part_about_speed(then ? choice->then : choice->otherwise);
}

void check_pays_slowness(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = selecting_reward(stage);
    if (reward == nullptr || !stage.train->sound("reward")) continue;
    std::vector<double> rewards;  // from the fastest candidate to the slowest
    for (const double time : {10, 30, 80, 120, 300, 1000})
      rewards.push_back(reward_where(*reward, inspection.schema, *stage.train,
                                     {{".time", time}, {".speedup", ordinary_time / time}}));
    constexpr double rounding = 1e-9;
    const auto falls = [](double faster, double slower) { return slower < faster - rounding; };
    const auto rises = [](double faster, double slower) { return slower > faster + rounding; };
    const auto anywhere = [&](const auto& changes) {
      return std::adjacent_find(rewards.begin(), rewards.end(), changes) != rewards.end();
    };
    if (!anywhere(rises) || anywhere(falls)) continue;
    const formulas::Expression& part = part_about_speed(reward->formula);
    const bool whole = &part == &reward->formula;
    Range range = reward->range;
    if (const auto& at = part.at(); at && reward->given && !whole) range = {range.file, at->begin, at->end};
    auto d =
        found(rules::pays_slowness, range,
              fmt::format(
                  "`{}` pays slower kernels more: a correct one of 10 us gets {:.3g}, one of 1000 us {:.3g}",
                  stage.train->name, rewards.front(), rewards.back()));
    const std::string& c = reward->parameters.front();
    const std::string faster = fmt::format("0.7 + 0.3 * min({}.speedup, 1)", c),
                      instead = whole ? fmt::format("if {}.correct then {} else 0", c, faster) : faster;
    d.helped(fmt::format("`{0}.speedup` is larger for faster kernels, `{0}.time` smaller: {1} `{2}`", c,
                         whole ? "write the reward as" : "write in place of this part", instead));
    if (reward->given) d.suggest("write `" + instead + "`", range, instead);
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::pays_slowness{"pays_slowness",
                                Severity::warning,
                                true,
                                "A reward that grows with a kernel's time teaches slow kernels.",
                                R"(import example
train t : example.reinforce { reward(c) = if c.correct then 0.6 + 0.4 * min(c.speedup, 1) else 0 }
experiment e : example.study { train = t }
)",
                                R"(import example
train t : example.reinforce { reward(c) = if c.correct then 0.6 + 0.4 * min(c.time / 1000, 1) else 0 }
experiment e : example.study { train = t }
)",
                                check_pays_slowness};

}  // namespace trl::language
