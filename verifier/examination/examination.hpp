#pragma once
// Carries out the steps that lead to one candidate's verdict. The steps are in the files recorded, compile,
// values, directed, gpu and confirm, and write their results into Progress. Only verify.cpp includes this
// header.
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "verifier/examination/compile.hpp"
#include "verifier/examination/execution.hpp"
#include "verifier/examination/gpu.hpp"
#include "verifier/examination/progress.hpp"
#include "verifier/examination/recorded.hpp"
#include "verifier/examination/services.hpp"
#include "verifier/examination/test_case.hpp"
#include "verifier/examination/values.hpp"

namespace trl::runtime {

/// The examination of one candidate. Either `run` or `run_recorded` must be called, and only once. The object
/// keeps references to the arguments of its constructor.
class Examination {
 public:
  Examination(const Question& question, const Services& services, const std::function<bool()>& cancelled);

  Examined run(const std::string& answer);

  Examined run_recorded(const nlohmann::json& recorded);

  /// The verdict on a candidate whose `run` threw Cancelled because its deadline of `seconds` was over.
  Examined timed_out(double seconds);

 private:
  Examined taken();
  Examined judge_recorded();
  /// Judges the candidate by this project's protocol and, if the question requests it, by KernelBench's.
  void judge_by_both();
  /// Leaves the candidate unjudged, because only a GPU can judge its task.
  void leave_to_gpu();
  void judge_steps();

  const Question question_;
  const Services services_;
  Progress progress_;
  TestCases test_cases_;
  nlohmann::json recorded_;
  std::optional<CheckedCuda> checked_;  // empty if the candidate wasn't recorded by this process
  Candidate candidate_;
  PlanCompiler compiler_;
  Execution execution_;
  ExecutorTestCases executor_test_cases_;
  GpuTestCases gpu_test_cases_;
};

}  // namespace trl::runtime
