#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_slowness)
namespace {

/// The reward of a correct candidate that runs for `time` us, where PyTorch takes 100 us. Its other inputs
/// are those of an ordinary one.
double reward_of_time(const Value& reward, const Schema& schema, const Resolved& train, double time) {
  formulas::Ranges ranges = ranges_when_correct(reward, schema, train);
  const auto set = [&](const std::string& name, double value) {
    if (const auto found = ranges.values.find(name); found != ranges.values.end())
      found->second = formulas::Domain::number(value, value);
  };
  for (const std::string& parameter : reward.parameters) {
    for (const auto& [field, value] :
         std::initializer_list<std::pair<const char*, double>>{{".time", time},
                                                               {".speedup", 100 / time},
                                                               {".launches", 1},
                                                               {".tokens", 200},
                                                               {".credit", 1},
                                                               {".kernel_share", 1}})
      set(parameter + field, value);
  }
  const formulas::Interval all = bound(reward.formula, ranges);
  return (all.low + all.high) / 2;
}

void check_pays_slowness(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = selecting_reward(stage);
    if (reward == nullptr || !stage.train->sound("reward")) continue;
    std::vector<double> rewards;  // from the fastest candidate to the slowest
    for (const double time : {10, 30, 80, 120, 300, 1000})
      rewards.push_back(reward_of_time(*reward, inspection.schema, *stage.train, time));
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
