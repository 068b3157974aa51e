#pragma once
// Leads one candidate to its verdict. Each step has a file: recorded, compile, values, directed, gpu,
// confirm; all of them write into Progress. Only verify.cpp includes this file.
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "runtime/verify/examination/compile.hpp"
#include "runtime/verify/examination/execution.hpp"
#include "runtime/verify/examination/gpu.hpp"
#include "runtime/verify/examination/progress.hpp"
#include "runtime/verify/examination/recorded.hpp"
#include "runtime/verify/examination/test_case.hpp"
#include "runtime/verify/examination/values.hpp"
#include "runtime/verify/services/exclusive_gpu.hpp"
#include "runtime/verify/services/executor_process.hpp"
#include "runtime/verify/services/recorder.hpp"

namespace trl::runtime {

/// The processes that work for a candidate. They outlive the examination.
struct Services {
  Recorder& recorder;
  ExecutorProcess& executor;
  KernelCompiler& compiler;
  ExclusiveGpu* gpu;                    ///< null where nothing is timed
  const std::function<int()>& threads;  ///< returns how many threads a launch may take; called at each launch
};

/// The examination of one candidate; `run` or `run_recorded` is called once. It refers to what it is given.
class Examination {
 public:
  Examination(const Question& question, const Services& services, const std::function<bool()>& cancelled);

  Examined run(const std::string& answer);

  Examined run_recorded(const nlohmann::json& recorded);

 private:
  Examined judge_recorded();
  void judge_steps();

  const Question question_;
  const Services services_;
  Progress progress_;
  TestCases test_cases_;
  nlohmann::json recorded_;
  std::optional<CheckedCuda> checked_;  // empty if the candidate was recorded elsewhere
  Candidate candidate_;
  PlanCompiler compiler_;
  Execution execution_;
  ExecutorTestCases executor_test_cases_;
  GpuTestCases gpu_test_cases_;
};

}  // namespace trl::runtime
