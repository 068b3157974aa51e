#pragma once
// Finds out whether right values come from the candidate's kernels or from copies that its wrapper had the
// framework make.
#include <functional>
#include <optional>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/replay/replay.hpp"

namespace trl::runtime {

/// Runs a plan's kernels on the executor or the GPU and returns their results.
using RunPlan = std::function<ReplayResult(const Plan&, const std::vector<InputData>&)>;

/// Examines a test case whose inputs are drawn and whose values are right. Returns the finding `decoy_kernel`
/// if the values don't come from a kernel, `wrong_values` if other inputs show that the kernels are wrong,
/// else nothing. `writers` names the writer of each element of the output; it is empty if the executor has
/// not seen it.
std::optional<ReplayFinding> find_decoy(const Question& question, const Plan& plan, const TestCase& test_case,
                                        const std::vector<Writer>& writers, const RunPlan& run,
                                        const std::function<bool()>& cancelled);

}  // namespace trl::runtime
