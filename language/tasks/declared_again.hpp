// Tasks in the task format that another program wrote (verifier/kernelbench/typed.py), so that they are
// checked, and their sizes changed, as those that a file declares.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "language/tasks/tasks.hpp"

namespace trl::language {

/// The declaration for `lower_task` of a task in the task format: its `dims`, `inputs` and `value` are used,
/// and that it is held to its own sizes alone. Throws TaskError where it isn't in that format.
nlohmann::json declaration_of(const nlohmann::json& task);

/// Lowers a task in the task format, at its own sizes or at smaller ones: with `largest`, the sizes of its
/// dimensions are halved, the largest first, until no input, result or value in between whose shape the task
/// states has more elements, and as far as its operators allow; different sizes stay different. The
/// parameters' names are kept.
std::variant<Task, TaskError> lower_again(const nlohmann::json& task, std::optional<std::int64_t> largest);

/// The text of a task's file at the sizes of `dims`: `places` are [begin, end, before, size] of bytes in
/// whose place the text `before` and the size stand, in their order and apart from each other. Throws
/// TaskError.
std::string with_sizes(const std::string& text, const nlohmann::json& places,
                       const std::vector<std::pair<std::string, std::int64_t>>& dims);

}  // namespace trl::language
