// A task: a typed expression over named inputs with symbolic shapes (docs/seams.md, 1).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace trl::runtime {

/// One dimension of a shape: a symbol, or a fixed number where `name` is empty.
struct Extent {
  std::string name;
  std::int64_t size = 0;
  bool operator==(const Extent&) const = default;
  bool is_one() const { return name.empty() && size == 1; }
};
using Shape = std::vector<Extent>;

/// An operator applied to arguments, an input, or a number.
struct Expression {
  enum class Kind { Input, Constant, Operator };
  Kind kind = Kind::Constant;
  std::size_t input = 0;  // index into Task::inputs
  double constant = 0;
  std::string op;
  std::vector<Expression> args;
  int axis = -1;  // reductions and operators along an axis
  bool keepdim = false;
  std::map<std::string, double> attributes;  // min, max, negative_slope, eps
  Shape shape;                               // of the value; empty for a number
};

struct TaskInput {
  std::string name;
  std::string dtype;  // f32, f16, bf16
  Shape shape;
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

  /// Reads task JSON; infers every shape. Throws StageError naming the task when it is malformed, when shapes
  /// don't fit, or when `key` differs from what the expression gives.
  static Task parse(const nlohmann::json& task);
  nlohmann::json to_json() const;
};

/// The key of a task's expression, docs/seams.md, 1.
std::string task_key(const Task& task);

/// Sets the shape of every node of `value`. Throws StageError when shapes don't fit.
void infer_shapes(Task& task);

/// How an operator treats shapes.
enum class Form { Elementwise, Binary, Reduction, Along, Matmul, Transpose };
/// Throws StageError for an unknown operator.
Form form_of(const std::string& op);
/// Every operator's name, sorted.
const std::vector<std::string>& operator_names();

/// Operators by name, how often each occurs in the expression.
std::map<std::string, int> count_operators(const Expression& expression);

}  // namespace trl::runtime
