// Makes wrong versions of a task's expression, for answers that compute something else.
#pragma once

#include <cstdint>
#include <optional>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Returns the task with one number changed or one operator exchanged for a similar one, so that values
/// differ beyond the tolerance; `which` chooses among the possibilities. Empty if there is none.
std::optional<Task> wrong_constant(const Task& task, std::uint64_t which);
std::optional<Task> wrong_operator(const Task& task, std::uint64_t which);

/// Returns the task with a softmax or norm along the other axis of a matrix; empty if it has none.
std::optional<Task> wrong_axis(const Task& task);

/// Whether an answer gives wrong values if it forgets the neutral padding before an operator along an axis.
bool padding_shows(const Task& task);

/// Whether an input [N] or [M, 1] is combined with a matrix.
bool has_broadcast_input(const Task& task);

/// The value of an elementwise expression if every input and matrix product is 0; NaN if an operator isn't
/// elementwise.
double value_at_zero(const Expression& node);

}  // namespace trl::runtime
