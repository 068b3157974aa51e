#pragma once
// Draws sizes that no candidate can know in advance.
#include <optional>
#include <string_view>

#include "verifier/tasks/task.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {

/// Whether the task can be computed at a variation's sizes and its output then has the declared shape. This
/// may be false for a task that was read from a Python file, since its windows and groups may not fit other
/// sizes. The tasks of `.trl` files are checked when they are read.
bool has_value(const Task& task, const Variation& variation);

/// Returns the variation of the stage tiny. Every dimension is 4. For a task that was read from a Python
/// file, the dimensions are the smallest ones, from 4 to 64, for which the file's module works; nothing if it
/// needs larger dimensions.
std::optional<Variation> smallest_sizes(const Task& task);

enum class Parity { odd, mixed };

/// Draws sizes other than 4 at which a kernel must be right to pass the stage tiny. Each size is drawn
/// between a half and one and a half times the original size (at most 191), by the task and the secret. With
/// Parity::odd all sizes are odd. With Parity::mixed at least one size is even; this is for protocols that
/// test odd sizes elsewhere. If the task allows no such sizes, as with a norm over four groups, any size or
/// multiples of 4 are drawn. Returns nothing if the task allows only sizes of 4 and its original sizes.
std::optional<Variation> draw_other_sizes(const Task& task, std::string_view secret,
                                          Parity parity = Parity::odd);

/// For tasks whose tensors are too large: returns a variation of the same kind at smaller sizes. The largest
/// dimension is halved repeatedly until each input and result has at most `most_elements` elements and the
/// task's value takes at most 2^27 operations, as `largest` of KernelBench's suites does. Different sizes
/// stay different. A resize multiplies the smaller sizes. Returns nothing if the task can't be computed at
/// such sizes.
std::optional<Variation> at_smaller_sizes(const Task& task, const Variation& variation,
                                          std::int64_t most_elements = 1 << 16);

}  // namespace trl::runtime
