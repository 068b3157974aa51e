#pragma once
// Reads and checks the recorder's answer: the launch plans and kernels of a candidate.
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {

/// A candidate's kernels and plans. The launches of autotuned kernels can be replaced by other
/// configurations.
struct Candidate {
  Recording recording;
  /// Whether a launch has been replaced by another configuration since the executor last parsed the kernels.
  bool relaunched = false;
};

/// Whether a recorder's answer has a kernel marked as CUDA. Any JSON is safe to pass.
bool is_cuda(const nlohmann::json& recorded);

/// Reads a recorder's answer into `candidate` and checks that its plans are sound and launch kernels that the
/// protocol allows. Otherwise the verdict fails at the step `syntax`, `candidate` holds the part that could
/// be read, and the result is false. `checked` is the CUDA code that trl-kernel-check has read; it is empty
/// if the answer wasn't recorded by this process. `recorder` is used to check with Clang the C++ that `trl
/// export` would write for the plan.
bool read_recorded(const nlohmann::json& recorded, const TestCases& test_cases, const Question& question,
                   const std::optional<CheckedCuda>& checked, Recorder& recorder, Candidate& candidate,
                   Progress& progress);

/// Returns the launches of a plan in the form for reports.
std::vector<LaunchGeometry> launches_of(const Recording& recording, const Plan& plan,
                                        const Progress& progress);

}  // namespace trl::runtime
