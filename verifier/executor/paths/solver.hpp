#pragma once
// Searches for values of variables that make a decision go a given way.
#include <vector>

#include "verifier/executor/paths/expression.hpp"

namespace trl::executor {

/// A solution: any number from `low` to `high`, as the value of each variable in `variables` (indices into
/// Expression::variables()) at the same time.
struct Solution {
  std::vector<std::size_t> variables;
  double low = 0, high = 0;
};

/// Returns at most twelve solutions with which part `part` of the decision goes `way` (Expression::goes), or
/// values next to such solutions. Empty when the search found none.
std::vector<Solution> solve(Expression& expression, std::size_t part, std::uint8_t way);

}  // namespace trl::executor
