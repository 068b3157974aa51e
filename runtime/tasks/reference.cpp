#include "runtime/tasks/reference.hpp"

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>

#include "ground/error.hpp"
#include "runtime/tasks/reference_operators.hpp"
#include "runtime/tasks/variation.hpp"

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
      {"erf", [](const Tensor& x) { return at::erf(x); }},
      {"exp", [](const Tensor& x) { return at::exp(x); }},
      {"exp2", [](const Tensor& x) { return at::exp2(x); }},
      {"expm1", [](const Tensor& x) { return at::expm1(x); }},
      {"floor", [](const Tensor& x) { return at::floor(x); }},
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

/// x * weight + bias, of those that are given.
Tensor weighted(const Tensor& x, const std::vector<Tensor>& args) {
  if (args.size() == 1) return x;
  return args.size() == 2 ? x * args[1] : x * args[1] + args[2];
}

Tensor along(const Expression& node, const std::vector<Tensor>& args) {
  const std::string& op = node.op;
  const Tensor& x = args[0];
  if (op == "cumsum") return at::cumsum(x, node.axis);
  if (op == "softmin") return at::softmax(-x, node.axis);
  if (op == "softmax") return at::softmax(x, node.axis);
  if (op == "log_softmax") return at::log_softmax(x, node.axis);
  const double eps = attribute(node, "eps");
  if (op == "normalize")
    return x / at::clamp_min(at::linalg_vector_norm(x, 2, at::IntArrayRef{node.axis}, true), eps);
  const std::vector<std::int64_t> axes = node.axis >= 0 ? std::vector<std::int64_t>{node.axis} : node.axes;
  if (op == "rms_norm") return weighted(x * at::rsqrt(at::mean(x * x, axes, true) + eps), args);
  const Tensor centred = x - at::mean(x, axes, true);
  return weighted(centred * at::rsqrt(at::mean(centred * centred, axes, true) + eps), args);
}

Tensor reduced(const Expression& node, const Tensor& x) {
  const std::string& op = node.op;
  const std::vector<std::int64_t> axes = node.axis >= 0 ? std::vector<std::int64_t>{node.axis} : node.axes;
  if (op == "sum") return at::sum(x, axes, node.keepdim);
  if (op == "mean") return at::mean(x, axes, node.keepdim);
  if (op == "amax") return at::amax(x, axes, node.keepdim);
  if (op == "amin") return at::amin(x, axes, node.keepdim);
  if (op == "logsumexp") return at::logsumexp(x, axes, node.keepdim);
  if (op == "var") return at::var(x, axes, 1, node.keepdim);
  if (op == "std") return at::std(x, axes, 1, node.keepdim);
  if (op == "vector_norm") return at::linalg_vector_norm(x, 2, axes, node.keepdim);
  throw UserError(fmt::format("the reference of \"{}\" is missing", op));
}

/// What the task states is what comes out, or one of the two is wrong.
Tensor stated(const Expression& node, const std::vector<Tensor>& args, const Sizes& sizes) {
  const Tensor out = stated_value(node, args, sizes);
  if (const auto wanted = extents(node.shape, sizes); out.sizes() != at::IntArrayRef(wanted))
    throw UserError(fmt::format("{} gives [{}] where the task says [{}]", node.op,
                                fmt::join(out.sizes(), ", "), fmt::join(wanted, ", ")),
                    "the program that wrote the task and this one differ in version: rebuild both");
  return out;
}

}  // namespace

Tensor operator_value(const Expression& node, const std::vector<Tensor>& args, const Sizes& sizes) {
  const std::string& op = node.op;
  const Tensor& x = args[0];
  if (const auto found = unary().find(op); found != unary().end()) return found->second(x);
  switch (form_of(op)) {
    case Form::Stated:
      return stated(node, args, sizes);
    case Form::Reduction:
      return reduced(node, x);
    case Form::Along:
      return along(node, args);
    default:
      break;
  }
  const auto bound = [&](const char* name) -> std::optional<at::Scalar> {
    const auto found = node.attributes.find(name);
    if (found == node.attributes.end()) return std::nullopt;
    return at::Scalar(found->second);
  };
  if (op == "leaky_relu") return at::leaky_relu(x, attribute(node, "negative_slope"));
  if (op == "elu") return at::elu(x, attribute(node, "alpha"));
  if (op == "celu") return at::celu(x, attribute(node, "alpha"));
  if (op == "gelu") return at::gelu(x, node.options.contains("approximate") ? "tanh" : "none");
  if (op == "hardshrink") return at::hardshrink(x, attribute(node, "lambd"));
  if (op == "softshrink") return at::softshrink(x, attribute(node, "lambd"));
  if (op == "hardtanh") return at::clamp(x, attribute(node, "min_val"), attribute(node, "max_val"));
  if (op == "clamp") return at::clamp(x, bound("min"), bound("max"));
  if (op == "transpose") {
    const bool named = node.options.contains("axis0");
    const std::int64_t a = named ? node.options.at("axis0").get<std::int64_t>() : 0,
                       b = named ? node.options.at("axis1").get<std::int64_t>() : 1;
    return x.transpose(a, b).contiguous();
  }
  const Tensor& y = args.at(1);
  if (op == "add") return x + y;
  if (op == "sub") return x - y;
  if (op == "mul") return x * y;
  if (op == "div") return x / y;
  if (op == "maximum") return at::maximum(x, y);
  if (op == "minimum") return at::minimum(x, y);
  if (op == "hypot") return at::hypot(x, y);
  if (op == "lerp") return at::lerp(x, y, attribute(node, "weight"));
  if (op == "logaddexp") return at::logaddexp(x, y);
  if (op == "matmul") return at::matmul(x, y);
  throw UserError(fmt::format("the reference of \"{}\" is missing", op));
}

namespace {

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

std::vector<Tensor> exact_inputs(const Task& task, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> exact;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool integers = i < task.inputs.size() && task.inputs[i].below.has_value();
    exact.push_back(inputs[i].to(!integers                       ? at::kDouble
                                 : task.inputs[i].dtype == "i32" ? at::kInt
                                                                 : at::kLong));
  }
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
