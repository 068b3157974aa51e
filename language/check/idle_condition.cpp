#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/formulas/interval.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(idle_condition)
namespace {

using formulas::Expression;
using formulas::Operator;

/// `shortest_launch`: the microseconds of an empty launch; no kernel takes less. `largest_speedup`: a
/// speed-up over PyTorch that no kernel reaches.
constexpr double shortest_launch = 1, largest_speedup = 50;
/// A bound of `min` that is this many times larger than every value is on another scale, such as percent.
constexpr double far_above = 4;

Expression both(const Expression& a, const Expression& b) {
  return Expression(formulas::Node{formulas::Binary{Operator::conjunction, a, b}});
}
Expression negated(const Expression& a) { return Expression(formulas::Node{formulas::Negation{a}}); }
Expression compared(const Expression& a, Operator op, double number) {
  return Expression(
      formulas::Node{formulas::Binary{op, a, Expression(formulas::Node{formulas::Number{number}})}});
}

/// Returns the ranges of values that can occur: the ranges of the schema, without speed-ups that no kernel
/// reaches, and with the implications between the booleans of a verdict and the least time of a correct
/// answer.
formulas::Ranges ranges_that_occur(const Value& formula, const Schema& schema, const Resolved* train) {
  formulas::Ranges out = train == nullptr ? ranges_of(formula, schema) : ranges_of(formula, schema, *train);
  for (const std::string& parameter : formula.parameters) {
    if (const auto speedup = out.values.find(parameter + ".speedup"); speedup != out.values.end())
      speedup->second.interval.high = largest_speedup;
    const auto implies = [&](const char* truth, const char* other) {
      out.implications.push_back({parameter + truth, true, parameter + other, formulas::closed(1, 1)});
    };
    for (const char* other : {".valid", ".compiled", ".tiny"}) implies(".correct", other);
    for (const char* truth : {".compiled", ".tiny"}) implies(truth, ".valid");
    out.implications.push_back({parameter + ".correct", true, parameter + ".time",
                                formulas::closed(shortest_launch, formulas::infinity)});
  }
  return out;
}

/// Finds the conditions of a formula that never hold or always hold, and the bounds that never take effect.
class IdleParts {
 public:
  struct Finding {
    Expression at;
    std::string message, help, instead = {};
  };

  IdleParts(formulas::Ranges ranges, bool of_verdict) : ranges_(std::move(ranges)), of_verdict_(of_verdict) {}

  std::vector<Finding> findings;

  void visit(const Expression& e, const std::vector<Expression>& path) {
    if (const auto* choice = e.as<formulas::Choice>()) {
      const std::size_t before = findings.size();
      if (of_verdict_) condition(choice->condition, path);
      if (findings.size() != before) return;  // what stands behind it says the same once more
      visit(choice->then, with(path, choice->condition));
      const std::size_t behind = findings.size();
      visit(choice->otherwise, with(path, negated(choice->condition)));
      if (of_verdict_) ends_early(*choice, path, behind);
      return;
    }
    if (of_verdict_ && swapped_clamp(e)) return;
    for (const bool least : {true, false})
      if (const auto [bound, of] = bounded(e, least ? "min" : "max"); bound != nullptr)
        examine_bound(e, least, *of, bound->value, path);
    formulas::each_part(e.node(), [&](const Expression& part) { visit(part, path); });
  }

 private:
  /// Reports a sum behind `else` of which only the first term can be above 0 there: `if c then 0.8 else 0 +
  /// 0.2 * s` was probably meant as `(if c then 0.8 else 0) + 0.2 * s`. Replaces the findings from index
  /// `behind` on, which are about its parts.
  void ends_early(const formulas::Choice& choice, const std::vector<Expression>& path, std::size_t behind) {
    const auto* sum = choice.otherwise.as<formulas::Binary>();
    if (sum == nullptr || sum->op != Operator::plus ||
        formula_text(sum->right).find('.') == std::string::npos)
      return;
    if (!never(with(path, negated(choice.condition)), compared(sum->right, Operator::greater, 0))) return;
    findings.resize(behind);
    const std::string term = formula_text(sum->right),
                      instead = fmt::format("(if {} then {} else {}) + {}", formula_text(choice.condition),
                                            formula_text(choice.then), formula_text(sum->left), term);
    findings.push_back({choice.otherwise,
                        fmt::format("`{}` is always 0 here: `else` takes all that follows, and only answers "
                                    "without `{}` come to it",
                                    term, formula_text(choice.condition)),
                        "end the choice by parentheses: `" + instead + "`"});
  }

  /// The bound of a call of `min` or `max`, and the other argument; null if it has no bound.
  static std::pair<const formulas::Number*, const Expression*> bounded(const Expression& e,
                                                                       std::string_view function) {
    const auto* call = e.as<formulas::Call>();
    if (call == nullptr || call->function != function || call->arguments.size() != 2) return {};
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}})
      if (const auto* number = call->arguments[i].as<formulas::Number>())
        return {number, &call->arguments[1 - i]};
    return {};
  }

  /// Reports `max(min(x, 0), 1)`, which is 1 whatever x is: the bounds of a clamp are swapped.
  bool swapped_clamp(const Expression& e) {
    for (const bool outer_is_max : {true, false}) {
      const auto [outer, inside] = bounded(e, outer_is_max ? "max" : "min");
      if (outer == nullptr) continue;
      const auto [inner, of] = bounded(*inside, outer_is_max ? "min" : "max");
      if (inner == nullptr || (outer_is_max ? inner->value >= outer->value : inner->value <= outer->value))
        continue;
      const std::string instead =
          fmt::format("clamp({}, {:.6g}, {:.6g})", formula_text(*of), std::min(inner->value, outer->value),
                      std::max(inner->value, outer->value));
      findings.push_back({e,
                          fmt::format("`{}` is {:.6g} whatever `{}` is: its bounds are swapped",
                                      formula_text(e), outer->value, formula_text(*of)),
                          "write `" + instead + "`", instead});
      return true;
    }
    return false;
  }

  static std::vector<Expression> with(std::vector<Expression> path, Expression more) {
    path.push_back(std::move(more));
    return path;
  }

  /// Whether the condition is proven to hold nowhere on the path.
  bool never(const std::vector<Expression>& path, Expression condition) const {
    for (std::size_t i = path.size(); i > 0; --i) condition = both(path[i - 1], condition);
    return prove_within(condition, ranges_, 0, 0).verdict == formulas::Proof::Verdict::Proven;
  }

  void condition(const Expression& e, const std::vector<Expression>& path) {
    const auto* binary = e.as<formulas::Binary>();
    if (binary != nullptr && formulas::is_logic(binary->op)) {
      const bool joined = binary->op == Operator::conjunction;
      const std::size_t before = findings.size();
      condition(binary->left, path);
      condition(binary->right, with(path, joined ? binary->left : negated(binary->left)));
      if (findings.size() != before || joined) return;
      if (never(with(path, negated(binary->right)), binary->left))
        findings.push_back({e,
                            fmt::format("`{}` changes nothing beside `{}`, which holds wherever it holds",
                                        formula_text(binary->left), formula_text(binary->right)),
                            fmt::format("ask `{}` alone, or give each its own value: `if {} then … else if "
                                        "{} then … else 0`",
                                        formula_text(binary->left), formula_text(binary->left),
                                        formula_text(binary->right))});
      return;
    }
    const bool compares = binary != nullptr && formulas::is_comparison(binary->op);
    const bool truth = e.as<formulas::Member>() != nullptr;
    if (!compares && !truth) return;
    if (never(path, e)) {
      findings.push_back({e, fmt::format("`{}` never holds here", formula_text(e)), help_for_condition(e)});
      return;
    }
    // A condition that compares with 0, such as `c.speedup > 0`, may always hold and is harmless.
    if (!compares || zero(binary->left) || zero(binary->right) || !never(path, negated(e))) return;
    findings.push_back({e, fmt::format("`{}` always holds here", formula_text(e)), help_for_condition(e)});
  }

  static bool zero(const Expression& e) {
    const auto* number = e.as<formulas::Number>();
    return number != nullptr && number->value == 0;
  }

  std::string help_for_condition(const Expression& e) const {
    const std::string text = formula_text(e);
    if (text.find(".time") != text.npos)
      return "`c.time` is in microseconds, and a kernel takes 1 or more: 1 ms is 1000. `c.speedup` compares "
             "tasks of any size";
    if (text.find(".speedup") != text.npos)
      return "`c.speedup` is a factor: 1.2 is 20 % faster than PyTorch, and 0.8 slower; few kernels reach 10";
    if (text.find(".tokens") != text.npos)
      return "`c.tokens` goes up to `max_tokens`: compare it with less than that, or leave this out";
    if (text.find(".credit") != text.npos) return "`c.credit` is 0 for a correct answer, and at most 1";
    return "`c.correct` implies `c.tiny`, `c.compiled` and `c.valid`: ask what is rarer first, `if c.correct "
           "then … else if c.compiled then … else 0`";
  }

  /// Examines `e`, which is `min(of, bound)`, or `max(of, bound)` if it isn't the least of the two.
  void examine_bound(const Expression& e, bool least, const Expression& of, double bound,
                     const std::vector<Expression>& path) {
    if (of.as<formulas::Number>() != nullptr) return;
    const std::string text = formula_text(of);
    if (least && bound > 0 && of_verdict_ && never(path, compared(of, Operator::greater, 0))) {
      findings.push_back({e, fmt::format("`{}` is never above 0 here, so that this pays nothing", text),
                          "`c.speedup` and `c.time` are 0 for answers that aren't correct: pay them where "
                          "`c.correct` holds, or leave this out"});
      return;
    }
    if (least && bound > 0 && never(path, compared(of, Operator::greater, bound / far_above))) {
      findings.push_back(
          {e,
           fmt::format("`{}` never comes near {:.6g}: it is at most {:.3g}, so that this bound does nothing",
                       text, bound, formulas::bound(of, ranges_).high),
           fmt::format(
               "shares and accuracies go from 0 to 1, not to 100: divide by the value at which `{}` is to "
               "reach {:.6g}, or leave the bound out",
               text, bound)});
      return;
    }
    if (!of_verdict_) return;  // curriculum_saturated reports shares that stay as they are
    const Operator inside = least ? Operator::less : Operator::greater;
    if (!never(path, compared(of, inside, bound))) return;
    findings.push_back({e,
                        fmt::format("`{}` is {:.6g} whatever `{}` is, which is never {}", formula_text(e),
                                    bound, text, least ? "below that" : "above that"),
                        fmt::format("`min` takes the smaller and `max` the larger of two: write `{}({}, "
                                    "{:.6g})`, or {:.6g} alone",
                                    least ? "max" : "min", text, bound, bound)});
  }

  formulas::Ranges ranges_;
  bool of_verdict_;
};

void examine_idle_parts(Inspection& inspection, const Value& formula, const Resolved& owner,
                        const Resolved* train) {
  IdleParts parts(ranges_that_occur(formula, inspection.schema, train), train != nullptr);
  parts.visit(formula.formula, {});
  for (const auto& finding : parts.findings) {
    Range range = formula.range;
    if (const auto& at = finding.at.at(); at && formula.given) range = {range.file, at->begin, at->end};
    auto d = found(rules::idle_condition, range, finding.message);
    d.helped(finding.help);
    if (!finding.instead.empty() && formula.given) d.suggest(finding.help, range, finding.instead);
    inspection.report(std::move(d), {&owner});
  }
}

void check_idle_condition(Inspection& inspection) {
  for (const auto& stage : inspection.stages())
    for (const char* field : {"reward", "plan_reward"}) {
      const Value* reward = stage.train->field(field);
      if (reward == nullptr || !reward->is(Value::Kind::formula) || !reward->given) continue;
      examine_idle_parts(inspection, *reward, *stage.train, stage.train);
    }
  for (const Resolved* extension : inspection.extensions())
    if (const Value* share = extension->field("share"))
      for (const auto& [group, value] : share->entries)
        if (value.is(Value::Kind::formula)) examine_idle_parts(inspection, value, *extension, nullptr);
}

}  // namespace

const Rule rules::idle_condition{"idle_condition",
                                 Severity::warning,
                                 true,
                                 "A condition that holds never or always, and a bound that no value reaches, "
                                 "do nothing: often a number is "
                                 "on another scale.",
                                 R"(import example
train t : example.reinforce { reward(c) = if c.correct then (if c.time < 100 then 1 else 0.6) else 0 }
experiment e : example.study { train = t }
)",
                                 R"(import example
train t : example.reinforce { reward(c) = if c.correct then (if c.time < 0.001 then 1 else 0.6) else 0 }
experiment e : example.study { train = t }
)",
                                 check_idle_condition};

}  // namespace trl::language
