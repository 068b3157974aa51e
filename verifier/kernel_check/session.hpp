// Runs Clang as a library, once per process: Clang parses the prelude, then asks for a candidate and parses
// the candidate's text as well.
#pragma once
#include <functional>

#include "verifier/kernel_check/finding.hpp"

namespace trl::kernel_check {

struct Session {
  /// Called in the middle of Clang's work, when the prelude has been parsed; returns the request with the
  /// candidate. The function may fork: each process in which it returns checks the candidate returned there.
  std::function<const Request&()> next;
  /// Called with the answer. The function needn't return; it may end the process.
  std::function<void(const Answer&)> done;
  /// Whether to generate some code before `next`, so that a process that serves many candidates warms up the
  /// code generator only once.
  bool warm_code = false;
};

/// Checks one candidate. Reads no files: the prelude is in memory. Throws std::runtime_error when the prelude
/// has errors.
void check_candidate(const Session& session);

/// Returns the answer for a candidate whose check failed to finish: one finding of the check `check`
/// (crashed, too_slow or too_large), without a position.
Answer lost(std::string_view check, std::string message);

}  // namespace trl::kernel_check
