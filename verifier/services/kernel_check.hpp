#pragma once
// The verifier's side of trl-kernel-check (kernel_check/): a process that checks a candidate's CUDA code, and
// compiles the host part of that code to an object file for the recorder.
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/support/child_process.hpp"
#include "verifier/services/installation.hpp"

namespace trl::runtime {

/// The set of kernels in the CUDA code that trl-kernel-check has read. A kernel is identified by its device
/// source and its name expression.
class CheckedCuda {
 public:
  /// Adds the kernels of an answer of `KernelCheck::compile`; a refusal has no kernels.
  void note(const nlohmann::json& compiled);
  /// Whether a kernel with exactly this device source and this name expression was added.
  bool has(const std::string& device_source, const std::string& expression) const;

 private:
  std::map<std::string, std::set<std::string>> expressions_;  // name expressions by device source
};

/// Runs trl-kernel-check. The process is started when it is first used, and restarted if it has died.
class KernelCheck {
 public:
  /// `sandbox`: whether to run the process in trl-sandbox, since its Clang reads hostile text.
  KernelCheck(const Installation& installation, bool sandbox);

  /// Starts the process unless it is running. Doesn't wait until it is ready.
  void ready();

  /// Makes trl-kernel-check check and compile CUDA sources. `asked` is a candidate's request and isn't
  /// trusted: {"source", "functions"}. Returns the answer for the recorder: {"object", "kernels",
  /// "device_source"} (docs/interfaces.md, 4), or {"refused": {"reason", "message", "line"}}, where `line` is
  /// a line of the sources or null. Throws UserError if the program can't be started, and Cancelled.
  nlohmann::json compile(const nlohmann::json& asked, const std::function<bool()>& cancelled = {});

  /// A refusal: `reason` becomes the verdict's reason; `message` explains it.
  struct Refusal {
    std::string reason, message;
  };
  /// Has Clang check the C++ text of a launch plan (launch_wrapper.hpp). Returns the defect of the text.
  /// Returns nothing if the text is sound, or if trl-kernel-check isn't installed or can't be loaded. Throws
  /// as `compile` does.
  std::optional<Refusal> check_wrapper(const std::string& text, const std::function<bool()>& cancelled = {});

 private:
  nlohmann::json attempt(nlohmann::json request, const std::function<bool()>& cancelled);
  nlohmann::json ask(nlohmann::json request, const char* what, const std::function<bool()>& cancelled);

  std::vector<std::string> command_;
  bool installed_ = false, answered_ = false;
  ChildProcess child_;
  std::int64_t id_ = 0;
};

}  // namespace trl::runtime
