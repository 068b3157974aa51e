// A call of a tensor function with its arguments sorted out: what rules work on.
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
  std::string source;                     // as written, for messages
  std::optional<Dimension> below{};       // integers are from 0 to below this
  std::optional<Dimension> offsets_of{};  // ascending from 0 to this
  bool is_size = false;                   // a dimension as a number, which goes with any dtype
  const Shape& shape() const { return type.shape; }
  bool constant() const { return value.is_constant(); }
  /// Of a constant.
  double number() const { return value.constant; }
  /// "f32[M, K]" or "the number 2".
  std::string text() const;
};

/// Throws TaskError at a node's place.
[[noreturn]] void fail_at(const nlohmann::json& node, const std::string& message,
                          std::vector<std::string> notes = {});

/// The sizes at which a task is used: its own, grown, and tiny. What can't be said of every size, such as
/// that a window fits, has to hold at these.
class UsedSizes {
 public:
  UsedSizes() = default;
  /// `declared`: each dimension's own size; with `alone` no other is used.
  explicit UsedSizes(const Sizes& declared, bool alone = false);
  /// Where the dimension is below `least`: "0 at tiny sizes, where H is 4"; else nothing.
  std::optional<std::string> below(const Dimension& dimension, std::int64_t least) const;

 private:
  std::vector<std::pair<std::string, Sizes>> all_;
};

struct Argument {
  const nlohmann::json* node = nullptr;  // as written, within the call's; null when it wasn't
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
  /// What the call's integers are below, where its rule knows: they may then be indices.
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

  /// "`conv2d`: message", at the call or at one of its arguments.
  [[noreturn]] void fail(const std::string& message, std::vector<std::string> notes = {}) const;
  [[noreturn]] void fail(const std::string& argument, const std::string& message,
                         std::vector<std::string> notes) const;

  /// "x f32[M, K]": a tensor argument as messages name it.
  std::string named(const std::string& argument) const;

  // Checks. Each fails with what is wrong and how to mend it.
  /// All tensors are floats; returns the dtype that they share.
  std::string floats(const std::vector<std::string>& names) const;
  std::string floats() const { return floats({"x"}); }
  /// The same of tensors of floats or of integers; numbers beside integers are integers.
  std::string numbers(const std::vector<std::string>& names) const;
  std::string numbers() const { return numbers({"x"}); }
  /// It is no plain number.
  void a_tensor(const std::string& name) const;
  void a_condition(const std::string& name, const std::string& note) const;
  void integers(const std::string& name) const;
  /// Fails unless the argument is of integers that PyTorch takes for places of a tensor: i32 or i64.
  void places(const std::string& name) const;
  void ranks(const std::string& name, std::size_t least, std::size_t most, const std::string& meant) const;
  /// The shape is the one wanted; `why` says whence: "one for each channel".
  void shape_is(const std::string& name, const Shape& wanted, const std::string& why) const;
  void at_least(const Dimension& dimension, std::int64_t least,
                const std::function<std::string(const std::string& where)>& message) const;
  /// Values of an index are known to be from 0 to below the size that they index.
  void index_below(const std::string& name, const Dimension& size) const;

  /// The axis as counted from 0; it replaces the argument.
  std::size_t axis(const std::string& name, std::size_t rank);
  std::size_t axis(const std::string& name = "axis") { return axis(name, shape().size()); }
  /// Axes counted from 0, ascending, each once; all when none is given. They replace the argument.
  std::vector<std::size_t> axes(const std::string& name = "axis");
  /// As many numbers as there are spatial axes. They replace the argument.
  const std::vector<std::int64_t>& window(const std::string& name, std::size_t count, std::int64_t least);

  /// The arguments that aren't tensors, as the task has them.
  nlohmann::json attributes() const;

 private:
  const nlohmann::json& place(const std::string& argument) const;
  void one_dtype(const std::string& name, const Tensor& own, const Tensor*& before) const;
  std::size_t normal_axis(const std::string& name, std::int64_t written, std::size_t rank) const;
};

}  // namespace trl::language::tasks
