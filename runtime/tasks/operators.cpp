#include <fmt/format.h>

#include "runtime/tasks/task.hpp"
#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

const std::map<std::string, Form>& forms() {
  using enum Form;
  static const std::map<std::string, Form> table = {
      {"abs", Elementwise},
      {"add", Binary},
      {"amax", Reduction},
      {"amin", Reduction},
      {"ceil", Elementwise},
      {"celu", Elementwise},
      {"clamp", Elementwise},
      {"cos", Elementwise},
      {"cosh", Elementwise},
      {"cumsum", Along},
      {"div", Binary},
      {"elu", Elementwise},
      {"erf", Elementwise},
      {"exp", Elementwise},
      {"exp2", Elementwise},
      {"expm1", Elementwise},
      {"floor", Elementwise},
      {"gelu", Elementwise},
      {"hardshrink", Elementwise},
      {"hardsigmoid", Elementwise},
      {"hardswish", Elementwise},
      {"hardtanh", Elementwise},
      {"hypot", Binary},
      {"layer_norm", Along},
      {"leaky_relu", Elementwise},
      {"lerp", Binary},
      {"log", Elementwise},
      {"log1p", Elementwise},
      {"log2", Elementwise},
      {"log_softmax", Along},
      {"logaddexp", Binary},
      {"logsigmoid", Elementwise},
      {"logsumexp", Reduction},
      {"matmul", Matmul},
      {"maximum", Binary},
      {"mean", Reduction},
      {"minimum", Binary},
      {"mish", Elementwise},
      {"mul", Binary},
      {"neg", Elementwise},
      {"normalize", Along},
      {"reciprocal", Elementwise},
      {"relu", Elementwise},
      {"relu6", Elementwise},
      {"rms_norm", Along},
      {"rsqrt", Elementwise},
      {"selu", Elementwise},
      {"sigmoid", Elementwise},
      {"sign", Elementwise},
      {"silu", Elementwise},
      {"sin", Elementwise},
      {"sinh", Elementwise},
      {"softmax", Along},
      {"softmin", Along},
      {"softplus", Elementwise},
      {"softshrink", Elementwise},
      {"softsign", Elementwise},
      {"sqrt", Elementwise},
      {"square", Elementwise},
      {"std", Reduction},
      {"sub", Binary},
      {"sum", Reduction},
      {"tanh", Elementwise},
      {"tanhshrink", Elementwise},
      {"transpose", Transpose},
      {"var", Reduction},
      {"vector_norm", Reduction},
  };
  return table;
}

void count(const Expression& node, std::map<std::string, int>& counts) {
  if (node.kind == Expression::Kind::Operator) ++counts[node.op];
  for (const Expression& argument : node.args) count(argument, counts);
}

}  // namespace

Form form_of(const std::string& op) {
  const auto found = forms().find(op);
  if (found == forms().end())
    throw StageError(fmt::format("no operator is called \"{}\"", op),
                     "docs/seams.md, 1, lists the operators");
  return found->second;
}

const std::vector<std::string>& operator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, form] : forms()) all.push_back(name);
    return all;
  }();
  return names;
}

std::map<std::string, int> count_operators(const Expression& expression) {
  std::map<std::string, int> counts;
  count(expression, counts);
  return counts;
}

}  // namespace trl::runtime
