#include "runtime/tasks/reference.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <functional>
#include <optional>

#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;
using Unary = Tensor (*)(const Tensor&);

const std::map<std::string, Unary>& unary() {
  static const std::map<std::string, Unary> table = {
      {"abs", [](const Tensor& x) { return at::abs(x); }},
      {"ceil", [](const Tensor& x) { return at::ceil(x); }},
      {"cos", [](const Tensor& x) { return at::cos(x); }},
      {"cosh", [](const Tensor& x) { return at::cosh(x); }},
      {"elu", [](const Tensor& x) { return at::elu(x); }},
      {"erf", [](const Tensor& x) { return at::erf(x); }},
      {"exp", [](const Tensor& x) { return at::exp(x); }},
      {"exp2", [](const Tensor& x) { return at::exp2(x); }},
      {"expm1", [](const Tensor& x) { return at::expm1(x); }},
      {"floor", [](const Tensor& x) { return at::floor(x); }},
      {"gelu", [](const Tensor& x) { return at::gelu(x); }},
      {"hardsigmoid", [](const Tensor& x) { return at::hardsigmoid(x); }},
      {"hardswish", [](const Tensor& x) { return at::hardswish(x); }},
      {"log", [](const Tensor& x) { return at::log(x); }},
      {"log1p", [](const Tensor& x) { return at::log1p(x); }},
      {"log2", [](const Tensor& x) { return at::log2(x); }},
      {"logsigmoid", [](const Tensor& x) { return at::log_sigmoid(x); }},
      {"mish", [](const Tensor& x) { return at::mish(x); }},
      {"neg", [](const Tensor& x) { return at::neg(x); }},
      {"reciprocal", [](const Tensor& x) { return at::reciprocal(x); }},
      {"relu", [](const Tensor& x) { return at::relu(x); }},
      {"relu6", [](const Tensor& x) { return at::clamp(x, 0, 6); }},
      {"rsqrt", [](const Tensor& x) { return at::rsqrt(x); }},
      {"selu", [](const Tensor& x) { return at::selu(x); }},
      {"sigmoid", [](const Tensor& x) { return at::sigmoid(x); }},
      {"sign", [](const Tensor& x) { return at::sign(x); }},
      {"silu", [](const Tensor& x) { return at::silu(x); }},
      {"sin", [](const Tensor& x) { return at::sin(x); }},
      {"sinh", [](const Tensor& x) { return at::sinh(x); }},
      // PyTorch's softplus is x above its threshold of 20; in f64 the difference is 2e-9.
      {"softplus", [](const Tensor& x) { return at::softplus(x); }},
      {"softsign", [](const Tensor& x) { return x / (at::abs(x) + 1); }},
      {"sqrt", [](const Tensor& x) { return at::sqrt(x); }},
      {"square", [](const Tensor& x) { return at::square(x); }},
      {"tanh", [](const Tensor& x) { return at::tanh(x); }},
      {"tanhshrink", [](const Tensor& x) { return x - at::tanh(x); }},
  };
  return table;
}

Tensor value(const Expression& node, const std::vector<Tensor>& inputs) {
  if (node.kind == Expression::Kind::Input) return inputs[node.input];
  if (node.kind == Expression::Kind::Constant)
    return at::scalar_tensor(node.constant, inputs.front().options());
  std::vector<Tensor> args;
  for (const Expression& argument : node.args) args.push_back(value(argument, inputs));
  const std::string& op = node.op;
  const Tensor& x = args[0];
  if (const auto found = unary().find(op); found != unary().end()) return found->second(x);
  const auto attribute = [&](const char* name) -> std::optional<at::Scalar> {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return std::nullopt;
    return at::Scalar(found->second);
  };
  if (op == "leaky_relu") return at::leaky_relu(x, attribute("negative_slope").value_or(0.01));
  if (op == "celu") return at::celu(x, attribute("alpha").value_or(1.0));
  if (op == "hardshrink") return at::hardshrink(x, attribute("lambd").value_or(0.5));
  if (op == "softshrink") return at::softshrink(x, attribute("lambd").value_or(0.5));
  if (op == "hardtanh")
    return at::clamp(x, attribute("min_val").value_or(-1.0), attribute("max_val").value_or(1.0));
  if (op == "clamp") return at::clamp(x, attribute("min"), attribute("max"));
  if (op == "transpose") return x.transpose(0, 1).contiguous();
  if (op == "sum") return at::sum(x, {node.axis}, node.keepdim);
  if (op == "mean") return at::mean(x, {node.axis}, node.keepdim);
  if (op == "amax") return at::amax(x, {node.axis}, node.keepdim);
  if (op == "amin") return at::amin(x, {node.axis}, node.keepdim);
  if (op == "logsumexp") return at::logsumexp(x, {node.axis}, node.keepdim);
  if (op == "var") return at::var(x, at::IntArrayRef{node.axis}, 1, node.keepdim);
  if (op == "std") return at::std(x, at::IntArrayRef{node.axis}, 1, node.keepdim);
  if (op == "vector_norm") return at::linalg_vector_norm(x, 2, at::IntArrayRef{node.axis}, node.keepdim);
  if (op == "cumsum") return at::cumsum(x, node.axis);
  if (op == "softmin") return at::softmax(-x, node.axis);
  if (op == "normalize") {
    const double least = attribute("eps").value_or(1e-12).toDouble();
    return x / at::clamp_min(at::linalg_vector_norm(x, 2, at::IntArrayRef{node.axis}, true), least);
  }
  if (op == "softmax") return at::softmax(x, node.axis);
  if (op == "log_softmax") return at::log_softmax(x, node.axis);
  const double eps = attribute("eps").value_or(1e-5).toDouble();
  if (op == "rms_norm") return x * at::rsqrt(at::mean(x * x, {node.axis}, true) + eps);
  if (op == "layer_norm") {
    const Tensor centred = x - at::mean(x, {node.axis}, true);
    return centred * at::rsqrt(at::mean(centred * centred, {node.axis}, true) + eps);
  }
  const Tensor& y = args.at(1);
  if (op == "add") return x + y;
  if (op == "sub") return x - y;
  if (op == "mul") return x * y;
  if (op == "div") return x / y;
  if (op == "maximum") return at::maximum(x, y);
  if (op == "minimum") return at::minimum(x, y);
  if (op == "hypot") return at::hypot(x, y);
  if (op == "lerp") return at::lerp(x, y, attribute("weight").value_or(0.5));
  if (op == "logaddexp") return at::logaddexp(x, y);
  if (op == "matmul") return at::matmul(x, y);
  throw StageError(fmt::format("the reference of \"{}\" is missing", op));
}

}  // namespace

Tensor evaluate(const Task& task, const std::vector<Tensor>& inputs) {
  if (inputs.size() != task.inputs.size())
    throw StageError(
        fmt::format("task {} takes {} inputs, not {}", task.name, task.inputs.size(), inputs.size()));
  return value(task.value, inputs);
}

Tensor reference(const Task& task, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> exact;
  for (const Tensor& input : inputs) exact.push_back(input.to(at::kDouble));
  return evaluate(task, exact);
}

}  // namespace trl::runtime
