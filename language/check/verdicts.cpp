#include "language/check/verdicts.hpp"

#include <array>
#include <limits>

#include "base/formulas/evaluate.hpp"

namespace trl::language {

std::vector<const Resolved*> stagings(const Inspection::Stage& stage) {
  std::vector<const Resolved*> ways = {nullptr};
  for (const Resolved* extension : stage.extensions)
    if (extension->is_a("staged_evaluation")) ways.push_back(extension);
  return ways;
}

namespace {

/// Evaluates the reward of every verdict that a failed candidate can get. Without staged evaluation, credit
/// is 0.
std::optional<Best> best_incorrect(const Value& reward, const Inspection::Stage& stage) {
  constexpr std::array<const char*, 4> stages = {"syntax", "compile", "tiny", "full"};
  std::optional<Best> best;
  formulas::Bindings bindings;
  formulas::Record& verdict = bindings.records[reward.parameters.at(0)];
  verdict = {{"correct", false}, {"speedup", 0.0}};
  for (const Resolved* way : stagings(stage)) {
    const Value* credits = way == nullptr ? nullptr : way->field("failing");
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const Value* credit = credits == nullptr ? nullptr : credits->entry(stages[i]);
      verdict["credit"] = credit == nullptr ? 0.0 : credit->number();
      verdict["valid"] = i > 0;
      // `compiled` may be false when values decide before compilation, and `tiny` is not tried without staged
      // evaluation.
      for (const bool compiled : {true, false})
        for (const bool tiny : {true, false}) {
          if ((i < 2 && compiled) || (i < 3 && tiny)) continue;
          verdict["compiled"] = compiled;
          verdict["tiny"] = tiny;
          // Without a plan there is nothing that PyTorch could have finished.
          for (const double kernel_share : {1.0, 0.75}) {
            if (i == 0 && kernel_share < 1) continue;
            verdict["kernel_share"] = kernel_share;
            try {
              const double value = evaluate_number(reward.formula, bindings);
              if (!best || value > best->reward) best = Best{stages[i], value, way};
            } catch (const formulas::EvaluationError&) {
              // Other rules report formulas without a value.
            }
          }
        }
    }
  }
  return best;
}

}  // namespace

formulas::Ranges ranges_when_correct(const Value& reward, const Schema& schema) {
  formulas::Ranges ranges = ranges_of(reward, schema);
  for (const std::string& parameter : reward.parameters) {
    for (const char* truth : {"valid", "compiled", "tiny", "correct"})
      ranges.values[parameter + "." + truth] = {formulas::closed(1, 1), true};
    ranges.values[parameter + ".credit"] = formulas::Domain::number(0, 0);
  }
  return ranges;
}

const RewardFacts& reward_facts(Inspection& inspection, const Inspection::Stage& stage) {
  auto& known = inspection.reward_facts[&stage];
  if (known) return *known;
  const Value& reward = *stage.train->field("reward");
  RewardFacts facts{best_incorrect(reward, stage), true};
  if (facts.incorrect)
    facts.prefers_correct = prove_within(reward.formula, ranges_when_correct(reward, inspection.schema),
                                         -std::numeric_limits<double>::max(), facts.incorrect->reward)
                                .verdict != formulas::Proof::Verdict::Proven;
  return *(known = std::make_shared<const RewardFacts>(std::move(facts)));
}

const Value* selecting_reward(const Inspection::Stage& stage) {
  const Value *reward = stage.train->field("reward"), *by = stage.train->field("keep_by");
  if (reward == nullptr || !reward->is(Value::Kind::formula) || reward->parameters.size() != 1)
    return nullptr;
  if (!stage.train->sound("keep_by")) return nullptr;
  return by != nullptr && by->string() == "random" ? nullptr : reward;
}

}  // namespace trl::language
