// CUDA C++ formulas of the operators, in f32.
#pragma once

#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime::cuda {

/// Writes a number as a C++ float literal: 2 becomes "2.0f".
std::string literal(double number);

/// Returns the C++ expression of an elementwise or binary operator. `args` are variables or numbers that
/// stand for its arguments.
std::string elementwise(const Expression& node, const std::vector<std::string>& args);

enum class Combination { sum, max, min };

/// A total over a line (a row or column), such as a sum, to which each element of the line contributes a
/// term.
struct Total {
  const char* name;  ///< the name of the variable that holds it
  Combination combination;
  std::string of;      ///< the term of one element; {v} stands for its value, {a} for an earlier total
  std::string finish;  ///< the final value of the total; {r} stands for the combined terms, {L} for the
                       ///< line's length, {eps} for the operator's eps
};

/// The formulas of an operator along an axis: its totals, which are computed one after another, and its value
/// at an element. In `value`, {v} stands for the argument's value at the element, and {a}, {b} for the first
/// and second total. The value of a reduction is its last total. The operator cumsum has no total.
struct Along {
  std::vector<Total> totals;
  std::string value;
};
/// Returns the formulas of an operator along an axis. Throws UserError for an operator that has none.
Along along(Operator op);

}  // namespace trl::runtime::cuda
