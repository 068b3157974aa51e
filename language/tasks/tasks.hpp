// Checks a task function and lowers it to a task (base/tasks).
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "base/tasks/task.hpp"

namespace trl::language {

using trl::tasks::Task;

/// What is wrong with a task function, and where: the byte range of the offending node, 0..0 when it has
/// none.
struct TaskError {
  std::string message;
  std::size_t begin = 0, end = 0;
  std::vector<std::string> notes;
};

/// Type and shape checks a task function and lowers it to a task, its key included.
///
/// declaration = {"suite", "id", "name", "doc", "dims": [[name, value], …],
///                "params": [{"name", "dtype", "shape": [SIZE, …], "values": VALUES, "at": [b, e]}, …],
///                "body": EXPR, "sizes": "own" where it is used at its own sizes alone}
/// EXPR is that of formulas (docs/interfaces.md, 2) with `@` for the matrix product and {"list": [EXPR, …]};
/// calls are tensor functions with "args" and "named"; every node can carry "at": [begin, end]. A SIZE is a
/// dimension's name, an integer, an EXPR of them, or {"size": text} as the task format has it; VALUES are
/// what stands behind the dtype in parentheses: a SIZE that integers are below, a word, a call, or {"range":
/// [EXPR, EXPR]}. Axes may be negative or called `dim`.
std::variant<Task, TaskError> lower_task(const nlohmann::json& declaration);

/// One tensor function, for hover and completion.
struct TensorFunction {
  std::string name;
  std::string signature;  // "softmax(x, axis)"
  std::string doc;
};
const std::vector<TensorFunction>& tensor_functions();

/// A dtype of inputs or a form of their values, for the reference: `f32`, `one_hot`.
struct InputDoc {
  std::string name;
  std::string written;  // "`f32(0..1)[M]`"
  std::string meaning;
};
const std::vector<InputDoc>& input_docs();

}  // namespace trl::language
