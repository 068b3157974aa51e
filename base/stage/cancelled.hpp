#pragma once

#include <stdexcept>

namespace trl::runtime {

/// Thrown when the user has asked to stop; it ends the running stage.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace trl::runtime
