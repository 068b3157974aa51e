#pragma once
// Runs a candidate's test cases on the GPU, and measures its time there.
#include <cstddef>
#include <optional>
#include <vector>

#include "verifier/examination/compile.hpp"
#include "verifier/examination/progress.hpp"
#include "verifier/examination/recorded.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/examination/values.hpp"
#include "verifier/inputs/challenge.hpp"
#include "verifier/services/exclusive_gpu.hpp"

namespace trl::runtime {

/// Carries out test cases of one candidate on the GPU.
class GpuTestCases {
 public:
  /// Keeps references to all arguments. `gpu` is null if the protocol doesn't use a GPU; then no function may
  /// be called.
  GpuTestCases(const Question& question, Candidate& candidate, PlanCompiler& compiler, ExclusiveGpu* gpu,
               Progress& progress)
      : question_(question), candidate_(candidate), compiler_(compiler), gpu_(gpu), progress_(progress) {}

  /// Judges test cases by values that the GPU computes, since these may differ from the executor's. It judges
  /// all test cases of the stage `full`, and all test cases that were too much work for the executor. The
  /// first test case of the stage `full` is timed. In training, the executor's judgement of the other test
  /// cases is final, since compiling their cubins would cost too much. If another autotuning configuration is
  /// faster on the GPU, `executor` examines that configuration. Returns false at the first failure.
  bool try_all(TestCases& test_cases, ExecutorTestCases& executor);

  /// Runs a test case without timing it. Returns the reason why it fails, or nothing.
  std::optional<ReplayFinding> replay(TestCase& test_case);

 private:
  // The result of running a plan on the GPU.
  struct Run {
    std::vector<Compiled> kernels;
    GpuReplay replayed;
    std::vector<Challenge> challenges;  // changed inputs that some of the timed runs had
    ReferenceTime reference;            // the reference's time, if the plan was timed
  };

  // Replaces each autotuned launch of a test case by its fastest configuration. If this changes the plan, the
  // executor examines the new plan. Returns false if the new plan fails there.
  bool prefer_tuned(TestCase& test_case, ExaminedStep& step, ExecutorTestCases& executor);
  // Returns the plan with the fastest configuration of each autotuned launch. Chooses them for one launch
  // after another. Returns nothing if the plan already has the fastest configurations. The choice may differ
  // from run to run, so the new plan must be judged like the old plan.
  std::optional<Plan> tuned(const Plan& plan, const std::vector<InputData>& inputs);
  Run run(const Plan& plan, const TestCase& test_case, bool timed);
  // Judges a test case whose tensors are too large to pass through the host, and times it if `timed`. Returns
  // false if it fails.
  bool try_oversized(TestCase& test_case, ExaminedStep& step, bool timed);
  // Returns the reason why a run fails, or nothing.
  std::optional<ReplayFinding> judge(const Plan& plan, const TestCase& test_case, const Run& run);
  // Returns a finding unless every output is right: the outputs of the runs with either poison (the byte that
  // fills uninitialised memory) and of each timed run.
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
