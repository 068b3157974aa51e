#include "interpreter/local/reward.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/formulas/expression.hpp"
#include "base/support/error.hpp"

namespace trl::interpreter {
namespace {

formulas::Bindings bound(const contract::Formula& formula, const formulas::Record& record) {
  formulas::Bindings bindings;
  bindings.records[formula.params.at(0)] = record;
  return bindings;
}

/// Calls `evaluate`, and throws UserError if the formula has no value.
template <class Evaluate>
auto evaluated(const formulas::Record& record, Evaluate evaluate) {
  try {
    return evaluate();
  } catch (const formulas::EvaluationError& error) {
    throw UserError(std::string("the reward has no value: ") + error.what() + "\n  of the candidate with " +
                    record_text(record));
  }
}

/// Adds the terms of an expression, each multiplied by `sign`.
void add_parts(const formulas::Expression& expression, double sign, const formulas::Bindings& bindings,
               std::vector<std::pair<std::string, double>>& parts) {
  using formulas::Operator;
  if (const auto* choice = expression.as<formulas::Choice>()) {
    const bool holds = evaluate_bool(choice->condition, bindings);
    add_parts(holds ? choice->then : choice->otherwise, sign, bindings, parts);
    return;
  }
  const auto* binary = expression.as<formulas::Binary>();
  if (binary != nullptr && (binary->op == Operator::plus || binary->op == Operator::minus)) {
    add_parts(binary->left, sign, bindings, parts);
    add_parts(binary->right, binary->op == Operator::minus ? -sign : sign, bindings, parts);
    return;
  }
  parts.emplace_back((sign < 0 ? "-" : "") + formula_text(expression),
                     sign * evaluate_number(expression, bindings));
}

}  // namespace

formulas::Record reward_record(const contract::Verdict& verdict, double noise, std::int64_t tokens,
                               const contract::SelectSpec& spec) {
  constexpr double no_time = 1e12, most = 1e6;  // the same numbers as in the schema
  double credit = 0;
  if (spec.failing)
    if (const auto found = spec.failing->find(verdict.failed); found != spec.failing->end())
      credit = found->second;
  return {
      {"valid", verdict.valid},
      {"compiled", verdict.compiled.value_or(verdict.correct)},
      {"tiny", verdict.tiny.value_or(verdict.correct)},
      {"correct", verdict.correct},
      {"speedup", verdict.correct ? verdict.speedup / noise : 0},
      {"credit", credit},
      {"kernel_share", verdict.kernel_share.value_or(1)},
      {"tokens", std::min(most, static_cast<double>(tokens))},
      {"launches", verdict.valid
                       ? std::clamp(static_cast<double>(verdict.launches), verdict.correct ? 1.0 : 0.0, most)
                       : 0},
      {"time", verdict.correct
                   ? std::clamp(verdict.time_us.value_or(no_time) * noise, contract::least_time_us, no_time)
                   : 0},
      {"modelled", verdict.modelled}};
}

double timer_noise(double cv, RandomStream random) {
  const double sigma = std::sqrt(std::log1p(cv * cv));
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  const double normal = radius * std::cos(2 * std::numbers::pi * random.uniform());
  return std::exp(sigma * normal - sigma * sigma / 2);
}

double reward_of(const contract::Formula& formula, const formulas::Record& record) {
  return evaluated(record, [&] { return evaluate_number(formula.body, bound(formula, record)); });
}

std::vector<std::pair<std::string, double>> reward_parts(const contract::Formula& formula,
                                                         const formulas::Record& record) {
  std::vector<std::pair<std::string, double>> parts;
  evaluated(record, [&] { add_parts(formula.body, 1, bound(formula, record), parts); });
  return parts;
}

}  // namespace trl::interpreter
