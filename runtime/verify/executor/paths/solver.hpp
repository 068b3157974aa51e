#pragma once
// Values that turn a decision.
#include <vector>

#include "runtime/verify/executor/paths/expression.hpp"

namespace trl::executor {

/// Numbers from `low` to `high` in the variables, or in all of them where several are named.
struct Solution {
  std::vector<std::size_t> variables;
  double low = 0, high = 0;
};

/// At most a dozen; none where none was found.
std::vector<Solution> solve(Expression& expression, std::size_t part, std::uint8_t way);

}  // namespace trl::executor
