#include <fmt/format.h>

#include "language/check/verdicts.hpp"

namespace trl::language {
DECLARE_RULE(pays_everybody)
namespace {

/// Returns the least reward of an answer that can't be parsed.
double least_unparsed(const Value& reward, const Schema& schema, const Resolved& train) {
  formulas::Ranges ranges = ranges_of(reward, schema, train);
  for (const std::string& parameter : reward.parameters) {
    for (const char* truth : {".valid", ".compiled", ".tiny", ".correct"})
      ranges.values[parameter + truth] = {formulas::closed(0, 0), true};
    for (const char* number : {".speedup", ".time", ".launches", ".credit"})
      ranges.values[parameter + number] = formulas::Domain::number(0, 0);
  }
  return bound(reward.formula, ranges).low;
}

void check_pays_everybody(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Resolved& train = *stage.train;
    const Value* reward = selecting_reward(stage);
    // `min_reward` excludes answers that can't be parsed, and pairs consist of a right and a wrong answer.
    if (reward == nullptr || !reward->given || !train.sound("reward") ||
        train.field("min_reward") != nullptr || !train.sound("min_reward") ||
        train.field("pairs") != nullptr || !reward_facts(inspection, stage).prefers_correct)
      continue;
    const double least = least_unparsed(*reward, inspection.schema, train);
    if (!(least > 1e-9)) continue;
    const Value* baseline = train.field("baseline");
    const bool subtracted = baseline != nullptr && baseline->string() != "none";
    auto d =
        found(rules::pays_everybody, reward->range,
              fmt::format("`{}` pays every answer {:.6g}, one that doesn't parse, too: {}", train.name, least,
                          subtracted ? "the baseline subtracts it again, so that it teaches nothing"
                                     : "such answers are trained on"));
    const std::string& parameter = reward->parameters.at(0);
    d.helped(fmt::format("give such answers 0: `if {}.valid then … else 0`, or leave the constant out",
                         parameter));
    inspection.report(std::move(d), {&train});
  }
}

}  // namespace

const Rule rules::pays_everybody{
    "pays_everybody",
    Severity::warning,
    true,
    "What every answer gets, also one that doesn't parse, tells none from the others.",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, learning_rate = 1e-4
  reward(c) = if c.correct then 1 else if c.valid then 0.1 else 0
}
experiment e : example.study { train = t }
)",
    R"(import example
train t : grpo {
  tasks = example.easy, max_tokens = 256, learning_rate = 1e-4
  reward(c) = if c.correct then 1 else 0.1
}
experiment e : example.study { train = t }
)",
    check_pays_everybody};

}  // namespace trl::language
