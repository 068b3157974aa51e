#include "runtime/corpus/cuda/operators.hpp"

#include <fmt/format.h>

#include <map>

#include "runtime/corpus/coverage.hpp"
#include "runtime/tasks/prompt.hpp"

namespace trl::runtime::cuda {
namespace {

std::string binary(const Expression& node, const std::string& x, const std::string& y) {
  const std::string& op = node.op;
  if (op == "hypot") return fmt::format("sqrtf({0} * {0} + {1} * {1})", x, y);
  if (op == "logaddexp") return fmt::format("fmaxf({0}, {1}) + log1pf(expf(-fabsf({0} - {1})))", x, y);
  if (op == "lerp") return fmt::format("{0} + {2} * ({1} - {0})", x, y, literal(attribute(node, "weight")));
  if (op == "maximum") return fmt::format("fmaxf({}, {})", x, y);
  if (op == "minimum") return fmt::format("fminf({}, {})", x, y);
  return fmt::format("{} {} {}", x, op == "add" ? "+" : op == "sub" ? "-" : op == "mul" ? "*" : "/", y);
}

const std::map<std::string, const char*>& patterns() {
  static const std::map<std::string, const char*> all = {
      {"abs", "fabsf({0})"},
      {"ceil", "ceilf({0})"},
      {"cos", "cosf({0})"},
      {"cosh", "coshf({0})"},
      {"elu", "{0} > 0.0f ? {0} : expm1f({0})"},
      {"erf", "erff({0})"},
      {"exp", "expf({0})"},
      {"exp2", "exp2f({0})"},
      {"expm1", "expm1f({0})"},
      {"floor", "floorf({0})"},
      {"gelu", "0.5f * {0} * (1.0f + erff({0} * 0.70710678f))"},
      {"hardsigmoid", "fminf(fmaxf({0} + 3.0f, 0.0f), 6.0f) / 6.0f"},
      {"hardswish", "{0} * fminf(fmaxf({0} + 3.0f, 0.0f), 6.0f) / 6.0f"},
      {"log", "logf({0})"},
      {"log1p", "log1pf({0})"},
      {"log2", "log2f({0})"},
      {"logsigmoid", "fminf({0}, 0.0f) - log1pf(expf(-fabsf({0})))"},
      {"mish", "{0} * tanhf({0} > 20.0f ? {0} : log1pf(expf({0})))"},
      {"neg", "-{0}"},
      {"reciprocal", "1.0f / {0}"},
      {"relu", "fmaxf({0}, 0.0f)"},
      {"relu6", "fminf(fmaxf({0}, 0.0f), 6.0f)"},
      {"rsqrt", "rsqrtf({0})"},
      {"selu", "1.05070098f * ({0} > 0.0f ? {0} : 1.67326324f * expm1f({0}))"},
      {"sigmoid", "1.0f / (1.0f + expf(-{0}))"},
      {"sign", "{0} > 0.0f ? 1.0f : {0} < 0.0f ? -1.0f : 0.0f"},
      {"silu", "{0} / (1.0f + expf(-{0}))"},
      {"sin", "sinf({0})"},
      {"sinh", "sinhf({0})"},
      {"softplus", "{0} > 20.0f ? {0} : log1pf(expf({0}))"},
      {"softsign", "{0} / (1.0f + fabsf({0}))"},
      {"sqrt", "sqrtf({0})"},
      {"square", "{0} * {0}"},
      {"tanh", "tanhf({0})"},
      {"tanhshrink", "{0} - tanhf({0})"},
  };
  return all;
}

}  // namespace

std::string literal(double number) { return python_float(number) + "f"; }

std::string elementwise(const Expression& node, const std::vector<std::string>& args) {
  const std::string& x = args[0];
  if (form_of(node.op) == Form::Binary) return binary(node, x, args[1]);
  const auto number = [&](const char* name) { return literal(attribute(node, name)); };
  if (node.op == "leaky_relu")
    return fmt::format("{0} > 0.0f ? {0} : {1} * {0}", x, number("negative_slope"));
  if (node.op == "celu") return fmt::format("{0} > 0.0f ? {0} : {1} * expm1f({0} / {1})", x, number("alpha"));
  if (node.op == "hardshrink") return fmt::format("fabsf({0}) > {1} ? {0} : 0.0f", x, number("lambd"));
  if (node.op == "softshrink") return fmt::format("{0} - fminf(fmaxf({0}, -{1}), {1})", x, number("lambd"));
  if (node.op == "hardtanh")
    return fmt::format("fminf(fmaxf({}, {}), {})", x, number("min_val"), number("max_val"));
  if (node.op == "clamp") {
    std::string value = x;
    if (node.attributes.contains("min")) value = fmt::format("fmaxf({}, {})", value, number("min"));
    if (node.attributes.contains("max")) value = fmt::format("fminf({}, {})", value, number("max"));
    return value;
  }
  const auto pattern = patterns().find(node.op);
  if (pattern == patterns().end()) beyond(node.op);
  return fmt::format(fmt::runtime(pattern->second), x);
}

const Along& along(const std::string& op) {
  using enum Combination;
  const std::string squares = "({v} - {a}) * ({v} - {a})";
  static const std::map<std::string, Along> all = {
      {"sum", {{{"total", sum, "{v}", "{r}"}}, "{a}"}},
      {"mean", {{{"mean", sum, "{v}", "{r} / {L}"}}, "{a}"}},
      {"amax", {{{"top", max, "{v}", "{r}"}}, "{a}"}},
      {"amin", {{{"low", min, "{v}", "{r}"}}, "{a}"}},
      {"logsumexp",
       {{{"top", max, "{v}", "{r}"}, {"total", sum, "expf({v} - {a})", "{a} + logf({r})"}}, "{b}"}},
      {"vector_norm", {{{"norm", sum, "{v} * {v}", "sqrtf({r})"}}, "{a}"}},
      {"var", {{{"mean", sum, "{v}", "{r} / {L}"}, {"spread", sum, squares, "{r} / ({L} - 1)"}}, "{b}"}},
      {"std",
       {{{"mean", sum, "{v}", "{r} / {L}"}, {"spread", sum, squares, "sqrtf({r} / ({L} - 1))"}}, "{b}"}},
      {"softmax",
       {{{"top", max, "{v}", "{r}"}, {"total", sum, "expf({v} - {a})", "{r}"}}, "expf({v} - {a}) / {b}"}},
      {"softmin",
       {{{"low", min, "{v}", "{r}"}, {"total", sum, "expf({a} - {v})", "{r}"}}, "expf({a} - {v}) / {b}"}},
      {"log_softmax",
       {{{"top", max, "{v}", "{r}"}, {"total", sum, "expf({v} - {a})", "logf({r})"}}, "{v} - {a} - {b}"}},
      {"normalize", {{{"norm", sum, "{v} * {v}", "fmaxf(sqrtf({r}), {eps})"}}, "{v} / {a}"}},
      {"layer_norm",
       {{{"mean", sum, "{v}", "{r} / {L}"}, {"scale", sum, squares, "rsqrtf({r} / {L} + {eps})"}},
        "({v} - {a}) * {b}"}},
      {"rms_norm", {{{"scale", sum, "{v} * {v}", "rsqrtf({r} / {L} + {eps})"}}, "{v} * {a}"}},
      {"cumsum", {{}, ""}},
  };
  const auto found = all.find(op);
  if (found == all.end()) beyond(op);
  return found->second;
}

}  // namespace trl::runtime::cuda
