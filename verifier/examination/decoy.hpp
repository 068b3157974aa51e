#pragma once
// Detects a candidate whose kernels are only a decoy: its right values come from PyTorch's copies, not from
// the kernels.
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

/// Examines a test case whose inputs have been drawn and whose values are right. Returns the finding
/// `decoy_kernel` if the values don't come from a kernel, the finding `wrong_values` if other inputs show
/// that the kernels are wrong, else nothing. `writers` holds the last writer of each element of the output.
/// It is empty if the plan didn't run on the executor, which alone knows the writers.
std::optional<ReplayFinding> find_decoy(const Question& question, const Plan& plan, const TestCase& test_case,
                                        const std::vector<Writer>& writers, const RunPlan& run,
                                        const std::function<bool()>& cancelled);

}  // namespace trl::runtime
