#pragma once
// From what was recorded to a sealed candidate.
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/trial.hpp"
#include "runtime/verify/plan/plan.hpp"
#include "runtime/verify/services/recorder.hpp"

namespace trl::runtime {

/// What is examined: the sealed recording, with the configurations that are launched of autotuned kernels.
struct Candidate {
  Recording recording;
  /// An alternative has become a launch since the executor was given the kernels.
  bool relaunched = false;
};

/// Of a recorder's answer, which may be anything: whether a kernel says that it is CUDA.
bool is_cuda(const nlohmann::json& recorded);

/// Reads a recorder's answer and seals it. False, and the verdict has failed at `syntax`, unless it is a
/// sound plan that launches what the protocol asks for; `candidate` holds as much as could be read. `checked`
/// is the CUDA that trl-kernel-check read, none where the answer was recorded elsewhere; `recorder` asks
/// Clang about the plan as others would write it down in C++.
bool read_recorded(const nlohmann::json& recorded, const Trials& trials, const Question& question,
                   const std::optional<CheckedCuda>& checked, Recorder& recorder, Candidate& candidate,
                   Progress& progress);

/// How a plan's kernels are launched, for people.
std::vector<LaunchGeometry> launches_of(const Recording& recording, const Plan& plan,
                                        const Progress& progress);

}  // namespace trl::runtime
