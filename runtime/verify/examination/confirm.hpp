#pragma once
// What a candidate that fails is credited for the stages before.
#include "runtime/verify/examination/compile.hpp"
#include "runtime/verify/examination/gpu.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/recorded.hpp"
#include "runtime/verify/examination/trial.hpp"
#include "runtime/verify/examination/values.hpp"

namespace trl::runtime {

/// Of a candidate whose values are wrong: the stages that it is credited for must hold. Where values come
/// before cubins, its kernels must compile; where it fails at full sizes, it must have been right at two
/// others. Else the verdict fails there instead. For protocols with a tiny stage.
void confirm_stages(const Question& question, Trials& trials, Candidate& candidate, PlanCompiler& compiler,
                    ExecutorTrials& executor, GpuTrials& gpu, Progress& progress);

}  // namespace trl::runtime
