// Formulas that may have no value, for the rules about rewards and curricula.
#pragma once
#include <string>

#include "base/formulas/expression.hpp"

namespace trl::language {

/// Returns how a logarithm, a root or a power that may be undefined or infinite gets a value: "give log a
/// number above 0: `log(max(c.speedup, 0.01))`".
std::string remedy_of_undefined(const formulas::Expression& part);

}  // namespace trl::language
