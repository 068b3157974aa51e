// The expression tree of a task, with shapes and dtypes (docs/interfaces.md, 1).
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/operators/operator.hpp"
#include "base/tasks/extent.hpp"

namespace trl::tasks {

using operators::Form;
using operators::name_of;
using operators::Operator;

/// A node of a task's expression: an operator with its arguments, an input, or a number.
struct Expression {
  enum class Kind { Input, Constant, Operator };
  Kind kind = Kind::Constant;
  std::size_t input = 0;  // index into the task's inputs
  double constant = 0;
  Operator op{};  // set for Kind::Operator
  std::vector<Expression> args;
  int axis = -1;                   // the axis of a reduction or of an operator along an axis
  std::vector<std::int64_t> axes;  // for several axes: the axes; `axis` is then -1
  bool keepdim = false;
  // Numeric arguments that the task's key doesn't contain, by name: min, max, negative_slope, eps.
  std::map<std::string, double> attributes;
  // All other arguments that are no tensors, by name: stride, reduction, the axis of an operator of
  // Form::Stated.
  std::map<std::string, nlohmann::json> options;
  Shape shape;        // the value's shape; empty for a number
  std::string dtype;  // the value's dtype if it differs from the task's dtype: bool, i64

  static Expression number(double value);
  static Expression of_input(std::size_t index, Shape shape = {});
  bool is_constant() const { return kind == Kind::Constant; }
  bool is_input() const { return kind == Kind::Input; }
  bool is_operator() const { return kind == Kind::Operator; }
  /// Sets one entry of `attrs` of the task format; `op` must be set before. Throws an exception of
  /// nlohmann::json for a value of the wrong type.
  void set(const std::string& name, const nlohmann::json& value);
  /// Returns the attributes that the task's key contains, by name.
  nlohmann::json structure() const;
  bool operator==(const Expression&) const = default;
};

/// Returns the operator with this name in tasks. Throws UserError for an unknown name.
Operator parse_operator(const std::string& name);
inline Form form_of(Operator op) { return operators::row(op).form; }

/// Returns the attribute's value, or PyTorch's default if the node doesn't state it. Throws UserError if
/// there is no default.
double attribute(const Expression& node, const std::string& name);
/// Returns the default of an operator's numeric attribute. Empty if there is no default, as for the bounds of
/// clamp, a threshold, or the scale of an attention.
std::optional<double> default_attribute(Operator op, const std::string& name);

/// Calls `visit` with every operator node of the expression. A node's arguments are visited before the node.
template <typename Visit>
void each_operator(const Expression& node, const Visit& visit) {
  for (const Expression& argument : node.args) each_operator(argument, visit);
  if (node.is_operator()) visit(node);
}

/// Pairs of operators where the value of the first is an argument of the second.
using OperatorPairs = std::set<std::pair<Operator, Operator>>;
/// Returns all pairs of operators where the value of the first is an argument of the second.
OperatorPairs neighbours(const Expression& expression);

/// Returns the number of occurrences of each operator in the expression, by name.
std::map<std::string, int> count_operators(const Expression& expression);

}  // namespace trl::tasks
