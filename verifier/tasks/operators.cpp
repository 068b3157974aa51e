#include <fmt/format.h>

#include "base/support/error.hpp"
#include "verifier/tasks/task.hpp"

namespace trl::runtime {
namespace {

void count(const Expression& node, std::map<std::string, int>& counts) {
  if (node.kind == Expression::Kind::Operator) ++counts[name_of(node.op)];
  for (const Expression& argument : node.args) count(argument, counts);
}

}  // namespace

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

std::map<std::string, int> count_operators(const Expression& expression) {
  std::map<std::string, int> counts;
  count(expression, counts);
  return counts;
}

}  // namespace trl::runtime
