#include "runtime/corpus/mutation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "runtime/corpus/probe.hpp"

namespace trl::runtime {
namespace {

void each(Expression& node, const std::function<void(Expression&)>& visit) {
  visit(node);
  for (Expression& argument : node.args) each(argument, visit);
}

/// The first of the changes, starting at `which`, that shows in the values.
std::optional<Task> first_visible(const Task& task, const std::vector<std::function<void(Task&)>>& changes,
                                  std::uint64_t which) {
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Task wrong = task;
    changes[(which + i) % changes.size()](wrong);
    if (differ(task, wrong)) return wrong;
  }
  return std::nullopt;
}

/// Changes the nth node in preorder.
std::function<void(Task&)> at_node(std::size_t n, std::function<void(Expression&)> change) {
  return [n, change = std::move(change)](Task& task) {
    std::size_t i = 0;
    each(task.value, [&](Expression& node) {
      if (i++ == n) change(node);
    });
  };
}

}  // namespace

std::optional<Task> wrong_constant(const Task& task, std::uint64_t which) {
  std::vector<std::function<void(Task&)>> changes;
  Task copy = task;
  std::size_t n = 0;
  each(copy.value, [&](Expression& node) {
    for (const double factor : {0.5, 2.0, 0.1, 10.0}) {
      if (node.kind == Expression::Kind::Constant)
        changes.push_back(at_node(n, [factor](Expression& wrong) { wrong.constant *= factor; }));
      for (const auto& [name, value] : node.attributes)
        if (name != "eps")
          changes.push_back(at_node(n, [factor, name = name](Expression& wrong) {
            double& number = wrong.attributes[name];
            number = number == 0 ? -factor : number * factor;
          }));
    }
    ++n;
  });
  return first_visible(task, changes, which);
}

std::optional<Task> wrong_operator(const Task& task, std::uint64_t which) {
  static const std::map<std::string, std::vector<std::string>> similar = {
      {"relu", {"abs", "leaky_relu", "elu"}},
      {"sigmoid", {"tanh", "hardsigmoid", "silu"}},
      {"tanh", {"sigmoid", "softsign"}},
      {"silu", {"gelu", "sigmoid", "mish"}},
      {"gelu", {"silu", "sigmoid", "relu"}},
      {"exp", {"square", "sigmoid"}},
      {"log", {"exp", "sqrt"}},
      {"sqrt", {"rsqrt", "square"}},
      {"rsqrt", {"sqrt", "reciprocal"}},
      {"abs", {"relu", "neg"}},
      {"neg", {"abs"}},
      {"square", {"abs", "sqrt"}},
      {"softplus", {"relu", "exp"}},
      {"elu", {"relu", "leaky_relu"}},
      {"leaky_relu", {"relu", "elu"}},
      {"hardswish", {"relu", "hardsigmoid"}},
      {"hardsigmoid", {"relu6", "sigmoid"}},
      {"relu6", {"hardsigmoid", "relu"}},
      {"mish", {"silu", "tanh"}},
      {"softsign", {"tanh", "sigmoid"}},
      {"clamp", {"relu"}},
      {"sin", {"cos"}},
      {"cos", {"sin"}},
      {"reciprocal", {"neg", "rsqrt"}},
      {"ceil", {"floor"}},
      {"celu", {"elu", "relu"}},
      {"cosh", {"sinh", "exp"}},
      {"erf", {"tanh", "sigmoid"}},
      {"exp2", {"exp", "square"}},
      {"expm1", {"exp"}},
      {"floor", {"ceil"}},
      {"hardshrink", {"softshrink"}},
      {"hardtanh", {"relu6", "tanh"}},
      {"log1p", {"log2", "sqrt"}},
      {"log2", {"log", "sqrt"}},
      {"logsigmoid", {"softplus", "sigmoid"}},
      {"selu", {"elu", "relu"}},
      {"sign", {"abs", "tanh"}},
      {"sinh", {"cosh", "exp"}},
      {"softshrink", {"hardshrink", "relu"}},
      {"tanhshrink", {"tanh", "softshrink"}},
      {"add", {"sub", "mul"}},
      {"hypot", {"add", "maximum"}},
      {"lerp", {"add", "sub"}},
      {"logaddexp", {"maximum", "add"}},
      {"sub", {"add"}},
      {"mul", {"add", "div"}},
      {"div", {"mul"}},
      {"maximum", {"minimum", "add"}},
      {"minimum", {"maximum"}},
      {"sum", {"amax"}},
      {"mean", {"sum", "amax"}},
      {"amax", {"amin", "sum"}},
      {"amin", {"amax"}},
      {"logsumexp", {"amax", "sum"}},
      {"std", {"var", "mean"}},
      {"var", {"std", "mean"}},
      {"vector_norm", {"sum", "amax"}},
      {"cumsum", {"softmax", "rms_norm"}},
      {"normalize", {"rms_norm", "softmax"}},
      {"softmin", {"softmax", "log_softmax"}},
      {"softmax", {"log_softmax", "rms_norm"}},
      {"log_softmax", {"softmax"}},
      {"rms_norm", {"softmax"}},
      {"layer_norm", {"softmax"}},
  };
  std::vector<std::function<void(Task&)>> changes;
  Task copy = task;
  std::size_t n = 0;
  each(copy.value, [&](Expression& node) {
    if (const auto found = similar.find(node.op); found != similar.end())
      for (const std::string& other : found->second)
        changes.push_back(at_node(n, [other](Expression& wrong) { wrong.op = other; }));
    ++n;
  });
  return first_visible(task, changes, which);
}

std::optional<Task> wrong_axis(const Task& task) {
  std::vector<std::function<void(Task&)>> changes;
  Task copy = task;
  std::size_t n = 0;
  each(copy.value, [&](Expression& node) {
    if (node.kind == Expression::Kind::Operator && form_of(node.op) == Form::Along && node.shape.size() == 2)
      changes.push_back(at_node(n, [](Expression& wrong) { wrong.axis = 1 - wrong.axis; }));
    ++n;
  });
  return first_visible(task, changes, 0);
}

bool has_broadcast_input(const Task& task) {
  return std::any_of(task.inputs.begin(), task.inputs.end(), [](const TaskInput& input) {
    return input.shape.size() == 1 || (input.shape.size() == 2 && input.shape[1].is_one());
  });
}

double value_at_zero(const Expression& node) {
  if (node.kind == Expression::Kind::Constant) return node.constant;
  if (node.kind == Expression::Kind::Input) return 0;
  const Form form = form_of(node.op);
  if (form == Form::Matmul) return 0;
  if (form != Form::Elementwise && form != Form::Binary) return std::numeric_limits<double>::quiet_NaN();
  // A task on one element whose input is the constant below.
  Task scalar;
  scalar.value = node;
  std::vector<Expression> values;
  for (const Expression& argument : node.args) {
    Expression value;
    value.constant = value_at_zero(argument);
    if (std::isnan(value.constant)) return value.constant;
    values.push_back(value);
  }
  scalar.value.args = values;
  return probe(scalar, 1).exact.front();
}

bool padding_shows(const Task& task) {
  bool shows = false;
  Task copy = task;
  each(copy.value, [&](Expression& node) {
    if (node.kind != Expression::Kind::Operator) return;
    const bool exponential =
        node.op == "softmax" || node.op == "log_softmax" || node.op == "logsumexp" || node.op == "softmin";
    const bool adds = node.op == "sum" || node.op == "mean" || node.op == "rms_norm" ||
                      node.op == "layer_norm" || node.op == "normalize" || node.op == "vector_norm";
    const bool centres = node.op == "var" || node.op == "std";
    if (!exponential && !adds && !centres) return;
    // Padded with zeros on loading, then taken through what comes before.
    const Expression& before = node.args[0];
    const double padding = value_at_zero(before);
    shows = shows || exponential || centres || !(std::abs(padding) < 1e-2);
  });
  return shows;
}

}  // namespace trl::runtime
