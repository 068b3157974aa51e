// Clang as a library, used once per process: it parses the prelude, then asks for a candidate and parses that
// as well.
#pragma once
#include <functional>

#include "verifier/kernel_check/finding.hpp"

namespace trl::kernel_check {

struct Session {
  /// Called when the prelude has been parsed, in the middle of Clang's work. It may fork; each process that
  /// returns from it goes on with the candidate that it returned.
  std::function<const Request&()> next;
  /// Receives the answer; it needn't return.
  std::function<void(const Answer&)> done;
  /// Generates code once before `next`, so that a process that serves many candidates pays for the warm-up
  /// once.
  bool warm_code = false;
};

/// Checks one candidate. No file of the machine is read. Throws std::runtime_error when the prelude is wrong.
void check_candidate(const Session& session);

/// An answer with one finding that has no position. `check` is crashed, too_slow or too_large.
Answer lost(std::string_view check, std::string message);

}  // namespace trl::kernel_check
