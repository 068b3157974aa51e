#pragma once
// The verifier's side of trl-kernel-check, a process that checks a candidate's CUDA and compiles its host
// code to an object for the recorder (kernel_check/).
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

/// The CUDA that trl-kernel-check has read: the device sources that it made, with the name expressions of
/// their kernels.
class CheckedCuda {
 public:
  /// Adds an answer of `compile`; a refusal adds nothing.
  void note(const nlohmann::json& compiled);
  /// Whether this source, byte by byte, with this expression was added.
  bool has(const std::string& device_source, const std::string& expression) const;

 private:
  std::map<std::string, std::set<std::string>> expressions_;  // name expressions by device source
};

/// The process is started on first use, and again after it died.
class KernelCheck {
 public:
  /// `sandbox`: whether to confine the process, since Clang reads hostile text there.
  KernelCheck(const Installation& installation, bool sandbox);

  /// Starts the process unless it runs, and doesn't wait for it.
  void ready();

  /// Has CUDA sources checked and compiled. `asked` comes from a candidate and isn't trusted: {"source",
  /// "functions"}. The answer goes back to the recorder: {"object", "kernels", "device_source"}
  /// (docs/interfaces.md, 4), or {"refused": {"reason", "message", "line"}}, where the line is a line of the
  /// sources or null. Throws UserError when the program cannot be started, and Cancelled.
  nlohmann::json compile(const nlohmann::json& asked, const std::function<bool()>& cancelled = {});

  /// A refusal: the verdict's reason, and a message.
  struct Refusal {
    std::string reason, message;
  };
  /// Checks a launch plan's C++ (launch_wrapper.hpp). Returns its defect; none when there is none, or
  /// when the program isn't installed or can't be loaded. Throws as `compile` does.
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
