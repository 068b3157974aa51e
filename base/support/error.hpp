// The error that every part of the project throws for problems that the user can solve.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace trl {

/// A problem on the user's side that stops a command or a stage. `what()` describes the problem; `help`,
/// which may be empty, says how to solve it. trl and trl-verify print both and end with exit status 1;
/// trl-worker sends both as its answer to the stage.
struct UserError : std::runtime_error {
  explicit UserError(const std::string& message, std::string help_text = "")
      : std::runtime_error(message), help(std::move(help_text)) {}
  std::string help;
};

}  // namespace trl
