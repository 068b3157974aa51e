#include "verifier/corpus/parts.hpp"

#include "verifier/corpus/coverage.hpp"
#include "verifier/corpus/mutation.hpp"

namespace trl::runtime {
namespace {

/// Finds the operators after which the task can be cut in two: their values are matrices, they aren't
/// transpositions, and neither they nor an operator below them is a reduction or goes along an axis.
void cuts(Expression& node, std::vector<Expression*>& found) {
  for (Expression& argument : node.args) cuts(argument, found);
  if (node.kind != Expression::Kind::Operator || has_along(node)) return;
  if (form_of(node.op) == Form::Transpose) return;
  const bool matrix = node.shape.size() == 2 && !node.shape[0].is_one() && !node.shape[1].is_one();
  if (matrix) found.push_back(&node);
}

Expression* first_input(Expression& node, const Shape& shape) {
  if (node.kind == Expression::Kind::Input) return node.shape == shape ? &node : nullptr;
  for (Expression& argument : node.args)
    if (Expression* found = first_input(argument, shape)) return found;
  return nullptr;
}

}  // namespace

std::vector<Part> parts_of(Task task, const Style& style, Flaw flaw) {
  const bool product = has_product(task.value);
  std::vector<Expression*> places;
  if (flaw == Flaw::ExtraPass) {
    if (Expression* input = first_input(task.value, domain_of(task))) places.push_back(input);
  } else if ((product && has_along(task.value)) || style.split) {
    cuts(task.value, places);
    std::erase(places, &task.value);
  }
  if (places.empty()) return {{std::move(task), "out"}};
  // Forgotten padding has an effect only if an operator lies between the temporary and the reduction.
  const bool early = flaw == Flaw::OtherPad || flaw == Flaw::ExtraPass;
  Expression& node = *places[early ? 0 : style.placement % places.size()];
  Expression below = std::move(node);
  Part first{task, "t", below.kind == Expression::Kind::Input};
  Expression temporary;
  temporary.kind = Expression::Kind::Input;
  temporary.input = task.inputs.size();
  temporary.shape = below.shape;
  node = temporary;
  first.task.value = std::move(below);
  task.inputs.push_back({"t", temporary_dtype, temporary.shape});
  return {std::move(first), {std::move(task), "out"}};
}

Task task_with(const Task& task, const Style& style, Flaw& flaw) {
  if (flaw == Flaw::WrongConstant) return wrong_constant(task, style.placement).value_or(task);
  if (flaw == Flaw::WrongOperator) return wrong_operator(task, style.placement).value_or(task);
  if (flaw == Flaw::WrongAxis)
    if (auto wrong = wrong_axis(task)) {
      flaw = Flaw::None;
      return *wrong;
    }
  return task;
}

std::vector<std::string> kernel_names(const std::vector<Part>& parts, const Style& style) {
  if (parts.size() == 1) return {style.long_names ? "fused_kernel" : "kernel"};
  std::vector<std::string> names;
  for (const Part& part : parts)
    names.emplace_back(part.copies                    ? "copy_kernel"
                       : has_product(part.task.value) ? "matmul_kernel"
                       : names.empty()                ? "first_kernel"
                                                      : "second_kernel");
  return names;
}

}  // namespace trl::runtime
