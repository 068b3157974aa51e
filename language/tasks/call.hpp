// A call of a tensor function, with its arguments assigned to parameters. The rules of operators (rules.hpp)
// check such calls.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/operators/operator.hpp"
#include "base/tasks/expression.hpp"
#include "language/tasks/shape.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language::tasks {

using operators::Operator;
using operators::Parameter;
using trl::tasks::Expression;

/// A lowered expression: a tensor, or a plain number.
struct Tensor {
  Expression value;
  Type type;
  std::string source;                // the program's own text, for messages
  std::optional<Dimension> below{};  // if known: every integer in the tensor is at least 0 and below this
  std::optional<Dimension> offsets_of{};  // if known: the integers ascend from 0 to this
  bool is_size = false;                   // whether it is a dimension used as a number, which fits any dtype
  const Shape& shape() const { return type.shape; }
  bool constant() const { return value.is_constant(); }
  /// The value of a constant.
  double number() const { return value.constant; }
  /// The type or the number as text: "f32[M, K]" or "the number 2".
  std::string text() const;
};

/// Throws TaskError with the byte range of a node.
[[noreturn]] void fail_at(const nlohmann::json& node, const std::string& message,
                          std::vector<std::string> notes = {});

/// The sizes at which a task is used: its own sizes, larger sizes, and tiny sizes. A requirement that can't
/// be proved for every size, such as that a window fits, is checked at these sizes.
class UsedSizes {
 public:
  UsedSizes() = default;
  /// `declared` has each dimension's own size. If `alone` is true, only these sizes are used.
  explicit UsedSizes(const Sizes& declared, bool alone = false);
  /// If the dimension is below `least` at some sizes, returns a text such as "0 at tiny, where every
  /// dimension is 4"; otherwise nothing.
  std::optional<std::string> below(const Dimension& dimension, std::int64_t least) const;

 private:
  std::vector<std::pair<std::string, Sizes>> all_;
};

struct Argument {
  const nlohmann::json* node = nullptr;  // the argument within the call's JSON; null if it was left out
  std::vector<Tensor> tensors;
  double real = 0;
  std::int64_t integer = 0;
  bool flag = false;
  std::vector<std::int64_t> integers;  // axes, windows
  std::vector<Dimension> sizes;
  std::string choice;
};

class Call {
 public:
  Call(const operators::Row& op, const nlohmann::json& node, const UsedSizes& used, std::string shown)
      : op(op), node(node), used(used), shown(std::move(shown)) {}

  const operators::Row& op;
  const nlohmann::json& node;
  const UsedSizes& used;
  const std::string shown;  // "`@`", "`conv2d`"
  std::map<std::string, Argument> arguments;
  /// An upper bound, exclusive, of the integers that the call returns, if the rule knows that they are at
  /// least 0 and below it. They can then be used as indices.
  std::optional<Dimension> below{};

  bool has(const std::string& name) const { return arguments.contains(name); }
  const Tensor& tensor(const std::string& name = "x") const { return arguments.at(name).tensors.at(0); }
  const Shape& shape(const std::string& name = "x") const { return tensor(name).shape(); }
  const std::vector<Tensor>& tensors(const std::string& name) const { return arguments.at(name).tensors; }
  double real(const std::string& name) const { return arguments.at(name).real; }
  std::int64_t integer(const std::string& name) const { return arguments.at(name).integer; }
  bool flag(const std::string& name) const { return arguments.at(name).flag; }
  const std::vector<std::int64_t>& integer_list(const std::string& name) const {
    return arguments.at(name).integers;
  }
  const Dimension& size(const std::string& name) const { return arguments.at(name).sizes.at(0); }
  const std::vector<Dimension>& sizes(const std::string& name) const { return arguments.at(name).sizes; }
  const std::string& choice(const std::string& name) const { return arguments.at(name).choice; }

  /// Throws TaskError with the message "`conv2d`: message", at the call or at one of its arguments.
  [[noreturn]] void fail(const std::string& message, std::vector<std::string> notes = {}) const;
  [[noreturn]] void fail(const std::string& argument, const std::string& message,
                         std::vector<std::string> notes) const;

  /// A tensor argument as messages name it: "x f32[M, K]".
  std::string named(const std::string& argument) const;

  // Checks of arguments. A check that fails throws TaskError, which says how to correct the argument.
  /// Checks that all named arguments are tensors of floats with one dtype, and returns that dtype.
  std::string floats(const std::vector<std::string>& names) const;
  std::string floats() const { return floats({"x"}); }
  /// Checks that all named tensors have one dtype of floats or of integers, and returns that dtype. Plain
  /// numbers are allowed; beside integer tensors they must be integers.
  std::string numbers(const std::vector<std::string>& names) const;
  std::string numbers() const { return numbers({"x"}); }
  /// Checks that an argument is a tensor and not a plain number.
  void a_tensor(const std::string& name) const;
  void a_condition(const std::string& name, const std::string& note) const;
  void integers(const std::string& name) const;
  /// Checks that an argument has a dtype that PyTorch accepts for indices: i32 or i64.
  void places(const std::string& name) const;
  void ranks(const std::string& name, std::size_t least, std::size_t most, const std::string& meant) const;
  /// Checks that an argument has the shape `wanted`. `why` explains the shape in the message: "one for each
  /// channel".
  void shape_is(const std::string& name, const Shape& wanted, const std::string& why) const;
  void at_least(const Dimension& dimension, std::int64_t least,
                const std::function<std::string(const std::string& where)>& message) const;
  /// Checks that the values of an index are known to be at least 0 and below `size`, the size of the axis
  /// that they index.
  void index_below(const std::string& name, const Dimension& size) const;

  /// Returns an axis, counted from 0, and stores it as the argument's value.
  std::size_t axis(const std::string& name, std::size_t rank);
  std::size_t axis(const std::string& name = "axis") { return axis(name, shape().size()); }
  /// Returns axes, counted from 0 and in ascending order; all axes if the argument is missing. Stores them as
  /// the argument's value. Fails if an axis occurs twice.
  std::vector<std::size_t> axes(const std::string& name = "axis");
  /// The number of spatial axes, 1 to 3, from the digit in the operator's name: 2 for `conv2d`.
  std::size_t spatial_axes() const;
  /// Returns `count` numbers, one for each spatial axis, and stores them as the argument's value. A single
  /// number holds for all axes. Each number must be at least `least`.
  const std::vector<std::int64_t>& window(const std::string& name, std::size_t count, std::int64_t least);

  /// Returns the arguments that aren't tensors as JSON, in the form that lowered tasks have.
  nlohmann::json attributes() const;

 private:
  const nlohmann::json& place(const std::string& argument) const;
  void one_dtype(const std::string& name, const Tensor& own, const Tensor*& before) const;
  std::size_t normal_axis(const std::string& name, std::int64_t written, std::size_t rank) const;
};

}  // namespace trl::language::tasks
