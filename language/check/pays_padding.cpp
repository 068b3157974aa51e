#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_padding)
namespace {

/// A property that an answer can increase without getting better.
struct Padding {
  const char* field;
  const char* more;  ///< "more launches"
  const char* unit;
  const char* remedy;
};

constexpr Padding paddings[] = {
    {".launches", "more launches", "launches",
     "each launch costs time, which `c.speedup` counts already: let fewer be worth more, or leave "
     "`c.launches` "
     "out"},
    {".tokens", "longer answers", "tokens",
     "a longer answer is no better kernel: let fewer tokens be worth more, or leave `c.tokens` out"},
};

/// Whether rewards never fall, and rise more than once. A single rise is a required minimum, which is fine.
bool keeps_rising(const std::vector<double>& rewards) {
  constexpr double rounding = 1e-9;
  int rises = 0;
  for (std::size_t i = 1; i < rewards.size(); ++i) {
    if (!(rewards[i] >= rewards[i - 1] - rounding)) return false;
    rises += rewards[i] > rewards[i - 1] + rounding;
  }
  return rises > 1;
}

void check_pays_padding(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = selecting_reward(stage);
    if (reward == nullptr || !stage.train->sound("reward")) continue;
    const Value* limit = stage.train->field("max_tokens");
    const double tokens = limit == nullptr || !stage.train->sound("max_tokens") ? 2048 : limit->number();
    for (const Padding& padding : paddings) {
      const double most = std::string_view(padding.field) == ".tokens" ? tokens : 16;
      std::vector<double> rewards;
      for (double value = most / 16; value <= most; value *= 2)
        rewards.push_back(
            reward_where(*reward, inspection.schema, *stage.train, {{padding.field, std::ceil(value)}}));
      if (!keeps_rising(rewards)) continue;
      inspection.report(
          found(rules::pays_padding, reward->range,
                fmt::format("`{}` pays {} more: a correct one of {:.0f} {} gets {:.3g}, one of {:.0f} {:.3g}",
                            stage.train->name, padding.more, std::ceil(most / 16), padding.unit,
                            rewards.front(), most, rewards.back()))
              .helped(padding.remedy),
          {stage.train});
    }
  }
}

}  // namespace

const Rule rules::pays_padding{
    "pays_padding",
    Severity::warning,
    true,
    "A reward that grows with an answer's launches or tokens teaches more of them, and "
    "no better kernels.",
    R"(import example
train t : example.reinforce { reward(c) = if c.correct then 0.6 + 0.4 / max(c.launches, 1) else 0 }
experiment e : example.study { train = t }
)",
    R"(import example
train t : example.reinforce { reward(c) = if c.correct then 0.6 + min(c.launches / 100, 0.4) else 0 }
experiment e : example.study { train = t }
)",
    check_pays_padding};

}  // namespace trl::language
