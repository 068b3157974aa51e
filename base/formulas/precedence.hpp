// The precedence of each form of a formula, for code that writes formulas as text.
#pragma once
#include "base/formulas/expression.hpp"

namespace trl::formulas {

/// A form is put in parentheses where it is part of a form with a higher precedence; an `atom` never is.
namespace precedence {
constexpr int choice = 0, disjunction = 1, conjunction = 2, negation = 3, comparison = 4, sum = 5,
              product = 6, negative = 7, power = 8, atom = 9;
}

int precedence_of(Operator op);

}  // namespace trl::formulas
