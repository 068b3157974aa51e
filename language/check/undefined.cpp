#include "language/check/undefined.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace trl::language {
namespace {

/// Returns the expression of which a logarithm should be taken instead: its argument, without a clamp whose
/// bound is 0 or less.
formulas::Expression within_log(const formulas::Expression& argument) {
  const auto* call = argument.as<formulas::Call>();
  if (call != nullptr && call->function == "max" && call->arguments.size() == 2)
    for (const bool first : {true, false}) {
      const auto* number = call->arguments[first ? 0 : 1].as<formulas::Number>();
      if (number != nullptr && number->value <= 0) return call->arguments[first ? 1 : 0];
    }
  return argument;
}

using formulas::Expression;

Expression number(double value) {
  return formulas::Node{formulas::Number{value, value == std::floor(value)}};
}

Expression call(const char* function, std::vector<Expression> arguments) {
  return formulas::Node{formulas::Call{function, std::move(arguments)}};
}

/// A logarithm, a root or a power, of which what it is taken of is clamped so that it has a value.
Expression clamped_argument(const Expression& part, const formulas::Ranges& ranges) {
  // e^20 is 5e8, beyond every reward; a base of 1000 keeps usual powers finite.
  constexpr double least = 0.01, most_exponent = 20, most_base = 1000;
  if (const auto* of = part.as<formulas::Call>(); of != nullptr && !of->arguments.empty()) {
    const Expression& argument = of->arguments[0];
    if (of->function == "log") return call("log", {call("max", {within_log(argument), number(least)})});
    if (of->function == "sqrt") return call("sqrt", {call("max", {argument, number(0)})});
    return call(of->function.c_str(), {call("min", {argument, number(most_exponent)})});
  }
  const auto* power = part.as<formulas::Binary>();
  if (power == nullptr) return part;
  const Expression base = bound(power->left, ranges).low >= 0
                              ? call("min", {power->left, number(most_base)})
                              : call("clamp", {power->left, number(0), number(most_base)});
  return formulas::Node{formulas::Binary{power->op, base, power->right}};
}

/// The formula with every occurrence of a part replaced.
Expression with_part(const Expression& whole, const Expression& part, const Expression& instead) {
  const nlohmann::json from = without_places(part).write(), to = without_places(instead).write();
  const std::function<void(nlohmann::json&)> exchange = [&](nlohmann::json& at) {
    if (at == from)
      at = to;
    else if (at.is_structured())
      for (auto& inner : at) exchange(inner);
  };
  nlohmann::json changed = without_places(whole).write();
  exchange(changed);
  return Expression::read(changed);
}

/// Returns the formula limited to 0..1, by `min`, `max` or `clamp`, whichever its possible values need.
Expression clamped(const Expression& formula, const formulas::Ranges& ranges) {
  const formulas::Interval values = bound(formula, ranges);
  if (values.low == values.high) return number(std::clamp(values.low, 0.0, 1.0));
  if (values.low >= 0) return call("min", {formula, number(1)});
  if (values.high <= 1) return call("max", {formula, number(0)});
  return call("clamp", {formula, number(0), number(1)});
}

}  // namespace

std::optional<Expression> kept_in_range(const Expression& formula, const formulas::Ranges& ranges) {
  using Verdict = formulas::Proof::Verdict;
  constexpr double most = std::numeric_limits<double>::max();
  constexpr int most_parts = 8;
  Expression whole = without_places(formula);
  for (int i = 0; i < most_parts; ++i) {
    const auto proof = prove_within(whole, ranges, -most, most);
    if (proof.verdict == Verdict::Proven || !proof.undefined) break;
    whole = with_part(whole, *proof.undefined, clamped_argument(*proof.undefined, ranges));
  }
  std::vector<Expression> ways = {whole};
  if (const auto* choice = whole.as<formulas::Choice>()) {
    const Expression then = clamped(choice->then, ranges), otherwise = clamped(choice->otherwise, ranges);
    ways.emplace_back(formulas::Node{formulas::Choice{choice->condition, then, choice->otherwise}});
    ways.emplace_back(formulas::Node{formulas::Choice{choice->condition, choice->then, otherwise}});
    ways.emplace_back(formulas::Node{formulas::Choice{choice->condition, then, otherwise}});
  } else {
    ways.push_back(clamped(whole, ranges));
  }
  for (const Expression& way : ways)
    if (prove_within(way, ranges, 0, 1).verdict == Verdict::Proven) return way;
  return std::nullopt;
}

std::string remedy_of_undefined(const formulas::Expression& part) {
  const auto* call = part.as<formulas::Call>();
  const std::string of = call != nullptr && !call->arguments.empty() ? formula_text(call->arguments[0]) : "";
  if (call != nullptr && call->function == "log") {
    const std::string inner = formula_text(within_log(call->arguments[0]));
    return fmt::format(
        "give log a number above 0: `log(max({}, 0.01))`, or ask first: `if {} > 0 then … else 0`", inner,
        inner);
  }
  if (call != nullptr && call->function == "sqrt")
    return fmt::format("give sqrt 0 or more: `sqrt(max({}, 0))`", of);
  if (call != nullptr) return fmt::format("keep it finite: `{}(min({}, …))`", call->function, of);
  const auto* power = part.as<formulas::Binary>();
  if (power == nullptr) return "";
  return fmt::format("keep what is raised to a power between bounds: `clamp({}, 0, …)`",
                     formula_text(power->left));
}

}  // namespace trl::language
