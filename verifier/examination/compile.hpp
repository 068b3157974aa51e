#pragma once
// Compiles a candidate's kernels and charges the time to its budget.
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "verifier/examination/progress.hpp"
#include "verifier/examination/recorded.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {

/// Compiles for one candidate. Used by one thread at a time.
class PlanCompiler {
 public:
  /// Keeps references to all of its arguments.
  PlanCompiler(KernelCompiler& compiler, const CandidateLimits& limits, Progress& progress)
      : compiler_(compiler), limits_(limits), progress_(progress) {}

  /// With `any`, it is enough that one configuration of an autotuned launch compiles. The first that does
  /// becomes the launch in every plan, and its values count. With `launched`, the configuration whose values
  /// were judged must compile.
  enum class Configurations { any, launched };

  /// Compiles the kernels that plan number `plan` launches. Returns the first error, or nothing.
  std::optional<ReplayFinding> compile_plan(Candidate& candidate, std::size_t plan, CompileTo to,
                                            Configurations which = Configurations::any);

  /// Returns a plan's kernels as cubins; kernels that it doesn't launch stay empty.
  std::vector<Compiled> cubins(const Recording& recording, const Plan& plan);

 private:
  std::optional<ReplayFinding> compile_launch(Candidate& candidate, const LaunchStep& launch,
                                              std::size_t place, CompileTo to, Configurations which);
  Compiled compile_kernel(const Recording& recording, int number, CompileTo to);

  KernelCompiler& compiler_;
  const CandidateLimits& limits_;
  Progress& progress_;
  std::set<int> charged_;  // kernels whose compilation has been charged
};

/// Carries out the step `compile`: a candidate counts as compiled if the kernels of the task's own sizes
/// compile.
bool compile_own_plan(Candidate& candidate, PlanCompiler& compiler, Progress& progress);

}  // namespace trl::runtime
