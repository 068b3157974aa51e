#pragma once
// A candidate's trials on the GPU, and its time there.
#include <cstddef>
#include <optional>
#include <vector>

#include "runtime/verify/examination/compile.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/recorded.hpp"
#include "runtime/verify/examination/trial.hpp"
#include "runtime/verify/examination/values.hpp"
#include "runtime/verify/inputs/challenge.hpp"
#include "runtime/verify/services/exclusive_gpu.hpp"

namespace trl::runtime {

/// The trials of one candidate that a GPU carries out.
class GpuTrials {
 public:
  /// All are referred to. `gpu` is null where the protocol times nothing, and then nothing may be called.
  GpuTrials(const Question& question, Candidate& candidate, PlanCompiler& compiler, ExclusiveGpu* gpu,
            Progress& progress)
      : question_(question), candidate_(candidate), compiler_(compiler), gpu_(gpu), progress_(progress) {}

  /// The GPU's word on every full variation, and on what the executor left to it; the time of the first full
  /// one. It gives values anew: what the executor took for right may differ on the machine that is meant. In
  /// training the executor's word stands for the variations that are not timed: their cubins would cost more
  /// than all else. False once something is wrong. `executor` looks at the configurations that the GPU
  /// prefers.
  bool try_all(Trials& trials, ExecutorTrials& executor);

  /// A trial that is not timed. Why it fails; none: it is right.
  std::optional<ReplayFinding> replay(Trial& trial);

 private:
  // What the GPU made of a plan.
  struct Run {
    std::vector<Compiled> kernels;
    GpuReplay replayed;
    std::vector<Challenge> challenges;  // among its timed runs
    ReferenceTime reference;            // of a timed one
  };

  // Puts the fastest configurations in the place of a trial's launches. The executor has seen others: it
  // looks at these. False when they fail there.
  bool prefer_tuned(Trial& trial, ExaminedStep& step, ExecutorTrials& executor);
  // The plan with the fastest configuration of each autotuned launch, one launch after another; none when
  // those are the ones it has. Which they are may differ from run to run: they are judged as the first ones
  // are.
  std::optional<Plan> tuned(const Plan& plan, const std::vector<InputData>& inputs);
  Run run(const Plan& plan, const Trial& trial, bool timed);
  // Why a run doesn't pass; none when it does.
  std::optional<ReplayFinding> judge(const Plan& plan, const Trial& trial, const Run& run);
  // Every output that the GPU gave, under each poison and in each timed run, must be right.
  std::optional<ReplayFinding> judge_outputs(const Plan& plan, const Variation& variation,
                                             const std::vector<InputData>& inputs, const Expected& expected,
                                             const GpuReplay& replayed) const;
  GpuReplay replay_plan(const Plan& plan, const std::vector<Compiled>& kernels,
                        const std::vector<InputData>& inputs,
                        const std::optional<TimingProtocol>& timing = std::nullopt);

  const Question& question_;
  Candidate& candidate_;
  PlanCompiler& compiler_;
  ExclusiveGpu* gpu_;
  Progress& progress_;
};

}  // namespace trl::runtime
