#pragma once
// The processes that an examination uses.
#include <functional>

#include "verifier/examination/protocol.hpp"
#include "verifier/services/exclusive_gpu.hpp"
#include "verifier/services/executor_process.hpp"
#include "verifier/services/module_references.hpp"
#include "verifier/services/recorder.hpp"

namespace trl::runtime {

/// References to the processes that work for a candidate. The processes outlive the examination.
struct Services {
  Recorder& recorder;
  ExecutorProcess& executor;
  KernelCompiler& compiler;
  ExclusiveGpu* gpu;             ///< null if the protocol doesn't use a GPU
  ModuleReferences& references;  ///< outputs of the task's PyTorch module, for KernelBench's protocol
  bool sandbox;                  ///< whether the processes that carry out foreign code are in trl-sandbox
  const std::function<int()>&
      threads;  ///< called at each launch; returns the number of threads that the launch may use

  /// Whether candidates are carried out on a GPU: the protocol measures times, and there is one.
  bool on_gpu(const Protocol& protocol) const { return protocol.timing && gpu != nullptr; }
};

}  // namespace trl::runtime
