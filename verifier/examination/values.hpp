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

/// The result of a test case.
struct Outcome {
  bool values = false;       ///< whether all values that were compared are right
  bool left_to_gpu = false;  ///< the plan is too much work for the executor, so the GPU alone judges it
  /// the first finding; it is about memory alone where `values` is true
  std::optional<ReplayFinding> finding;
  std::vector<executor::Counters> per_launch;
};

/// The test cases of one candidate that the executor carries out.
class ExecutorTestCases {
 public:
  /// Keeps references to all of its arguments.
  ExecutorTestCases(const Question& question, Candidate& candidate, PlanCompiler& compiler,
                    Execution& execution, Progress& progress)
      : question_(question),
        candidate_(candidate),
        compiler_(compiler),
        execution_(execution),
        progress_(progress) {}

  /// Has the executor parse the kernels that may be launched. If it can't, this fails the first test case and
  /// returns the reason.
  std::optional<ReplayFinding> parse();

  /// Examines the test cases one after another. Returns false as soon as a value is wrong; a memory error
  /// alone is noted and doesn't end the loop. Throws Cancelled.
  bool try_all(TestCases& test_cases);

  /// Examines one test case, whose inputs are drawn when they are needed. Kernels that an exam wants compiled
  /// are compiled first.
  Outcome examine(TestCase& test_case);

  /// Whether an outcome is a failure under the protocol.
  bool fails(const Outcome& outcome) const;

 private:
  // Draws the inputs, replays the plan on them and judges the values.
  void replay(TestCase& test_case, const Plan& plan, Outcome& outcome);
  // Returns why the values of a replay with these options are wrong; nothing if they are right.
  std::optional<ReplayFinding> judge(const Plan& plan, const TestCase& test_case, const ReplayResult& result,
                                     ReplayOptions options);
  // Checks the memory accesses of a plan that is too long for the executor, on some programs of each launch.
  // The programs are drawn after the candidate is committed, so nobody can know them before.
  std::optional<ReplayFinding> check_sampled(const Plan& plan, const TestCase& test_case);
  // Replays a plan whose output has a NaN or infinity that the reference lacks, to name the operation that
  // made it.
  void explain_nonfinite(const Plan& plan, const TestCase& test_case, ReplayOptions options,
                         const ReplayResult& result, ReplayFinding& wrong);
  // Counts the masked loads without `other` of a plan whose values are right, if these depend on the
  // numbers that such loads give to disabled lanes. It is tried at the first test case that has such loads,
  // the smallest.
  void note_unfilled(const Plan& plan, const TestCase& test_case, const ReplayResult& result,
                     ReplayOptions options);
  // Whether the GPU judges this test case as well.
  bool runs_on_gpu(const TestCase& test_case) const;

  const Question& question_;
  Candidate& candidate_;
  PlanCompiler& compiler_;
  Execution& execution_;
  Progress& progress_;
  bool unfilled_tried_ = false;
};

}  // namespace trl::runtime
