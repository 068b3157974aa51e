// Sorts a call's arguments by position and name into what its operator's parameters want.
#pragma once

#include <functional>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {

/// What an argument may speak of.
struct Names {
  std::function<Tensor(const nlohmann::json&)> tensor;
  /// A declared dimension, or nothing.
  std::function<std::optional<Dimension>(const std::string&)> dimension;
};

/// Fills `call.arguments`. Throws TaskError.
void bind_arguments(Call& call, const Names& names);

/// A size: integers and declared dimensions joined by + - * and exact division.
Dimension size_of(const nlohmann::json& node, const Names& names);

}  // namespace trl::language::tasks
