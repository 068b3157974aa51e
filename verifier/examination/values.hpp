#pragma once
// Runs a candidate's test cases on the executor and judges the resulting values.
#include <optional>
#include <vector>

#include "verifier/examination/compile.hpp"
#include "verifier/examination/execution.hpp"
#include "verifier/examination/progress.hpp"
#include "verifier/examination/recorded.hpp"
#include "verifier/examination/test_case.hpp"

namespace trl::runtime {

/// The result of a test case on the executor.
struct Outcome {
  bool values = false;  ///< whether all values that were compared are right
  bool left_to_gpu =
      false;  ///< whether only the GPU judges the values, since the plan is too much work for the executor
  /// The defect, if there is one. If `values` is true, the defect can only be a memory error.
  std::optional<ReplayFinding> finding;
  std::vector<executor::Counters> per_launch;
};

/// Carries out test cases of one candidate on the executor.
class ExecutorTestCases {
 public:
  /// Keeps references to all arguments.
  ExecutorTestCases(const Question& question, Candidate& candidate, PlanCompiler& compiler,
                    Execution& execution, Progress& progress)
      : question_(question),
        candidate_(candidate),
        compiler_(compiler),
        execution_(execution),
        progress_(progress) {}

  /// Makes the executor parse the kernels that may be launched. If it can't parse a kernel, the first test
  /// case fails, and the reason is returned; otherwise nothing.
  std::optional<ReplayFinding> parse();

  /// Examines the test cases one after another. Returns false as soon as a value is wrong; a memory error
  /// alone is noted and doesn't end the loop. Throws Cancelled.
  bool try_all(TestCases& test_cases);

  /// Examines the candidate at the sizes that stretch each dimension. If the wrapper or Triton refuses all
  /// these sizes, or if they are too much work for the executor, the step stays skipped, with the reason.
  /// Returns and throws as `try_all` does.
  bool try_stretched(TestCases& test_cases);

  /// Examines one test case. Draws its inputs when they are needed. In an exam, compiles the kernels first.
  Outcome examine(TestCase& test_case);

  /// Whether an outcome is a failure. The protocol decides whether a memory error alone is a failure.
  bool fails(const Outcome& outcome) const;

 private:
  // Stores an outcome in its step and in the verdict.
  void take(const TestCase& test_case, const Outcome& outcome, ExaminedStep& now);
  // Examines one test case of stretched sizes. Its result doesn't change modelled times or path coverage.
  // Returns nothing if the candidate can't be judged at these sizes; the step then has the reason.
  std::optional<Outcome> examine_stretched(TestCase& test_case, ExaminedStep& now);
  // Draws the inputs, replays the plan on them and judges the values.
  void replay(TestCase& test_case, const Plan& plan, Outcome& outcome);
  // Returns a finding if the values of a replay are wrong; nothing if they are right. `options` are the
  // options of that replay, with which further replays are made.
  std::optional<ReplayFinding> judge(const Plan& plan, const TestCase& test_case, const ReplayResult& result,
                                     ReplayOptions options);
  // The part of `judge` that needs no inputs other than the replay's.
  std::optional<ReplayFinding> judge_drawn(const Plan& plan, const TestCase& test_case,
                                           const ReplayResult& result, ReplayOptions options);
  // Checks the memory accesses of a plan that takes too long on the executor. Runs only some programs of each
  // launch, which are drawn after the candidate is committed, so that it can't predict them.
  std::optional<ReplayFinding> check_sampled(const Plan& plan, const TestCase& test_case);
  // If the output has a NaN or infinity where the reference is finite, replays the plan to find the operation
  // that produced it, and adds that operation to the message of `wrong`.
  void explain_nonfinite(const Plan& plan, const TestCase& test_case, ReplayOptions options,
                         const ReplayResult& result, ReplayFinding& wrong);
  // Sets `Verdict::masked_without_other` if right values depend on the numbers that masked loads without
  // `other` give to disabled lanes. This is tested only at the first test case with such loads, which is the
  // smallest.
  void note_unfilled(const Plan& plan, const TestCase& test_case, const ReplayResult& result,
                     ReplayOptions options);
  // For a launch whose programs wait for each other or divide their work by atomics: replaces the launch's
  // counters by the counters of a replay in which the programs take turns by the modelled clock.
  void replay_by_clock(const Plan& plan, const TestCase& test_case,
                       std::vector<executor::Counters>& per_launch);
  // Whether the GPU also judges this test case.
  bool runs_on_gpu(const TestCase& test_case) const;

  const Question& question_;
  Candidate& candidate_;
  PlanCompiler& compiler_;
  Execution& execution_;
  Progress& progress_;
  bool alone_ = false;  // whether there is one test case, which must then show as much as several
  bool unfilled_tried_ = false;
};

}  // namespace trl::runtime
