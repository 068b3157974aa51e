#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ground/error.hpp"
#include "runtime/tasks/task.hpp"

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

/// Operators whose value's shape the task says.
const std::set<std::string>& stated() {
  static const std::set<std::string> names = [] {
    std::set<std::string> all = {"all",
                                 "any",
                                 "argmax",
                                 "argmin",
                                 "asinh",
                                 "atan",
                                 "atan2",
                                 "batch_norm",
                                 "binary_cross_entropy_with_logits",
                                 "cat",
                                 "cosine_similarity",
                                 "cross_entropy",
                                 "cummax",
                                 "cummin",
                                 "cumprod",
                                 "embedding",
                                 "eq",
                                 "erfc",
                                 "expand",
                                 "flatten",
                                 "flip",
                                 "frac",
                                 "gather",
                                 "ge",
                                 "glu",
                                 "group_norm",
                                 "gt",
                                 "hinge_embedding_loss",
                                 "huber_loss",
                                 "index_select",
                                 "instance_norm",
                                 "kl_div",
                                 "l1_loss",
                                 "le",
                                 "linear",
                                 "log10",
                                 "logcumsumexp",
                                 "logical_and",
                                 "logical_not",
                                 "logical_or",
                                 "lt",
                                 "margin_ranking_loss",
                                 "masked_fill",
                                 "mse_loss",
                                 "narrow",
                                 "ne",
                                 "nll_loss",
                                 "outer",
                                 "pad",
                                 "pairwise_distance",
                                 "permute",
                                 "pow",
                                 "prelu",
                                 "prod",
                                 "remainder",
                                 "reshape",
                                 "roll",
                                 "round",
                                 "scaled_dot_product_attention",
                                 "select",
                                 "sinc",
                                 "smooth_l1_loss",
                                 "soft_margin_loss",
                                 "sort",
                                 "squeeze",
                                 "stack",
                                 "tan",
                                 "threshold",
                                 "topk",
                                 "tril",
                                 "triplet_margin_loss",
                                 "triu",
                                 "trunc",
                                 "unsqueeze",
                                 "where"};
    for (const char* axes : {"1d", "2d", "3d"})
      for (const char* name :
           {"conv", "conv_transpose", "max_pool", "avg_pool", "adaptive_avg_pool", "adaptive_max_pool"})
        all.insert(std::string(name) + axes);
    return all;
  }();
  return names;
}

void count(const Expression& node, std::map<std::string, int>& counts) {
  if (node.kind == Expression::Kind::Operator) ++counts[node.op];
  for (const Expression& argument : node.args) count(argument, counts);
}

}  // namespace

Form form_of(const std::string& op) {
  const auto found = forms().find(op);
  if (found == forms().end() && stated().contains(op)) return Form::Stated;
  if (found == forms().end())
    throw UserError(fmt::format("no operator is called \"{}\"", op), "docs/seams.md, 1, lists the operators");
  return found->second;
}

const std::vector<std::string>& operator_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, form] : forms()) all.push_back(name);
    all.insert(all.end(), stated().begin(), stated().end());
    std::sort(all.begin(), all.end());
    return all;
  }();
  return names;
}

bool is_constant_attribute(const std::string& name) {
  static const std::set<std::string> names = {
      "alpha",  "beta",  "delta",     "eps",   "label_smoothing", "lambd",
      "margin", "max",   "max_val",   "min",   "min_val",         "negative_slope",
      "p",      "scale", "threshold", "value", "weight"};
  return names.contains(name);
}

std::optional<double> standard_attribute(const std::string& op, const std::string& name) {
  static const std::map<std::string, double> of_all = {
      {"alpha", 1},   {"beta", 1},    {"delta", 1},   {"eps", 1e-5},   {"label_smoothing", 0},
      {"lambd", 0.5}, {"margin", 1},  {"max_val", 1}, {"min_val", -1}, {"negative_slope", 0.01},
      {"p", 2},       {"weight", 0.5}};
  static const std::map<std::pair<std::string, std::string>, double> of_one = {
      {{"cosine_similarity", "eps"}, 1e-8}, {{"margin_ranking_loss", "margin"}, 0},
      {{"normalize", "eps"}, 1e-12},        {{"pad", "value"}, 0},
      {{"pairwise_distance", "eps"}, 1e-6}, {{"triplet_margin_loss", "eps"}, 1e-6}};
  if (const auto own = of_one.find({op, name}); own != of_one.end()) return own->second;
  if (const auto common = of_all.find(name); common != of_all.end()) return common->second;
  return std::nullopt;
}

double attribute(const Expression& node, const std::string& name) {
  if (const auto own = node.attributes.find(name); own != node.attributes.end()) return own->second;
  if (const auto standard = standard_attribute(node.op, name)) return *standard;
  throw UserError(fmt::format("{} doesn't say its {}", node.op, name));
}

std::map<std::string, int> count_operators(const Expression& expression) {
  std::map<std::string, int> counts;
  count(expression, counts);
  return counts;
}

}  // namespace trl::runtime
