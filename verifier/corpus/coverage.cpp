#include "verifier/corpus/coverage.hpp"

#include <algorithm>
#include <set>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

void find_axes(const Expression& node, std::set<int>& axes) {
  if (is_along(node)) axes.insert(node.axis);
  for (const Expression& argument : node.args) find_axes(argument, axes);
}

}  // namespace

void beyond(const std::string& what) {
  throw UserError(
      "the corpus can't write an answer to this task: " + what,
      "it covers chains on [M, N] with inputs [M, N], [N] and [M, 1], and one leading matrix product");
}

bool is_operator(const Expression& node, Form form) {
  return node.kind == Expression::Kind::Operator && form_of(node.op) == form;
}

const Expression* find_form(const Expression& node, Form form) {
  for (const Expression& argument : node.args)
    if (const Expression* found = find_form(argument, form)) return found;
  return is_operator(node, form) ? &node : nullptr;
}

bool is_along(const Expression& node) {
  return is_operator(node, Form::Along) || is_operator(node, Form::Reduction);
}

bool has_along(const Expression& node) {
  return is_along(node) || std::any_of(node.args.begin(), node.args.end(), has_along);
}

bool has_product(const Expression& value) { return find_form(value, Form::Matmul) != nullptr; }

std::optional<int> axis_of(const Expression& value) {
  std::set<int> axes;
  find_axes(value, axes);
  if (axes.size() > 1) beyond("operators along both axes");
  return axes.empty() ? std::nullopt : std::optional<int>(*axes.begin());
}

void refuse_beyond(const Expression& value) {
  for (const Expression& argument : value.args) refuse_beyond(argument);
  if (value.kind != Expression::Kind::Operator) return;
  const Form form = form_of(value.op);
  const std::string& name = name_of(value.op);
  if (!operators::row(value.op).written_answers) beyond(name);
  if (!value.options.empty()) beyond(name + " with " + value.options.begin()->first);
  if (!value.axes.empty()) beyond(name + " along several axes");
  if (form == Form::Along && value.args.size() > 1) beyond(name + " with weights");
  if (value.op == Operator::elu && value.attributes.contains("alpha")) beyond("elu with alpha");
  for (const Expression& argument : value.args)
    if (argument.shape.size() > 2) beyond("tensors of more than two axes");
  if (form == Form::Matmul && (value.args[0].shape.size() != 2 || value.args[1].shape.size() != 2))
    beyond("a product with a vector");
}

Shape domain_of(const Task& task) {
  for (const Form form : {Form::Along, Form::Reduction, Form::Transpose})
    if (const Expression* first = find_form(task.value, form)) return first->args[0].shape;
  return task.value.shape;
}

Spread spread_of(const Shape& shape, const Shape& domain) {
  if (shape == domain) return Spread::Full;
  if (std::all_of(shape.begin(), shape.end(), [](const Extent& e) { return e.is_one(); }))
    return Spread::Scalar;
  if (shape.size() == 1 && shape[0] == domain[1]) return Spread::Row;
  if (shape.size() == 2 && shape[0].is_one() && shape[1] == domain[1]) return Spread::Row;
  if (shape.size() == 2 && shape[1].is_one() && shape[0] == domain[0]) return Spread::Column;
  beyond("an input of another shape");
}

}  // namespace trl::runtime
