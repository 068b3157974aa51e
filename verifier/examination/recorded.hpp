#pragma once
// Turns a recorder's answer into a committed candidate.
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {

/// The committed recording, with the configurations of autotuned kernels that are launched.
struct Candidate {
  Recording recording;
  /// Whether an alternative has become a launch since the executor was given the kernels.
  bool relaunched = false;
};

/// Whether a kernel in a recorder's answer claims to be CUDA. The answer may be any JSON.
bool is_cuda(const nlohmann::json& recorded);

/// Reads a recorder's answer and commits it. Returns false after failing the verdict at `syntax`, unless the
/// answer is a sound plan that launches kernels as the protocol demands; `candidate` has as much as could be
/// read. `checked` is the CUDA that trl-kernel-check read, empty if the answer was recorded elsewhere.
/// `recorder` has Clang check the C++ text that `trl export` would write for the plan.
bool read_recorded(const nlohmann::json& recorded, const TestCases& test_cases, const Question& question,
                   const std::optional<CheckedCuda>& checked, Recorder& recorder, Candidate& candidate,
                   Progress& progress);

/// The launches of a plan as reports show them.
std::vector<LaunchGeometry> launches_of(const Recording& recording, const Plan& plan,
                                        const Progress& progress);

}  // namespace trl::runtime
