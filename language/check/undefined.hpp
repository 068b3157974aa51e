// Formulas that may have no value, for the rules about rewards and curricula.
#pragma once
#include <optional>
#include <string>

#include "base/formulas/interval.hpp"

namespace trl::language {

/// Returns advice on how to change a logarithm, a root or a power so that it always has a finite value: "give
/// log a number above 0: `log(max(c.speedup, 0.01))`".
std::string remedy_of_undefined(const formulas::Expression& part);

/// Returns the formula with as few clamps as make it have a value in [0, 1] for all values in the ranges: of
/// its logarithms, roots and powers, and then of a branch or the whole. Nothing if clamps alone don't.
std::optional<formulas::Expression> kept_in_range(const formulas::Expression& formula,
                                                  const formulas::Ranges& ranges);

}  // namespace trl::language
