#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "base/formulas/members.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(inert_extension)
namespace {

using Stages = std::vector<const Resolved*>;

bool reads_any(const formulas::Expression& formula, std::initializer_list<std::string_view> fields) {
  const auto read = formulas::members_read(formula);
  return std::any_of(fields.begin(), fields.end(),
                     [&](std::string_view field) { return read.contains(std::string(field)); });
}

/// Whether a reward of the stage reads one of these fields, or may read it because the reward isn't known.
bool rewards_read(const Resolved& train, std::initializer_list<std::string_view> fields) {
  for (const char* name : {"reward", "plan_reward"}) {
    if (!train.sound(name)) return true;
    const Value* reward = train.field(name);
    if (reward != nullptr && !reward->absent() &&
        (!reward->is(Value::Kind::formula) || reads_any(reward->formula, fields)))
      return true;
  }
  return false;
}

bool any_reads(const Stages& stages, std::initializer_list<std::string_view> fields) {
  return std::any_of(stages.begin(), stages.end(),
                     [&](const Resolved* train) { return rewards_read(*train, fields); });
}

/// The reason why an extension has no effect, and the remedy; empty if it has one.
struct Inert {
  std::string why, remedy;
  bool by_reward = false;  ///< whether the extension would have an effect if a reward read more
};

/// The extension gives credit to wrong answers. DPO doesn't use their rewards.
Inert staged(const Resolved& extension, const Stages& stages) {
  const Value* failing = extension.field("failing");
  if (failing == nullptr || !extension.sound("failing")) return {};
  const bool gives = std::any_of(failing->entries.begin(), failing->entries.end(),
                                 [](const auto& stage) { return stage.second.number() > 0; });
  const bool used = std::any_of(stages.begin(), stages.end(), [](const Resolved* train) {
    return !train->is_a("dpo") && rewards_read(*train, {"credit"});
  });
  if (!gives || used) return {};
  return {
      "the credit that it gives is in no reward (`c.credit`), so that with and without it answers are "
      "rewarded alike",
      "let a reward read it: `reward(c) = if c.correct then 1 else c.credit`; or, if only the early end of "
      "wrong answers' verification is meant, write `failing { compile = 0, tiny = 0, full = 0 }`",
      true};
}

Inert noiseless(const Inspection& inspection, const Resolved& noise) {
  const Value* cv = noise.field("cv");
  if (cv == nullptr || !noise.sound("cv") || cv->number() > 0 || is_varied(inspection, noise.name + ".cv"))
    return {};
  return {"its `cv` is 0, so that times are read as they are",
          "give it an error, `cv = 15%`, or leave the extension out"};
}

Inert timed(const Stages& stages) {
  if (any_reads(stages, {"speedup", "time"})) return {};
  return {"it changes the times that rewards read, and no reward reads one (`c.speedup`, `c.time`)",
          "let a reward read it: `reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0`; or "
          "leave the extension out",
          true};
}

Inert inputs(const Resolved& extension) {
  const Value* variations = extension.field("variations");
  if (variations == nullptr || variations->items.empty()) return {};
  const bool others = std::any_of(variations->items.begin(), variations->items.end(), [](const Value& one) {
    if (one.is(Value::Kind::call))
      return one.name != "scale" || one.items.empty() || one.items[0].number() != 1;
    return one.string() != "original";
  });
  if (others) return {};
  return {
      "its only variation is the inputs as drawn, on which answers are tried without it, too",
      "name other variations: `variations = [original, reseed, extreme]`, or leave the field out for all"};
}

/// The first round's tasks are chosen without the extension, since accuracy is first measured in that round.
Inert curriculum(const Stages& stages) {
  for (const Resolved* train : stages)
    if (const Value* rounds = train->field("rounds"); rounds == nullptr || rounds->number() != 1) return {};
  return {
      "shares follow the accuracy in the round before, and there is one round, whose tasks are drawn without "
      "them",
      "train in several rounds: `rounds = 4`; or leave the extension out"};
}

Inert inert(const Inspection& inspection, const Resolved& extension, const Stages& in_rounds) {
  // A placebo changes random draws, and every way to train uses them.
  if (extension.variant == nullptr || extension.is_a("placebo")) return {};
  if (in_rounds.empty())
    return {"it changes how sampled answers are judged or drawn, and no stage of `train` samples any",
            "train in rounds, by best_of_n, grpo or the like, or leave the extension out"};
  if (extension.is_a("staged_evaluation")) return staged(extension, in_rounds);
  if (extension.is_a("timing_noise"))
    if (Inert none = noiseless(inspection, extension); !none.why.empty()) return none;
  if (extension.is_a("timing_noise") || extension.is_a("calibrated_timing")) return timed(in_rounds);
  if (extension.is_a("multi_input")) return inputs(extension);
  if (extension.is_a("adaptive_curriculum")) return curriculum(in_rounds);
  return {};
}

/// Returns the value by which an experiment names an extension; null if there is none.
const Value* mention(const Value& value, const Resolved& extension) {
  if (value.declaration.get() == &extension) return &value;
  for (const Value& item : value.items)
    if (const Value* found = mention(item, extension)) return found;
  return nullptr;
}

void check_inert_extension(Inspection& inspection) {
  // The cells may have different rewards, so the rule looks at all cells together.
  if (inspection.cells.empty() || inspection.design == nullptr || !inspection.experiment.sound("extensions"))
    return;
  Stages in_rounds;
  bool trains = false;
  for (const Resolved* cell : inspection.cells) {
    const Value* train = cell == nullptr || !cell->sound("train") ? nullptr : cell->field("train");
    if (train == nullptr) return;
    for (const Value& stage : train->items) {
      if (!stage.declaration || stage.declaration->variant == nullptr || !stage.declaration->sound("reward"))
        return;
      trains = true;
      if (stage.declaration->field("reward") != nullptr) in_rounds.push_back(stage.declaration.get());
    }
  }
  if (!trains) return;  // another rule reports that
  for (const Resolved* extension : inspection.extensions()) {
    const auto [why, remedy, by_reward] = inert(inspection, *extension, in_rounds);
    if (why.empty()) continue;
    const Value* place = nullptr;
    bool varied = false;
    for (const char* field : {"extensions", "vary"})
      if (const Value* value = inspection.experiment.field(field); value != nullptr && place == nullptr) {
        place = mention(*value, *extension);
        varied = place != nullptr && std::string_view(field) == "vary";
      }
    auto d = found(rules::inert_extension, place == nullptr ? inspection.experiment.range : place->range,
                   fmt::format("`{}` changes nothing that `{}` trains: {}{}", extension->name,
                               inspection.experiment.name, why, varied ? ". Its cells train alike" : ""));
    for (const Resolved* train : in_rounds)
      if (const Value* reward = train->field("reward"); by_reward && reward->given) {
        d.note("the reward", reward->range);
        break;
      }
    d.helped(remedy);
    inspection.report(std::move(d), {extension});
  }
}

}  // namespace

const Rule rules::inert_extension{
    "inert_extension",
    Severity::warning,
    true,
    "Cells with and without an extension that acts on nothing are trained alike, and their comparison shows "
    "no difference whatever the extension is worth.",
    R"(import example
train rl : example.reinforce { reward(c) = if c.correct then 1 else c.credit }
extension staged : staged_evaluation { failing { compile = 0.1, tiny = 0.2, full = 0.3 } }
experiment e : example.study { train = rl, vary = subsets(staged) }
)",
    R"(import example
train rl : example.reinforce { reward(c) = if c.correct then 1 else 0 }
extension staged : staged_evaluation { failing { compile = 0.1, tiny = 0.2, full = 0.3 } }
experiment e : example.study { train = rl, vary = subsets(staged) }
)",
    check_inert_extension};

}  // namespace trl::language
