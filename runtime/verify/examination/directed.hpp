#pragma once
// A candidate's values on inputs that make its kernels decide otherwise than drawn ones do.
#include "runtime/verify/examination/execution.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/trial.hpp"
#include "runtime/verify/plan/plan.hpp"

namespace trl::runtime {

/// For each plan that the executor has carried out at full sizes: trials on inputs that turn the decisions
/// which went one way alone so far (`execution.paths`). False once a value is wrong; a memory error alone is
/// noted. Throws Cancelled.
bool try_directed(const Question& question, const Trials& trials, const Recording& recording,
                  Execution& execution, Progress& progress);

}  // namespace trl::runtime
