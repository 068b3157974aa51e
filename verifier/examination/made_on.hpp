#pragma once
// Records the software and the GPU on which verdicts depend, besides the verifier itself.
#include "base/contract/made_on.hpp"
#include "verifier/services/gpu_runner.hpp"
#include "verifier/services/installation.hpp"

namespace trl::runtime {

/// Notes the versions of the Python packages that read and compile candidates.
void note_packages(contract::MadeOn& made_on, const Installation& installation);

/// Notes the GPU that kernels were timed on.
void note_gpu(contract::MadeOn& made_on, const RunnerGpu& gpu);

}  // namespace trl::runtime
