#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(zero_denominator)
namespace {

/// The number that keeps a denominator from 0: of counts and speedups 1, so that 1 over it is a reward.
std::string least_of(const formulas::Expression& denominator) {
  const auto* member = denominator.as<formulas::Member>();
  const bool one = member != nullptr &&
                   (member->name == "tokens" || member->name == "launches" || member->name == "speedup");
  return one ? "1" : "0.01";
}

void examine(Inspection& inspection, const Value& formula, const Resolved& owner) {
  for (const formulas::ZeroDenominator& zero :
       zero_denominators(formula.formula, ranges_of(formula, inspection.schema))) {
    Range range = formula.range;
    if (const auto& at = zero.denominator.at(); at && formula.given) range = {range.file, at->begin, at->end};
    inspection.report(found(rules::zero_denominator, range,
                            zero.certain ? "this denominator can be zero"
                                         : "this denominator is not proven to differ from zero")
                          .helped("keep it away from zero: `max(" + formula_text(zero.denominator) + ", " +
                                  least_of(zero.denominator) + ")`"),
                      {&owner});
  }
}

void check_zero_denominator(Inspection& inspection) {
  for (const auto& stage : inspection.stages())
    for (const char* field : {"reward", "plan_reward"})
      if (const Value* reward = stage.train->field(field);
          reward != nullptr && reward->is(Value::Kind::formula))
        examine(inspection, *reward, *stage.train);
  for (const Resolved* extension : inspection.extensions())
    if (const Value* share = extension->field("share"))
      for (const auto& [group, value] : share->entries)
        if (value.is(Value::Kind::formula)) examine(inspection, value, *extension);
}

}  // namespace

const Rule rules::zero_denominator{
    "zero_denominator",
    Severity::warning,
    true,
    "A division by something that can be zero fails in the first round in which it is zero.",
    R"(import example
extension p : adaptive_curriculum { share { hard = min(0.1 / max(accuracy(easy), 0.2), 1), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
    R"(import example
train t : example.reinforce { reward(c) = if c.correct then clamp(200 / c.tokens, 0, 1) else 0 }
experiment e : example.study { train = t }
)",
    check_zero_denominator};

}  // namespace trl::language
