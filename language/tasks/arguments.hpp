// Assigns the arguments of a call, by position or by name, to the parameters of its operator.
#pragma once

#include <functional>

#include "language/tasks/call.hpp"

namespace trl::language::tasks {

/// The tensors and dimensions that an argument can refer to.
struct Names {
  std::function<Tensor(const nlohmann::json&)> tensor;
  /// Returns the declared dimension with this name, or nothing.
  std::function<std::optional<Dimension>(const std::string&)> dimension;
};

/// Fills `call.arguments`. Throws TaskError if an argument is missing, unknown or wrong.
void bind_arguments(Call& call, const Names& names);

/// Reads a size: integers and declared dimensions, joined by +, -, * and exact division.
Dimension size_of(const nlohmann::json& node, const Names& names);

}  // namespace trl::language::tasks
