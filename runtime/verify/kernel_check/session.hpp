// Clang as a library, once a process: parses the prelude, then asks for a candidate and goes on with it.
#pragma once
#include <functional>

#include "runtime/verify/kernel_check/finding.hpp"

namespace trl::kernel_check {

struct Session {
  /// Called when the prelude has been parsed, in the middle of Clang's work. It may fork: whichever process
  /// returns from it goes on with the candidate that it returns.
  std::function<const Request&()> next;
  /// Takes the answer; needn't return.
  std::function<void(const Answer&)> done;
  /// Makes code once before `next`: a process that serves many pays for it once.
  bool warm_code = false;
};

/// Checks one candidate. No file of the machine is read. Throws std::runtime_error when the prelude is wrong.
void check_candidate(const Session& session);

/// An answer with one finding of no place: `check` is crashed, too_slow or too_large.
Answer lost(std::string_view check, std::string message);

}  // namespace trl::kernel_check
