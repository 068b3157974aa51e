#include "verifier/tasks/reference.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include "base/support/error.hpp"
#include "base/tensors/scalar_type.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;
struct Evaluation {
  const std::vector<Tensor>& inputs;
  at::TensorOptions floats;
  Sizes sizes;
};

Tensor value(const Expression& node, const Evaluation& at) {
  if (node.kind == Expression::Kind::Input) return at.inputs[node.input];
  if (node.kind == Expression::Kind::Constant) return at::scalar_tensor(node.constant, at.floats);
  std::vector<Tensor> args;
  for (const Expression& argument : node.args) args.push_back(value(argument, at));
  return operator_value(node, args, at.sizes);
}

}  // namespace

Sizes sizes_of(const Task& task, const std::vector<Tensor>& inputs) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Tensor& input : inputs) shapes.push_back(input.sizes().vec());
  return sizes_of(task, shapes);
}

at::ScalarType exact_type(const std::string& dtype) {
  const operators::Dtype* row = operators::dtype_called(dtype);
  return row != nullptr && (row->integer() || row->boolean()) ? scalar_type(*row) : at::kDouble;
}

std::vector<Tensor> exact_inputs(const Task& task, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> exact;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    exact.push_back(inputs[i].to(i < task.inputs.size() ? exact_type(task.inputs[i].dtype) : at::kDouble));
  return exact;
}

Tensor evaluate(const Task& task, const std::vector<Tensor>& inputs) {
  if (inputs.size() != task.inputs.size())
    throw UserError(
        fmt::format("task {} takes {} inputs, not {}", task.name, task.inputs.size(), inputs.size()));
  at::TensorOptions floats = at::kDouble;
  for (const Tensor& input : inputs)
    if (input.is_floating_point()) floats = input.options();
  return value(task.value, {inputs, floats, sizes_of(task, inputs)});
}

Tensor reference(const Task& task, const std::vector<Tensor>& inputs) {
  return evaluate(task, exact_inputs(task, inputs)).to(at::kDouble);
}

}  // namespace trl::runtime
