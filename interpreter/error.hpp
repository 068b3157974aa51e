// An error that the user can correct.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace trl::interpreter {

/// Says what is wrong (`what()`) and how to correct it (`help`, may be empty). main prints it and exits with
/// status 1.
struct UserError : std::runtime_error {
  explicit UserError(const std::string& message, std::string help_text = "")
      : std::runtime_error(message), help(std::move(help_text)) {}
  std::string help;
};

}  // namespace trl::interpreter
