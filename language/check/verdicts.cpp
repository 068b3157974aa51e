#include "language/check/verdicts.hpp"

#include <array>
#include <limits>

#include "language/evaluate.hpp"

namespace trl::language {

std::vector<Failing> failing_verdicts(const Resolved* staged) {
  constexpr std::array<const char*, 4> stages = {"syntax", "compile", "tiny", "full"};
  const Value* credits = staged == nullptr ? nullptr : staged->field("failing");
  std::vector<Failing> out;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Value* credit = credits == nullptr ? nullptr : credits->entry(stages[i]);
    const nlohmann::json points = credit == nullptr ? nlohmann::json(0) : credit->plain;
    // `compiled` may not be claimed yet when values decide first, and `tiny` is not tried without the
    // extension.
    for (const bool compiled : {true, false})
      for (const bool tiny : {true, false}) {
        if ((i < 2 && compiled) || (i < 3 && tiny)) continue;
        out.push_back({stages[i],
                       {{"valid", i > 0},
                        {"compiled", compiled},
                        {"tiny", tiny},
                        {"correct", false},
                        {"speedup", 0},
                        {"credit", points}}});
      }
  }
  return out;
}

std::vector<const Resolved*> stagings(const Inspection::Stage& stage) {
  std::vector<const Resolved*> ways = {nullptr};
  for (const Resolved* extension : stage.extensions)
    if (extension->is_a("staged_evaluation")) ways.push_back(extension);
  return ways;
}

std::optional<Best> best_incorrect(const Value& reward, const Inspection::Stage& stage) {
  std::optional<Best> best;
  for (const Resolved* way : stagings(stage))
    for (Failing& f : failing_verdicts(way)) {
      try {
        const double value = evaluate_number(reward.plain, {{{reward.parameters.at(0), f.verdict}}, {}});
        if (!best || value > best->reward) best = Best{std::move(f), value, way};
      } catch (const EvaluationError&) {
        // Other rules speak of formulas without a value.
      }
    }
  return best;
}

Ranges ranges_when_correct(const Value& reward, const Schema& schema) {
  Ranges ranges = ranges_of(reward, schema);
  for (const std::string& parameter : reward.parameters) {
    for (const char* truth : {"valid", "compiled", "tiny", "correct"})
      ranges.values[parameter + "." + truth] = Domain{{1, 1, false, false}, true};
    ranges.values[parameter + ".credit"] = Domain::number(0, 0);
  }
  return ranges;
}

bool prefers_correct(const Value& reward, const Inspection::Stage& stage, const Schema& schema) {
  const auto incorrect = best_incorrect(reward, stage);
  if (!incorrect) return true;
  const Proof proof = prove_within(reward.plain, ranges_when_correct(reward, schema),
                                   -std::numeric_limits<double>::max(), incorrect->reward);
  return proof.verdict != Proof::Verdict::Proven;
}

const Value* selecting_reward(const Inspection::Stage& stage) {
  const Value *reward = stage.train->field("reward"), *by = stage.train->field("keep_by");
  if (reward == nullptr || !reward->is(Value::Kind::formula) || reward->parameters.size() != 1)
    return nullptr;
  return by != nullptr && by->string() == "random" ? nullptr : reward;
}

}  // namespace trl::language
