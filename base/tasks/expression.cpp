#include "base/tasks/expression.hpp"

#include <fmt/format.h>

#include "base/support/error.hpp"

namespace trl::tasks {

using nlohmann::json;

Expression Expression::number(double value) {
  Expression out;
  out.constant = value;
  return out;
}

Expression Expression::of_input(std::size_t index, Shape shape) {
  Expression out;
  out.kind = Kind::Input;
  out.input = index;
  out.shape = std::move(shape);
  return out;
}

void Expression::set(const std::string& name, const json& value) {
  if (operators::is_constant(name))
    attributes[name] = value.get<double>();
  else if (form_of(op) == Form::Stated || (name != "axis" && name != "keepdim"))
    options[name] = value;
  else if (name == "keepdim")
    keepdim = value.get<bool>();
  else if (value.is_array())
    axes = value.get<std::vector<std::int64_t>>();
  else
    axis = value.get<int>();
}

json Expression::structure() const {
  json out = json::object();
  for (const auto& [name, value] : options) out[name] = value;
  const Form form = form_of(op);
  if (form == Form::Reduction || form == Form::Along)
    out["axis"] = axes.empty() && axis >= 0 ? json(axis) : json(axes);
  if (form == Form::Reduction) out["keepdim"] = keepdim;
  return out;
}

Operator parse_operator(const std::string& name) {
  const auto found = operators::operator_called(name);
  if (!found || operators::row(*found).is_alias())
    throw UserError(fmt::format("no operator is called \"{}\"", name),
                    "docs/interfaces.md, 1, lists the operators");
  return *found;
}

std::optional<double> default_attribute(Operator op, const std::string& name) {
  const operators::Parameter* parameter = operators::row(op).parameter(name);
  if (parameter == nullptr || !parameter->default_value.is_number()) return std::nullopt;
  return parameter->default_value.get<double>();
}

double attribute(const Expression& node, const std::string& name) {
  if (const auto own = node.attributes.find(name); own != node.attributes.end()) return own->second;
  if (const auto default_value = default_attribute(node.op, name)) return *default_value;
  throw UserError(fmt::format("{} lacks its number `{}`", name_of(node.op), name),
                  "docs/interfaces.md, 1, lists the operators with their numbers");
}

OperatorPairs neighbours(const Expression& expression) {
  OperatorPairs pairs;
  each_operator(expression, [&](const Expression& node) {
    for (const Expression& argument : node.args)
      if (argument.is_operator()) pairs.emplace(argument.op, node.op);
  });
  return pairs;
}

std::map<std::string, int> count_operators(const Expression& expression) {
  std::map<std::string, int> counts;
  each_operator(expression, [&](const Expression& node) { ++counts[name_of(node.op)]; });
  return counts;
}

}  // namespace trl::tasks
