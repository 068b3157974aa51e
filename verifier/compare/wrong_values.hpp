#pragma once
// Explains wrong outputs by precision or range, where the values show it.
#include <vector>

#include "verifier/compare/tolerance.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Changes a finding `wrong_values` into `low_precision` where an honest computation in TF32 or half
/// precision gives all the values. Wrong integers are never that, nor are small errors with a pattern that
/// rounding doesn't make: of one proportion, of one sign, or a smooth function of the value. With extreme
/// inputs, it changes it into `overflow` where all wrong values are infinite or NaN and the reference is
/// finite. The message then says so. Other findings stay.
void explain_values(ReplayFinding& wrong, const Task& task, const Variation& variation,
                    const std::vector<InputData>& inputs, const Expected& expected,
                    const std::vector<double>& output, Precision allowed);

}  // namespace trl::runtime
