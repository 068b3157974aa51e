// How closely a formula's forms hold their parts together: for those who write formulas as text.
#pragma once
#include "base/formulas/expression.hpp"

namespace trl::formulas {

/// A form needs parentheses within one of a higher precedence; an `atom` needs them nowhere.
namespace precedence {
constexpr int choice = 0, disjunction = 1, conjunction = 2, negation = 3, comparison = 4, sum = 5,
              product = 6, negative = 7, power = 8, atom = 9;
}

int precedence_of(Operator op);

}  // namespace trl::formulas
