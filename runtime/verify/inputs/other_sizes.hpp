#pragma once
// Sizes that nobody can know.
#include <optional>
#include <string_view>

#include "runtime/tasks/task.hpp"
#include "runtime/tasks/variation.hpp"

namespace trl::runtime {

enum class Parity { odd, mixed };

/// Sizes besides 4 at which a kernel must be right to have passed the tiny stage: odd ones, or, where odd
/// ones are tried elsewhere, mixed ones with an even one among them. They are drawn for each dimension by the
/// task and the secret from half of the task's own size to one and a half of it (at most 191), so that the
/// inputs are about as large as the task's; others where the task allows none of these, as that of a norm
/// over four groups. None where it allows no sizes but 4 and its own.
std::optional<Variation> draw_other_sizes(const Task& task, std::string_view secret,
                                          Parity parity = Parity::odd);

}  // namespace trl::runtime
