// Makes wrong versions of a task's expression, which flawed answers then compute.
#pragma once

#include <cstdint>
#include <optional>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// `wrong_constant` returns the task with one number changed, `wrong_operator` the task with one operator
/// replaced by a similar operator. The values differ by more than the tolerance. `which` chooses among the
/// possible changes. Empty if no change is possible.
std::optional<Task> wrong_constant(const Task& task, std::uint64_t which);
std::optional<Task> wrong_operator(const Task& task, std::uint64_t which);

/// Returns the task with a softmax or norm moved to the other axis of its matrix; empty if the task has no
/// softmax or norm.
std::optional<Task> wrong_axis(const Task& task);

/// Whether an answer gives wrong values if it doesn't pad rows with the neutral element, such as -inf for a
/// maximum, before an operator along an axis.
bool padding_shows(const Task& task);

/// Whether an input of shape [N] or [M, 1] is combined with a matrix.
bool has_broadcast_input(const Task& task);

/// Evaluates an elementwise expression with 0 for every input and matrix product. NaN if an operator isn't
/// elementwise.
double value_at_zero(const Expression& node);

}  // namespace trl::runtime
