// A task: a typed expression over named inputs with symbolic shapes (docs/interfaces.md, 1).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "operators/operator.hpp"
#include "runtime/tasks/extent.hpp"

namespace trl::runtime {

using operators::Form;
using operators::name_of;
using operators::Operator;

/// An operator applied to arguments, an input, or a number.
struct Expression {
  enum class Kind { Input, Constant, Operator };
  Kind kind = Kind::Constant;
  std::size_t input = 0;  // index into Task::inputs
  double constant = 0;
  Operator op{};  // of Kind::Operator
  std::vector<Expression> args;
  int axis = -1;                   // reductions and operators along an axis
  std::vector<std::int64_t> axes;  // of those along several; axis is then -1
  bool keepdim = false;
  std::map<std::string, double> attributes;       // numbers that no key says: min, max, negative_slope, eps
  std::map<std::string, nlohmann::json> options;  // whatever else: stride, reduction, an axis of Form::Stated
  Shape shape;                                    // of the value; empty for a number
  std::string dtype;                              // of the value where it isn't the task's: bool, i64
};

struct TaskInput {
  std::string name;
  std::string dtype;  // f32, f16, bf16; i32, i64
  Shape shape;
  std::optional<Extent> below = {};  // integers: what the values are below
};

struct Task {
  std::string suite;
  std::int64_t id = 0;
  std::string name;
  std::string doc;
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<TaskInput> inputs;
  Expression value;
  std::string dtype;  // of the output
  std::string key;    // equality whatever the sizes and constants

  /// Reads task JSON; infers every shape. Throws UserError naming the task when it is malformed, when shapes
  /// don't fit, or when `key` differs from what the expression gives.
  static Task parse(const nlohmann::json& task);
  nlohmann::json to_json() const;
};

/// The key of a task's expression, docs/interfaces.md, 1.
std::string task_key(const Task& task);

/// Sets the shape of every node of `value`. Throws UserError when shapes don't fit.
void infer_shapes(Task& task);

/// The operator of a name in a task. Throws UserError for an unknown one.
Operator parse_operator(const std::string& name);
inline Form form_of(Operator op) { return operators::row(op).form; }

/// The attribute's value, or PyTorch's when the node doesn't say it. Throws UserError where there is none.
double attribute(const Expression& node, const std::string& name);
/// What holds when nothing is said; nothing where the operator has no such number, for clamp's bounds, a
/// threshold, an attention's scale.
std::optional<double> standard_attribute(Operator op, const std::string& name);

/// Operators by name, how often each occurs in the expression.
std::map<std::string, int> count_operators(const Expression& expression);

}  // namespace trl::runtime
