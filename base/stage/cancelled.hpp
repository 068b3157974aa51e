#pragma once

#include <stdexcept>

namespace trl::runtime {

/// Thrown through a stage when the user has asked to stop.
struct Cancelled : std::runtime_error {
  Cancelled() : std::runtime_error("cancelled") {}
};

}  // namespace trl::runtime
