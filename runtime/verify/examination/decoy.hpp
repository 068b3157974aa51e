#pragma once
// Whether right values come from the candidate's kernels, or from what its wrapper had the framework copy.
#include <functional>
#include <optional>
#include <vector>

#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/trial.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/replay/replay.hpp"

namespace trl::runtime {

/// What a plan's kernels give, on the executor or the GPU.
using RunPlan = std::function<ReplayResult(const Plan&, const std::vector<InputData>&)>;

/// A finding `decoy_kernel` where the values of a trial, which are right and drawn, don't come from a kernel;
/// `wrong_values` where other inputs show that the kernels are wrong. `writers` are those of the output;
/// empty where the executor has not seen them.
std::optional<ReplayFinding> find_decoy(const Question& question, const Plan& plan, const Trial& trial,
                                        const std::vector<Writer>& writers, const RunPlan& run,
                                        const std::function<bool()>& cancelled);

}  // namespace trl::runtime
