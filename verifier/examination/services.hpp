#pragma once
// The processes that an examination uses.
#include <functional>

#include "verifier/services/exclusive_gpu.hpp"
#include "verifier/services/executor_process.hpp"
#include "verifier/services/module_references.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {

/// The processes that work for a candidate. They outlive the examination.
struct Services {
  Recorder& recorder;
  ExecutorProcess& executor;
  KernelCompiler& compiler;
  ExclusiveGpu* gpu;                    ///< null where nothing is timed
  ModuleReferences& references;         ///< for protocols with a second one beside ours
  const std::function<int()>& threads;  ///< returns how many threads a launch may take; called at each launch
};

}  // namespace trl::runtime
