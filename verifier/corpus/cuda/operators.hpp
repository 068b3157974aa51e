// CUDA C++'s formulas for the operators, in f32.
#pragma once

#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime::cuda {

/// A number as a C++ float: 2 is "2.0f".
std::string literal(double number);

/// The expression of an elementwise or binary operator; `args` are the names or numbers of its arguments.
std::string elementwise(const Expression& node, const std::vector<std::string>& args);

enum class Combination { sum, max, min };

/// A total that the threads of a line compute together.
struct Total {
  const char* name;  ///< the name of its variable
  Combination combination;
  std::string of;      ///< the term that an element adds: {v} is its value, {a} an earlier total
  std::string finish;  ///< how it is finished: {r} is the combined value, {L} the line's length, {eps}
};

/// An operator along an axis: totals, which are computed one after another, and the value at an element, in
/// which {v} is the argument's value and {a}, {b} are the totals. The value of a reduction is its last total;
/// cumsum has no total.
struct Along {
  std::vector<Total> totals;
  std::string value;
};
/// Throws UserError for an operator that can't be written along an axis.
Along along(Operator op);

}  // namespace trl::runtime::cuda
