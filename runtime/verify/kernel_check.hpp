#pragma once
// trl-kernel-check as the verifier sees it: a process that checks a candidate's CUDA and makes its host code
// an object for the recorder (kernel_check/).
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/verify/child_process.hpp"
#include "runtime/verify/installation.hpp"

namespace trl::runtime {

/// Started when first asked, and again after it died.
class KernelCheck {
 public:
  explicit KernelCheck(const Installation& installation) : program_(installation.kernel_check.string()) {}

  /// Has CUDA sources checked and compiled. `asked` is a candidate's word: {"source", "functions"}. The
  /// answer goes back to the recorder: {"object", "kernels", "device_source"} (docs/seams.md, 4), or
  /// {"refused": {"reason", "message", "line"}}, whose line is one of the sources or null. Throws StageError
  /// when the program cannot be started, and Cancelled.
  nlohmann::json compile(const nlohmann::json& asked, const std::function<bool()>& cancelled = {});

 private:
  nlohmann::json ask(nlohmann::json request, const std::function<bool()>& cancelled);

  std::string program_;
  ChildProcess child_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
