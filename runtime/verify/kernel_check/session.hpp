// Clang as a library, once a process: parses the prelude, then asks for a candidate and goes on with it.
#pragma once
#include <functional>

#include "runtime/verify/kernel_check/finding.hpp"

namespace trl::kernel_check {

/// `next` is called when the prelude has been parsed, in the middle of Clang's work. It may fork; whichever
/// process returns from it has its candidate checked and its answer given to `done`, which needn't return. No
/// file of the machine is read. Throws std::runtime_error when the prelude is wrong.
void check_candidate(const std::function<const Request&()>& next,
                     const std::function<void(const Answer&)>& done);

/// An answer with one finding of no place: `check` is crashed, too_slow or too_large.
Answer lost(std::string_view check, std::string message);

}  // namespace trl::kernel_check
