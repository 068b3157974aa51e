// Formulas that may have no value, for the rules about rewards and curricula.
#pragma once
#include <string>

#include "base/formulas/expression.hpp"

namespace trl::language {

/// Returns advice on how to change a logarithm, a root or a power so that it always has a finite value: "give
/// log a number above 0: `log(max(c.speedup, 0.01))`".
std::string remedy_of_undefined(const formulas::Expression& part);

}  // namespace trl::language
