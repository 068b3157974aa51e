// Wrong versions of a task's expression, for answers that compute something else.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// The task with one number changed, or one operator exchanged for a similar one, so that the values differ
/// visibly; `which` chooses among the possibilities. Nothing when there is none.
std::optional<Task> wrong_constant(const Task& task, std::uint64_t which);
std::optional<Task> wrong_operator(const Task& task, std::uint64_t which);

/// The task with a softmax or norm along the other axis of a matrix.
std::optional<Task> wrong_axis(const Task& task);

/// Does an answer that forgets the neutral padding before an operator along an axis give wrong values?
bool padding_shows(const Task& task);

/// Is an input [N] or [M, 1] combined with a matrix?
bool has_broadcast_input(const Task& task);

/// The value of an elementwise expression where every input and matrix product is 0; NaN when an operator
/// isn't elementwise.
double value_at_zero(const Expression& node);

}  // namespace trl::runtime
