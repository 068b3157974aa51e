#include <fmt/format.h>

#include <cmath>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_incorrect)
namespace {

/// Reports a reward that, by the credit of an extension, pays a failed answer more than an ordinary correct
/// kernel. Returns whether it does.
bool report_credit(Inspection& inspection, const Inspection::Stage& stage, const Value& reward,
                   const Best& worst) {
  if (worst.staging == nullptr) return false;
  const double ordinary = reward_where(reward, inspection.schema, *stage.train, {{".credit", 0}});
  constexpr double rounding = 1e-9, most_base = 0.9;
  if (!(worst.reward > ordinary + rounding)) return false;
  auto d =
      found(rules::pays_incorrect, reward.range,
            fmt::format("`{}` pays a kernel that fails at stage `{}` {:.3g}, and a correct one as fast as "
                        "PyTorch {:.3g}: failing pays more",
                        stage.train->name, worst.stage, worst.reward, ordinary));
  if (const Value* failing = worst.staging->field("failing"); failing != nullptr && failing->given)
    d.note("the credit of failures", failing->range);
  const std::string& c = reward.parameters.front();
  if (worst.reward <= most_base) {
    const std::string instead =
        fmt::format("if {0}.correct then {1:g} + {2:g} * min({0}.speedup, 1) else {0}.credit", c,
                    worst.reward, 1 - worst.reward);
    d.helped("let every correct kernel get as much as the best failure: `" + instead + "`");
    if (reward.given) d.suggest("write `" + instead + "`", reward.range, instead);
  } else {
    d.helped(fmt::format("give failures less in `{}`", worst.staging->name));
  }
  inspection.report(std::move(d), {stage.train, worst.staging});
  return true;
}

/// Reports a reward that pays a correct kernel with half of the reference's speed less than an incorrect one.
/// Returns whether it was reported.
bool report_slow(Inspection& inspection, const Inspection::Stage& stage, const Value& reward,
                 const Best& worst) {
  constexpr double rounding = 1e-9, slow = 0.5, most_base = 0.9;
  const double slow_reward =
      reward_where(reward, inspection.schema, *stage.train, {{".credit", 0}, {".speedup", slow}});
  if (!(worst.reward > slow_reward + rounding) || worst.reward > most_base) return false;
  const std::string& c = reward.parameters.front();
  const double base = std::ceil(10 * worst.reward + rounding) / 10;
  inspection.report(
      found(rules::pays_incorrect, reward.range,
            fmt::format("`{}` pays an incorrect kernel {:.3g}, and a correct one of half of PyTorch's speed "
                        "{:.3g}: failing pays more",
                        stage.train->name, worst.reward, slow_reward))
          .helped(
              fmt::format("let every correct kernel get more than any other: `if {0}.correct then {1:g} + "
                          "{2:g} * min({0}.speedup, 1) else …`",
                          c, base, 1 - base)),
      {stage.train});
  return true;
}

void check_pays_incorrect(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value* reward = selecting_reward(stage);
    // If `min_reward` selects answers, the rule keeps_incorrect compares with it instead.
    if (reward == nullptr || stage.train->field("min_reward") != nullptr || !stage.train->sound("min_reward"))
      continue;
    const auto& [worst, prefers_correct] = reward_facts(inspection, stage);
    if (!worst || !prefers_correct) continue;  // ignores_correctness reports that
    if (report_credit(inspection, stage, *reward, *worst) || report_slow(inspection, stage, *reward, *worst))
      continue;
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
