// How CUDA C++ writes the operators, in f32.
#pragma once

#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime::cuda {

/// A number as C++ writes a float: 2 is "2.0f".
std::string literal(double number);

/// The value of an elementwise or binary operator whose arguments' values are `args`, names or numbers.
std::string elementwise(const Expression& node, const std::vector<std::string>& args);

enum class Combination { sum, max, min };

/// A number that all threads of a line come to together.
struct Total {
  const char* name;  ///< of its variable
  Combination combination;
  std::string of;      ///< what an element adds: {v} is its value, {a} the total before
  std::string finish;  ///< what becomes of it: {r} is what was combined, {L} the line's length, {eps}
};

/// An operator along an axis: totals, one after another, and the value at an element, in which {v} is the
/// argument's value and {a}, {b} are the totals. The value of a reduction is its last total; cumsum has no
/// total.
struct Along {
  std::vector<Total> totals;
  std::string value;
};
/// Throws UserError for an operator that isn't written along an axis.
Along along(Operator op);

}  // namespace trl::runtime::cuda
