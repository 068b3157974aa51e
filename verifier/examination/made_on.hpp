#pragma once
// Records the software and the GPU on which verdicts depend, apart from the verifier itself.
#include "base/contract/made_on.hpp"
#include "verifier/services/gpu_runner.hpp"
#include "verifier/services/installation.hpp"

namespace trl::runtime {

/// Stores the versions of Python packages that run and compile candidates in `made_on`.
void note_packages(contract::MadeOn& made_on, const Installation& installation);

/// Stores the GPU on which kernels were timed in `made_on`.
void note_gpu(contract::MadeOn& made_on, const RunnerGpu& gpu);

}  // namespace trl::runtime
