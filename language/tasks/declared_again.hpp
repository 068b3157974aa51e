// Lowers tasks that another program (verifier/kernelbench/typed.py) wrote in the JSON task format, so that
// they are checked, and their sizes can be changed, like the tasks that a .trl file declares.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "language/tasks/tasks.hpp"

namespace trl::language {

/// Converts a task in the task format to a declaration for `lower_task`. The declaration has the task's
/// `dims`, `inputs` and `value`, and is used at its own sizes only. Throws TaskError if the task doesn't have
/// that format.
nlohmann::json declaration_of(const nlohmann::json& task);

/// Lowers a task in the task format. Without `largest`, the task keeps its sizes. With `largest`, the largest
/// dimension is halved repeatedly until no tensor whose shape the task states has more than `largest`
/// elements, as far as the task's operators allow. If possible, dimensions with different sizes keep
/// different sizes. The names of the parameters are kept.
std::variant<Task, TaskError> lower_again(const nlohmann::json& task, std::optional<std::int64_t> largest);

/// Replaces sizes in the text of a task's file. Each of `places` is [begin, end, before, size]: the bytes
/// from `begin` to `end` are replaced by the text `before` and the value that `size` has for `dims`. The
/// ranges are sorted and don't overlap. Throws TaskError if `places` or sizes are wrong.
std::string with_sizes(const std::string& text, const nlohmann::json& places,
                       const std::vector<std::pair<std::string, std::int64_t>>& dims);

}  // namespace trl::language
