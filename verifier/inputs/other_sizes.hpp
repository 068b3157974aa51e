#pragma once
// Draws sizes that no candidate can know in advance.
#include <optional>
#include <string_view>

#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Whether the task's value exists at a variation's sizes and has the shape that the task says. A task that
/// was read from a file may have windows and groups that fit no other sizes than its own; the tasks of a
/// `.trl` file have been checked.
bool has_value(const Task& task, const Variation& variation);

/// The stage tiny of a task: every dimension is 4, or as little more as the module of a file that the task
/// was read from needs. Nothing where it needs more than is tiny.
std::optional<Variation> smallest_sizes(const Task& task);

enum class Parity { odd, mixed };

/// Sizes other than 4 at which a kernel must be right to pass the tiny stage: odd ones, or mixed ones with at
/// least one even size where odd ones are tried elsewhere. For each dimension the task and the secret
/// determine a size between half and one and a half times the task's own (at most 191), so that the inputs
/// are about as large as the task's. Where the task allows no such size, as with a norm over four groups,
/// other ones are drawn. Returns none where the task allows no sizes but 4 and its own.
std::optional<Variation> draw_other_sizes(const Task& task, std::string_view secret,
                                          Parity parity = Parity::odd);

}  // namespace trl::runtime
