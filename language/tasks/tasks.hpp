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

/// A mistake in a task function: a message, and the byte range of the wrong expression (0..0 if it has none).
struct TaskError {
  std::string message;
  std::size_t begin = 0, end = 0;
  std::vector<std::string> notes;
};

/// Checks the types and shapes of a task function and lowers it to a task with its key. The declaration is
/// JSON:
///
/// declaration = {"suite", "id", "name", "doc", "dims": [[name, value], …],
///                "params": [{"name", "dtype", "shape": [SIZE, …], "values": VALUES, "at": [b, e]}, …],
///                "body": EXPR, "sizes": "own" if the task is used only at its own sizes}
/// - EXPR is an expression as in formulas (docs/interfaces.md, 2), with `@` for the matrix product and
/// {"list": [EXPR, …]} for lists. Calls are calls of tensor functions with "args" and "named". Every node can
/// have its byte range as "at": [begin, end]. Axes may be negative or called `dim`.
/// - SIZE is a dimension's name, an integer, an EXPR of these, or {"size": text} with a size of the task
/// format.
/// - VALUES is the content of the parentheses after the dtype: a SIZE above all integers, a word, a call, or
/// {"range": [EXPR, EXPR]}.
std::variant<Task, TaskError> lower_task(const nlohmann::json& declaration);

/// The documentation of a tensor function, for hover and completion in editors.
struct TensorFunction {
  std::string name;
  std::string signature;  // "softmax(x, axis)"
  std::string doc;
};
const std::vector<TensorFunction>& tensor_functions();

/// The documentation of a dtype that inputs can have, or of a notation for their values, for the reference:
/// `f32`, `one_hot`.
struct InputDoc {
  std::string name;
  std::string written;  // "`f32(0..1)[M]`"
  std::string meaning;
};
const std::vector<InputDoc>& input_docs();

}  // namespace trl::language
