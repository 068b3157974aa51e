// A task: a typed expression over named inputs with symbolic shapes (docs/interfaces.md, 1).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/operators/dtype.hpp"
#include "base/tasks/expression.hpp"
#include "base/tasks/extent.hpp"
#include "base/tasks/input_values.hpp"

namespace trl::tasks {

struct TaskInput {
  std::string name;
  std::string dtype;  // a name from base/operators/dtype.hpp
  Shape shape;
  std::optional<Extent> below = {};  // for integers in [0, below): the bound; otherwise none
  InputValues values = {};
  /// For a parameter of the task's module: its name in the module's state_dict, since `forward` doesn't take
  /// it as an argument. Empty for other inputs.
  std::string parameter = {};
  bool integers() const { return operators::is_integer(dtype); }
  bool operator==(const TaskInput&) const = default;
};

/// One result of a task that has several results.
struct TaskResult {
  std::string dtype;
  Shape shape;
  bool operator==(const TaskResult&) const = default;
};

/// The PyTorch module from which a task was read: its code, which models see in prompts, and the arguments of
/// its constructor.
struct TaskModule {
  std::string code;   ///< the text of the whole Python file
  std::string entry;  ///< the name of the module's class
  /// The constructor's positional and keyword arguments: JSON values, {"tuple": […]}, {"size": extent} for a
  /// number that depends on the task's dimensions, and {"real": 2} for Python's 2.0.
  nlohmann::json arguments = nlohmann::json::array(), keywords = nlohmann::json::object();
  /// The arguments of forward in its order, if some of them are no tensors: null stands for the next one of
  /// the task's inputs, {"value": JSON} for a constant. Empty if all arguments are tensors.
  nlohmann::json forward = nlohmann::json::array();

  /// `arguments_at` returns the positional arguments for given sizes of the dimensions, `keywords_at` the
  /// keyword arguments: Python programs construct the module with both. All three throw UserError.
  nlohmann::json arguments_at(const Sizes& sizes) const;
  nlohmann::json keywords_at(const Sizes& sizes) const;
  /// Returns `forward` for given sizes of the dimensions: the values of its constants are numbers in place of
  /// {"size": …} and {"real": …}.
  nlohmann::json forward_at(const Sizes& sizes) const;
  bool operator==(const TaskModule&) const = default;
};

struct Task {
  std::string suite;
  std::int64_t id = 0;
  std::string name;
  std::string doc;
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<TaskInput> inputs;
  Expression value;
  std::string dtype;  // dtype of the output; for several results, dtype of the first
  /// The results of a task with several results; empty for a task with one result. With several, `value` is
  /// an operator `results` with one argument for each result, and its value holds all their elements one
  /// after another.
  std::vector<TaskResult> results = {};
  std::optional<TaskModule> module = {};  ///< only for a task that was read from a file in KernelBench's form
  std::string key;                        // equal for tasks that differ only in sizes and constants

  /// Reads task JSON and infers every shape; takes the key from the JSON without a check. Throws UserError,
  /// which names the task, if it is malformed, shapes don't fit together, or a name isn't a name, word or
  /// size.
  static Task read(const nlohmann::json& task);
  /// Like `read`, but also throws UserError if the JSON's `key` isn't the key of the expression.
  static Task parse(const nlohmann::json& task);
  nlohmann::json to_json() const;
  /// Returns all results: `results`, or the only result of a task that has one.
  std::vector<TaskResult> outputs() const;
  bool operator==(const Task&) const = default;
};

/// Whether no expression describes the task's values. Answers to such a task are judged by running its module
/// at the task's own sizes, on a GPU alone.
bool judged_by_module(const Task& task);

/// Splits a task with several results into one task for each result. A task with one result is returned as it
/// is.
std::vector<Task> single_results(const Task& task);

}  // namespace trl::tasks
