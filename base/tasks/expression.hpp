// The expression of a task, typed (docs/interfaces.md, 1).
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

/// An operator applied to arguments, an input, or a number.
struct Expression {
  enum class Kind { Input, Constant, Operator };
  Kind kind = Kind::Constant;
  std::size_t input = 0;  // index into the task's inputs
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

  static Expression number(double value);
  static Expression of_input(std::size_t index, Shape shape = {});
  bool is_constant() const { return kind == Kind::Constant; }
  bool is_input() const { return kind == Kind::Input; }
  bool is_operator() const { return kind == Kind::Operator; }
  /// Sets one of `attrs` of the task format; `op` is set before. Throws an exception of json for a value of
  /// another type.
  void set(const std::string& name, const nlohmann::json& value);
  /// The attributes that are part of the key, by name.
  nlohmann::json structure() const;
  bool operator==(const Expression&) const = default;
};

/// The operator that a task calls by this name. Throws UserError for an unknown name.
Operator parse_operator(const std::string& name);
inline Form form_of(Operator op) { return operators::row(op).form; }

/// The attribute's value, or PyTorch's default if the node doesn't have it. Throws UserError if there is no
/// default.
double attribute(const Expression& node, const std::string& name);
/// The default of an operator's numeric attribute. Empty if there is none, as for clamp's bounds, a
/// threshold, or an attention's scale.
std::optional<double> default_attribute(Operator op, const std::string& name);

/// Calls `visit` with every operator of the expression; arguments come before the operator that is applied to
/// them.
template <typename Visit>
void each_operator(const Expression& node, const Visit& visit) {
  for (const Expression& argument : node.args) each_operator(argument, visit);
  if (node.is_operator()) visit(node);
}

/// Pairs of operators of which the first's value is an argument of the second.
using OperatorPairs = std::set<std::pair<Operator, Operator>>;
/// Every pair of neighbours in the expression.
OperatorPairs neighbours(const Expression& expression);

/// How often each operator occurs in the expression, by name.
std::map<std::string, int> count_operators(const Expression& expression);

}  // namespace trl::tasks
