#pragma once
// Finds out whether wrong outputs are due to low precision or overflow.
#include <vector>

#include "verifier/compare/tolerance.hpp"
#include "verifier/replay/replay.hpp"
#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Makes a finding of kind `wrong_values` more specific and explains it in the message:
/// - `low_precision`, if the task computed in TF32 or half precision gives nearly the output's values, or if
///   all of the output's values are numbers of a half type. This doesn't apply to wrong integers.
/// - `overflow`, if the variation is `extreme`, and all wrong values are infinite or NaN where the reference
///   is finite.
///
/// Findings of another kind don't change.
void explain_values(ReplayFinding& wrong, const Task& task, const Variation& variation,
                    const std::vector<InputData>& inputs, const Expected& expected,
                    const std::vector<double>& output, Precision allowed);

}  // namespace trl::runtime
