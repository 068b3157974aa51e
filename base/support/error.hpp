// The error that every part of the project throws where somebody can mend what is wrong.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace trl {

/// What a user did or has that keeps a command or a stage from going on. Says what is wrong (`what()`) and
/// how to mend it (`help`, may be empty). trl and trl-verify print both and end with exit status 1;
/// trl-worker sends both as its answer to the stage.
struct UserError : std::runtime_error {
  explicit UserError(const std::string& message, std::string help_text = "")
      : std::runtime_error(message), help(std::move(help_text)) {}
  std::string help;
};

}  // namespace trl
