#pragma once
// A candidate's kernels on their way through the compiler, at the expense of its budget.
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/recorded.hpp"
#include "runtime/verify/services/recorder.hpp"

namespace trl::runtime {

/// Compiles for one candidate. Used by one thread at a time.
class PlanCompiler {
 public:
  /// All are referred to.
  PlanCompiler(KernelCompiler& compiler, const CandidateLimits& limits, Progress& progress)
      : compiler_(compiler), limits_(limits), progress_(progress) {}

  /// Of an autotuned launch it is enough that one configuration compiles: the first that does becomes the
  /// launch, in every plan, and its values count. `launched` is for values that were judged already.
  enum class Configurations { any, launched };

  /// Compiles the kernels that plan number `plan` launches. The first error, if any.
  std::optional<ReplayFinding> compile_plan(Candidate& candidate, std::size_t plan, CompileTo to,
                                            Configurations which = Configurations::any);

  /// A plan's kernels as cubins; those that it doesn't launch are left empty.
  std::vector<Compiled> cubins(const Recording& recording, const Plan& plan);

 private:
  std::optional<ReplayFinding> compile_launch(Candidate& candidate, const LaunchStep& launch,
                                              std::size_t place, CompileTo to, Configurations which);
  Compiled compile_kernel(const Recording& recording, int number, CompileTo to);

  KernelCompiler& compiler_;
  const CandidateLimits& limits_;
  Progress& progress_;
  std::set<int> charged_;  // kernels whose compilation is paid for
};

/// The step `compile`: the kernels that make a candidate compiled are those of the task's own sizes.
bool compile_own_plan(Candidate& candidate, PlanCompiler& compiler, Progress& progress);

}  // namespace trl::runtime
