#include "verifier/corpus/mutation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <vector>

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/probe.hpp"

namespace trl::runtime {
namespace {

void each(Expression& node, const std::function<void(Expression&)>& visit) {
  visit(node);
  for (Expression& argument : node.args) each(argument, visit);
}

/// Applies the first change that changes values visibly. The changes are tried from index `which` on,
/// cyclically. Returns the changed task; nothing if no change does.
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

/// Returns the operators that one might confuse with an operator.
std::vector<Operator> similar(Operator op) {
  using enum Operator;
  switch (op) {
    case abs:
      return {relu, neg};
    case ceil:
      return {floor};
    case celu:
      return {elu, relu};
    case clamp:
      return {relu};
    case cos:
      return {sin};
    case cosh:
      return {sinh, exp};
    case deg2rad:
      return {neg, sin};
    case elu:
      return {relu, leaky_relu};
    case erf:
      return {tanh, sigmoid};
    case exp:
      return {square, sigmoid};
    case exp2:
      return {exp, square};
    case expm1:
      return {exp};
    case floor:
      return {ceil};
    case gelu:
      return {silu, sigmoid, relu};
    case hardshrink:
      return {softshrink};
    case hardsigmoid:
      return {relu6, sigmoid};
    case hardswish:
      return {relu, hardsigmoid};
    case hardtanh:
      return {relu6, tanh};
    case leaky_relu:
      return {relu, elu};
    case log:
      return {exp, sqrt};
    case log1p:
      return {log2, sqrt};
    case log2:
      return {log, sqrt};
    case logsigmoid:
      return {softplus, sigmoid};
    case mish:
      return {silu, tanh};
    case neg:
      return {abs};
    case reciprocal:
      return {neg, rsqrt};
    case relu:
      return {abs, leaky_relu, elu};
    case relu6:
      return {hardsigmoid, relu};
    case rsqrt:
      return {sqrt, reciprocal};
    case selu:
      return {elu, relu};
    case sigmoid:
      return {tanh, hardsigmoid, silu};
    case sign:
      return {abs, tanh};
    case silu:
      return {gelu, sigmoid, mish};
    case sin:
      return {cos};
    case sinh:
      return {cosh, exp};
    case softplus:
      return {relu, exp};
    case softshrink:
      return {hardshrink, relu};
    case softsign:
      return {tanh, sigmoid};
    case sqrt:
      return {rsqrt, square};
    case square:
      return {abs, sqrt};
    case tanh:
      return {sigmoid, softsign};
    case tanhshrink:
      return {tanh, softshrink};
    case add:
      return {sub, mul};
    case div:
      return {mul};
    case hypot:
      return {add, maximum};
    case lerp:
      return {add, sub};
    case logaddexp:
      return {maximum, add};
    case maximum:
      return {minimum, add};
    case minimum:
      return {maximum};
    case mul:
      return {add, div};
    case sub:
      return {add};
    case amax:
      return {amin, sum};
    case amin:
      return {amax};
    case logsumexp:
      return {amax, sum};
    case mean:
      return {sum, amax};
    case std:
      return {var, mean};
    case sum:
      return {amax};
    case var:
      return {std, mean};
    case vector_norm:
      return {sum, amax};
    case cumsum:
      return {softmax, rms_norm};
    case layer_norm:
      return {softmax};
    case log_softmax:
      return {softmax};
    case normalize:
      return {rms_norm, softmax};
    case rms_norm:
      return {softmax};
    case softmax:
      return {log_softmax, rms_norm};
    case softmin:
      return {softmax, log_softmax};
#define TRL_OPERATOR(name, ...) case name:
#define TRL_UNWRITTEN(name, ...) case name:
#define TRL_ALIAS(name, ...) case name:
#include "base/operators/operators.def"
      break;
  }
  return {};
}

/// How lanes beyond the end that hold zeros affect an operator along an axis.
enum class Zeros { nothing, count, count_unless_zero };

Zeros zeros_in(Operator op) {
  using enum Operator;
  switch (op) {
    case logsumexp:
    case std:
    case var:
    case log_softmax:
    case softmax:
    case softmin:
      return Zeros::count;
    case mean:
    case sum:
    case vector_norm:
    case layer_norm:
    case normalize:
    case rms_norm:
      return Zeros::count_unless_zero;
    case amax:
    case amin:
    case cumsum:
#define TRL_ELEMENT(name, ...) case name:
#define TRL_OPERATOR(name, ...) case name:
#define TRL_UNWRITTEN(name, ...) case name:
#define TRL_ALIAS(name, ...) case name:
#include "base/operators/operators.def"
      break;
  }
  return Zeros::nothing;
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
  std::vector<std::function<void(Task&)>> changes;
  Task copy = task;
  std::size_t n = 0;
  each(copy.value, [&](Expression& node) {
    if (node.kind == Expression::Kind::Operator)
      for (const Operator other : similar(node.op))
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
  // This task has one element, whose input is the constant below.
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
    const Zeros zeros = zeros_in(node.op);
    if (zeros == Zeros::nothing) return;
    // Lanes are padded with zeros when they are loaded, and then the operators before this one are applied to
    // them.
    const Expression& before = node.args[0];
    const double padding = value_at_zero(before);
    shows = shows || zeros == Zeros::count || !(std::abs(padding) < 1e-2);
  });
  return shows;
}

}  // namespace trl::runtime
