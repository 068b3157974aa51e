#pragma once
// Why an output is wrong, where its values tell: precision, or range.
#include <vector>

#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"
#include "runtime/verify/compare/tolerance.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// A finding `wrong_values` about an output becomes `low_precision` where all values are those of an honest
/// computation in TF32 or half precision, and `overflow` where those that are wrong are infinite or no
/// number where the reference is finite, with extreme inputs; its message says so. Others stay.
void explain_values(ReplayFinding& wrong, const Task& task, const Variation& variation,
                    const std::vector<InputData>& inputs, const Expected& expected,
                    const std::vector<double>& output, Precision allowed);

}  // namespace trl::runtime
