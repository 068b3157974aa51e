#pragma once
// Where operators have a value: a column of their table.
#include <cstddef>
#include <limits>

#include "base/operators/operator.hpp"

namespace trl::operators {

/// Where an operator has a value, and where its value jumps. Rounding of an argument that lies in the domain
/// doesn't take it out of the domain.
struct Domain {
  std::size_t argument = 0;                                 ///< the tensor argument whose domain this is
  double least = -std::numeric_limits<double>::infinity();  ///< for smaller numbers the value is NaN
  bool whole_powers = false;  ///< whether every number has a value where the exponent is a whole number
  bool zero = false;          ///< whether at 0 the value is infinite or NaN, or depends on the side of the 0
  double step = 0;  ///< the height of jumps between two numbers that are next to each other; 0: none
};

const Domain& domain_of(Operator op);

}  // namespace trl::operators
