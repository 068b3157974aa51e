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

/// The test cases of one candidate that a GPU carries out.
class GpuTestCases {
 public:
  /// Keeps references to all of its arguments. `gpu` is null if the protocol times nothing; no function may
  /// then be called.
  GpuTestCases(const Question& question, Candidate& candidate, PlanCompiler& compiler, ExclusiveGpu* gpu,
               Progress& progress)
      : question_(question), candidate_(candidate), compiler_(compiler), gpu_(gpu), progress_(progress) {}

  /// Judges every full variation, and all test cases that the executor left to the GPU, by values computed on
  /// the GPU, since values that are right on the executor may differ there. The first full variation is
  /// timed. In training, variations that are not timed keep the executor's judgement, because compiling their
  /// cubins would cost more than everything else. `executor` examines the configurations that the GPU
  /// prefers. Returns false at the first failure.
  bool try_all(TestCases& test_cases, ExecutorTestCases& executor);

  /// Runs a test case without timing it. Returns why it fails, or nothing.
  std::optional<ReplayFinding> replay(TestCase& test_case);

 private:
  // The result of a plan on the GPU.
  struct Run {
    std::vector<Compiled> kernels;
    GpuReplay replayed;
    std::vector<Challenge> challenges;  // challenges among the timed runs
    ReferenceTime reference;            // the reference's time, if the plan was timed
  };

  // Replaces the launches of a test case by their fastest configurations. The executor has examined other
  // configurations, so it examines these too. Returns false if they fail there.
  bool prefer_tuned(TestCase& test_case, ExaminedStep& step, ExecutorTestCases& executor);
  // Returns the plan with the fastest configuration of each autotuned launch, chosen launch by launch;
  // nothing if the plan has them already. The choice may differ from run to run, so the new plan is judged
  // like the first.
  std::optional<Plan> tuned(const Plan& plan, const std::vector<InputData>& inputs);
  Run run(const Plan& plan, const TestCase& test_case, bool timed);
  // Returns why a run fails, or nothing.
  std::optional<ReplayFinding> judge(const Plan& plan, const TestCase& test_case, const Run& run);
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
