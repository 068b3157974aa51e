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

/// Compiles the kernels of one candidate. Used by one thread at a time.
class PlanCompiler {
 public:
  /// Keeps references to all arguments.
  PlanCompiler(KernelCompiler& compiler, const CandidateLimits& limits, Progress& progress)
      : compiler_(compiler), limits_(limits), progress_(progress) {}

  /// The configurations of an autotuned launch that must compile:
  /// - any: at least one. The first configuration that compiles becomes the launch in every plan, so that its
  ///   values are judged.
  /// - launched: the configuration that the plan launches, whose values have been judged.
  enum class Configurations { any, launched };

  /// Compiles the kernels that plan number `plan` launches. Returns the first error, or nothing.
  std::optional<ReplayFinding> compile_plan(Candidate& candidate, std::size_t plan, CompileTo to,
                                            Configurations which = Configurations::any);

  /// Returns the cubins of the recording's kernels, by kernel number. Kernels that the plan doesn't launch
  /// stay empty.
  std::vector<Compiled> cubins(const Recording& recording, const Plan& plan);

 private:
  std::optional<ReplayFinding> compile_launch(Candidate& candidate, const LaunchStep& launch,
                                              std::size_t place, CompileTo to, Configurations which);
  Compiled compile_kernel(const Recording& recording, int number, CompileTo to);

  KernelCompiler& compiler_;
  const CandidateLimits& limits_;
  Progress& progress_;
  std::set<int> charged_;  // numbers of the kernels whose compilation has been charged to the budget
};

/// Carries out the step `compile`. A candidate counts as compiled if the kernels of its plan for the task's
/// original sizes compile. Returns whether they do.
bool compile_own_plan(Candidate& candidate, PlanCompiler& compiler, Progress& progress);

}  // namespace trl::runtime
