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
  std::string dtype;  // base/operators/dtype.hpp
  Shape shape;
  std::optional<Extent> below = {};  // for integers from 0: the bound that all values are below
  InputValues values = {};
  /// The name in the module's state_dict, for an input that the module keeps and forward doesn't take; else
  /// empty.
  std::string parameter = {};
  bool integers() const { return operators::is_integer(dtype); }
  bool operator==(const TaskInput&) const = default;
};

/// One of the results of a task that has several.
struct TaskResult {
  std::string dtype;
  Shape shape;
  bool operator==(const TaskResult&) const = default;
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
  std::string dtype;  // dtype of the output, or of the first of several results
  /// Empty for a task of one result. Of several, `value` is an operator `results` with one argument each,
  /// whose value has all their elements one after another.
  std::vector<TaskResult> results = {};
  std::optional<TaskModule> module = {};  ///< of a task that is a file of KernelBench's form
  std::string key;                        // equal for tasks that differ in sizes and constants alone

  /// Reads task JSON and infers every shape; the key is what the JSON says. Throws UserError naming the task
  /// if it is malformed or if shapes don't fit.
  static Task read(const nlohmann::json& task);
  /// The same, but throws UserError if `key` isn't the key of the expression, too.
  static Task parse(const nlohmann::json& task);
  nlohmann::json to_json() const;
  /// The result, or the several.
  std::vector<TaskResult> outputs() const;
  bool operator==(const Task&) const = default;
};

/// The task itself, or, for a task of several results, one task for each of them.
std::vector<Task> single_results(const Task& task);

}  // namespace trl::tasks
