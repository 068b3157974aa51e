#pragma once
// trl-kernel-check as the verifier sees it: a process that checks a candidate's CUDA and makes its host code
// an object for the recorder (kernel_check/).
#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ground/child_process.hpp"
#include "runtime/verify/services/installation.hpp"

namespace trl::runtime {

/// CUDA that trl-kernel-check has read: device sources that it made, and the kernels' name expressions there.
class CheckedCuda {
 public:
  /// Notes what `compile` gave; a refusal adds nothing.
  void note(const nlohmann::json& compiled);
  /// Whether a kernel is, byte by byte, one of those noted.
  bool has(const std::string& device_source, const std::string& expression) const;

 private:
  std::map<std::string, std::set<std::string>> expressions_;  // by the text
};

/// Started when first asked, and again after it died.
class KernelCheck {
 public:
  /// `sandbox`: Clang reads hostile text, in a process that can reach nothing.
  KernelCheck(const Installation& installation, bool sandbox);

  /// Starts the process unless it runs, and doesn't wait for it.
  void ready();

  /// Has CUDA sources checked and compiled. `asked` is a candidate's word: {"source", "functions"}. The
  /// answer goes back to the recorder: {"object", "kernels", "device_source"} (docs/seams.md, 4), or
  /// {"refused": {"reason", "message", "line"}}, whose line is one of the sources or null. Throws UserError
  /// when the program cannot be started, and Cancelled.
  nlohmann::json compile(const nlohmann::json& asked, const std::function<bool()>& cancelled = {});

  /// A refusal: a verdict's reason and what is wrong.
  struct Refusal {
    std::string reason, message;
  };
  /// What is wrong with a launch plan's C++ (launch_wrapper.hpp); none when nothing is, or where the program
  /// isn't installed or can't be loaded. Throws as `compile` does.
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
