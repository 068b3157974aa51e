#pragma once
// Searches for values that turn a decision.
#include <vector>

#include "verifier/executor/paths/expression.hpp"

namespace trl::executor {

/// Numbers from `low` to `high` for the variables; where several are named, for all of them at once.
struct Solution {
  std::vector<std::size_t> variables;
  double low = 0, high = 0;
};

/// Returns at most a dozen solutions; none where none was found.
std::vector<Solution> solve(Expression& expression, std::size_t part, std::uint8_t way);

}  // namespace trl::executor
