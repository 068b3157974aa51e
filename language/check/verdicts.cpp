#include "language/check/verdicts.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "base/formulas/evaluate.hpp"
#include "base/formulas/members.hpp"

namespace trl::language {

std::vector<const Resolved*> stagings(const Inspection::Stage& stage) {
  std::vector<const Resolved*> ways = {nullptr};
  for (const Resolved* extension : stage.extensions)
    if (extension->is_a("staged_evaluation")) ways.push_back(extension);
  return ways;
}

namespace {

/// If the reward reads tokens or launches: raises `best` to the highest reward that a candidate with this
/// verdict can get with any number of them. Each counterexample of the current bound is a candidate with a
/// higher reward.
void raise(std::optional<Best>& best, const char* failed, const Resolved* way, const Value& reward,
           const formulas::Record& verdict, const Schema& schema, const Resolved& train) {
  const std::string& parameter = reward.parameters.at(0);
  const std::string text = formula_text(reward.formula);
  const bool asks =
      text.find(parameter + ".tokens") != text.npos || text.find(parameter + ".launches") != text.npos;
  if (!asks || !best) return;
  formulas::Ranges ranges = ranges_of(reward, schema, train);
  ranges.implications.clear();  // the verdict itself names what is implied
  for (const auto& [name, value] : verdict) {
    if (name == "tokens" || name == "launches") continue;
    const bool truth = std::holds_alternative<bool>(value);
    const double number = truth ? static_cast<double>(std::get<bool>(value)) : std::get<double>(value);
    ranges.values[parameter + "." + name] = {formulas::closed(number, number), truth};
  }
  if (failed == std::string_view("syntax"))
    ranges.values[parameter + ".launches"] = formulas::Domain::number(0, 0);
  constexpr int most_steps = 16;
  for (int step = 0; step < most_steps; ++step) {
    const formulas::Proof proof =
        prove_within(reward.formula, ranges, -std::numeric_limits<double>::max(), best->reward);
    if (proof.verdict != formulas::Proof::Verdict::Refuted || !(proof.value > best->reward)) return;
    best = Best{failed, proof.value, way};
  }
}

/// Evaluates the reward of every verdict that a failed candidate can get. Without staged evaluation, credit
/// is 0.
std::optional<Best> best_incorrect(const Value& reward, const Inspection::Stage& stage,
                                   const Schema& schema) {
  constexpr std::array<const char*, 4> stages = {"syntax", "compile", "tiny", "full"};
  std::optional<Best> best;
  formulas::Bindings bindings;
  formulas::Record& verdict = bindings.records[reward.parameters.at(0)];
  verdict = {{"correct", false}, {"speedup", 0.0}, {"time", 0.0}, {"tokens", 0.0}};
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
          // Without a plan there is nothing that PyTorch could have computed.
          for (const double kernel_share : {1.0, 0.75}) {
            if (i == 0 && kernel_share < 1) continue;
            verdict["kernel_share"] = kernel_share;
            for (const bool modelled : {true, false}) {
              verdict["modelled"] = modelled;
              verdict["launches"] = i == 0 ? 0.0 : 1.0;
              try {
                const double value = evaluate_number(reward.formula, bindings);
                if (!best || value > best->reward) best = Best{stages[i], value, way};
              } catch (const formulas::EvaluationError&) {
                // Other rules report formulas that have no value.
              }
              raise(best, stages[i], way, reward, verdict, schema, *stage.train);
            }
          }
        }
    }
  }
  return best;
}

}  // namespace

formulas::Ranges ranges_when_correct(const Value& reward, const Schema& schema, const Resolved& train) {
  formulas::Ranges ranges = ranges_of(reward, schema, train);
  for (const std::string& parameter : reward.parameters) {
    for (const char* truth : {"valid", "compiled", "tiny", "correct"})
      ranges.values[parameter + "." + truth] = {formulas::closed(1, 1), true};
    ranges.values[parameter + ".credit"] = formulas::Domain::number(0, 0);
    for (const auto& [field, least] : least_when_correct)
      ranges.values[parameter + field].interval.low = least;
  }
  return ranges;
}

const RewardFacts& reward_facts(Inspection& inspection, const Inspection::Stage& stage) {
  auto& known = inspection.reward_facts[&stage];
  if (known) return *known;
  const Value& reward = *stage.train->field("reward");
  RewardFacts facts{best_incorrect(reward, stage, inspection.schema), true};
  if (facts.incorrect)
    facts.prefers_correct =
        prove_within(reward.formula, ranges_when_correct(reward, inspection.schema, *stage.train),
                     -std::numeric_limits<double>::max(), facts.incorrect->reward)
            .verdict != formulas::Proof::Verdict::Proven;
  return *(known = std::make_shared<const RewardFacts>(std::move(facts)));
}

std::vector<std::string> paid_unchecked(const Value& reward, const Schema& schema, const Resolved& train,
                                        double least) {
  const std::string text = formula_text(reward.formula), parameter = reward.parameters.at(0) + ".";
  if (text.find(parameter + "correct") != text.npos) return {};
  std::vector<std::string> asked;
  for (const char* truth : {"compiled", "tiny", "valid"})
    if (text.find(parameter + truth) != text.npos) asked.push_back(parameter + truth);
  if (asked.empty()) return {};
  formulas::Ranges ranges = ranges_of(reward, schema, train);
  ranges.values[parameter + "correct"] = {formulas::closed(0, 0), true};
  for (const char* nothing : {"credit", "speedup"})
    ranges.values[parameter + nothing] = formulas::Domain::number(0, 0);
  using Verdict = formulas::Proof::Verdict;
  constexpr double lowest = -std::numeric_limits<double>::max();
  if (prove_within(reward.formula, ranges, lowest, least).verdict != Verdict::Refuted) return {};
  for (const std::string& truth : asked) ranges.values[truth] = {formulas::closed(0, 0), true};
  return prove_within(reward.formula, ranges, lowest, least).verdict == Verdict::Proven
             ? asked
             : std::vector<std::string>();
}

double reward_where(const Value& reward, const Schema& schema, const Resolved& train,
                    const std::vector<std::pair<const char*, double>>& fields) {
  formulas::Ranges ranges = ranges_when_correct(reward, schema, train);
  std::map<std::string, double> values = {{".time", ordinary_time}, {".speedup", 1}, {".launches", 1},
                                          {".tokens", 200},         {".credit", 1},  {".kernel_share", 1}};
  for (const auto& [field, value] : fields) values[field] = value;
  for (const std::string& parameter : reward.parameters)
    for (const auto& [field, value] : values)
      if (const auto found = ranges.values.find(parameter + field); found != ranges.values.end())
        found->second = formulas::Domain::number(value, value);
  const formulas::Interval all = bound(reward.formula, ranges);
  return (all.low + all.high) / 2;
}

const Value* selecting_reward(const Inspection::Stage& stage) {
  const Value *reward = stage.train->field("reward"), *by = stage.train->field("keep_by");
  if (reward == nullptr || !reward->is(Value::Kind::formula) || reward->parameters.size() != 1)
    return nullptr;
  if (!stage.train->sound("keep_by")) return nullptr;
  // A control may have a reward that sees nothing of what an answer does, to be as good as none.
  if (stage.control) {
    const auto read = formulas::members_read(reward->formula);
    if (std::all_of(read.begin(), read.end(), [](const std::string& name) { return name == "tokens"; }))
      return nullptr;
  }
  return by != nullptr && by->string() == "random" ? nullptr : reward;
}

}  // namespace trl::language
