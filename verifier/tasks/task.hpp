// A task: a typed expression over named inputs with symbolic shapes (docs/interfaces.md, 1).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/operators/dtype.hpp"
#include "base/operators/operator.hpp"
#include "verifier/tasks/domain.hpp"
#include "verifier/tasks/extent.hpp"

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
  Operator op{};  // set for Kind::Operator
  std::vector<Expression> args;
  int axis = -1;                   // the axis of a reduction or of an operator along an axis
  std::vector<std::int64_t> axes;  // the axes if there are several; axis is then -1
  bool keepdim = false;
  // numbers that aren't part of the key: min, max, negative_slope, eps
  std::map<std::string, double> attributes;
  // all other options: stride, reduction, an axis of Form::Stated
  std::map<std::string, nlohmann::json> options;
  Shape shape;        // the value's shape; empty for a number
  std::string dtype;  // the value's dtype where it isn't the task's: bool, i64
};

struct TaskInput {
  std::string name;
  std::string dtype;  // base/operators/dtype.hpp
  Shape shape;
  std::optional<Extent> below = {};  // for integers from 0: the bound that all values are below
  InputValues values = {};
  /// The name in the module's state_dict, for an input that the module keeps and forward doesn't take; else
  /// empty.
  std::string parameter = {};
  bool integers() const { return operators::is_integer(dtype); }
};

/// One of the results of a task that has several.
struct TaskResult {
  std::string dtype;
  Shape shape;
};

/// A PyTorch module that a task was read from: what a model is asked about, and how it is constructed.
struct TaskModule {
  std::string code;   ///< the whole file
  std::string entry;  ///< the name of its class
  /// The constructor's arguments: JSON values, {"tuple": […]}, and {"size": extent} for a number that depends
  /// on the task's dimensions.
  nlohmann::json arguments = nlohmann::json::array(), keywords = nlohmann::json::object();

  /// The arguments at given sizes, for the programs in Python that construct such a module. Throws UserError.
  nlohmann::json arguments_at(const Sizes& sizes) const;
  nlohmann::json keywords_at(const Sizes& sizes) const;
};

struct Task {
  std::string suite;
  std::int64_t id = 0;
  std::string name;
  std::string doc;
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<TaskInput> inputs;
  Expression value;
  std::string dtype;  // dtype of the output, or of the first of several results
  /// Empty for a task of one result. Of several, `value` is an operator `results` with one argument each,
  /// whose value has all their elements one after another.
  std::vector<TaskResult> results = {};
  std::optional<TaskModule> module = {};  ///< of a task that is a file of KernelBench's form
  std::string key;                        // equal for tasks that differ in sizes and constants alone

  /// Reads task JSON and infers every shape. Throws UserError naming the task if it is malformed, if shapes
  /// don't fit, or if `key` isn't the key of the expression.
  static Task parse(const nlohmann::json& task);
  nlohmann::json to_json() const;
};

/// The task itself, or, for a task of several results, one task for each of them.
std::vector<Task> single_results(const Task& task);

/// The key of a task's expression (docs/interfaces.md, 1).
std::string task_key(const Task& task);

/// Sets the shape of every node of `value`. Throws UserError when shapes don't fit.
void infer_shapes(Task& task);

/// The operator that a task calls by this name. Throws UserError for an unknown name.
Operator parse_operator(const std::string& name);
inline Form form_of(Operator op) { return operators::row(op).form; }

/// The attribute's value, or PyTorch's default if the node doesn't have it. Throws UserError if there is no
/// default.
double attribute(const Expression& node, const std::string& name);
/// The default of an operator's numeric attribute. Empty if there is none, as for clamp's bounds, a
/// threshold, or an attention's scale.
std::optional<double> default_attribute(Operator op, const std::string& name);

/// The dtype of a node's value; that of the first input of floats where the task doesn't say another, and
/// empty for a number.
std::string dtype_of(const Task& task, const Expression& node);
/// Whether all real numbers of the task, inputs, values between and output, have one dtype, so that it could
/// be another.
bool has_one_dtype(const Task& task);

/// How often each operator occurs in the expression, by name.
std::map<std::string, int> count_operators(const Expression& expression);

}  // namespace trl::runtime
