#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_slowness)
namespace {

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
    auto d =
        found(rules::pays_slowness, reward->range,
              fmt::format(
                  "`{}` pays slower kernels more: a correct one of 10 us gets {:.3g}, one of 1000 us {:.3g}",
                  stage.train->name, rewards.front(), rewards.back()));
    d.helped("`c.speedup` is larger for faster kernels, `c.time` smaller: `0.7 + 0.3 * min(c.speedup, 1)`");
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
