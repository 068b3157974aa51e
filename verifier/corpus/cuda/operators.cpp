#include "verifier/corpus/cuda/operators.hpp"

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/coverage.hpp"
#include "verifier/corpus/formula.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime::cuda {
namespace {

const char* formula(const Expression& node) {
  switch (node.op) {
    case Operator::abs:
      return "fabsf({x})";
    case Operator::ceil:
      return "ceilf({x})";
    case Operator::celu:
      return "{x} > 0.0f ? {x} : {alpha} * expm1f({x} / {alpha})";
    case Operator::clamp:
      return of_bounds(node, "fminf(fmaxf({x}, {min}), {max})", "fmaxf({x}, {min})", "fminf({x}, {max})");
    case Operator::cos:
      return "cosf({x})";
    case Operator::cosh:
      return "coshf({x})";
    case Operator::deg2rad:
      return "{x} * 0.0174532925f";
    case Operator::elu:
      return "{x} > 0.0f ? {x} : expm1f({x})";
    case Operator::erf:
      return "erff({x})";
    case Operator::exp:
      return "expf({x})";
    case Operator::exp2:
      return "exp2f({x})";
    case Operator::expm1:
      return "expm1f({x})";
    case Operator::floor:
      return "floorf({x})";
    case Operator::gelu:
      return "0.5f * {x} * (1.0f + erff({x} * 0.70710678f))";
    case Operator::hardshrink:
      return "fabsf({x}) > {lambd} ? {x} : 0.0f";
    case Operator::hardsigmoid:
      return "fminf(fmaxf({x} + 3.0f, 0.0f), 6.0f) / 6.0f";
    case Operator::hardswish:
      return "{x} * fminf(fmaxf({x} + 3.0f, 0.0f), 6.0f) / 6.0f";
    case Operator::hardtanh:
      return "fminf(fmaxf({x}, {min_val}), {max_val})";
    case Operator::leaky_relu:
      return "{x} > 0.0f ? {x} : {negative_slope} * {x}";
    case Operator::log:
      return "logf({x})";
    case Operator::log1p:
      return "log1pf({x})";
    case Operator::log2:
      return "log2f({x})";
    case Operator::logsigmoid:
      return "fminf({x}, 0.0f) - log1pf(expf(-fabsf({x})))";
    case Operator::mish:
      return "{x} * tanhf({x} > 20.0f ? {x} : log1pf(expf({x})))";
    case Operator::neg:
      return "-{x}";
    case Operator::reciprocal:
      return "1.0f / {x}";
    case Operator::relu:
      return "fmaxf({x}, 0.0f)";
    case Operator::relu6:
      return "fminf(fmaxf({x}, 0.0f), 6.0f)";
    case Operator::rsqrt:
      return "rsqrtf({x})";
    case Operator::selu:
      return "1.05070098f * ({x} > 0.0f ? {x} : 1.67326324f * expm1f({x}))";
    case Operator::sigmoid:
      return "1.0f / (1.0f + expf(-{x}))";
    case Operator::sign:
      return "{x} > 0.0f ? 1.0f : {x} < 0.0f ? -1.0f : 0.0f";
    case Operator::silu:
      return "{x} / (1.0f + expf(-{x}))";
    case Operator::sin:
      return "sinf({x})";
    case Operator::sinh:
      return "sinhf({x})";
    case Operator::softplus:
      return "{x} > 20.0f ? {x} : log1pf(expf({x}))";
    case Operator::softshrink:
      return "{x} - fminf(fmaxf({x}, -{lambd}), {lambd})";
    case Operator::softsign:
      return "{x} / (1.0f + fabsf({x}))";
    case Operator::sqrt:
      return "sqrtf({x})";
    case Operator::square:
      return "{x} * {x}";
    case Operator::tanh:
      return "tanhf({x})";
    case Operator::tanhshrink:
      return "{x} - tanhf({x})";
    case Operator::add:
      return "{x} + {y}";
    case Operator::div:
      return "{x} / {y}";
    case Operator::hypot:
      return "hypotf({x}, {y})";
    case Operator::lerp:
      return "{x} + {weight} * ({y} - {x})";
    case Operator::logaddexp:
      return "fmaxf({x}, {y}) + log1pf(expf(-fabsf({x} - {y})))";
    case Operator::maximum:
      return "fmaxf({x}, {y})";
    case Operator::minimum:
      return "fminf({x}, {y})";
    case Operator::mul:
      return "{x} * {y}";
    case Operator::sub:
      return "{x} - {y}";
#define TRL_LINE(name, ...) case Operator::name:
#define TRL_OPERATOR(name, ...) case Operator::name:
#define TRL_UNWRITTEN(name, ...) case Operator::name:
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
      break;
  }
  beyond(name_of(node.op));
}

}  // namespace

std::string literal(double number) { return python_float(number) + "f"; }

std::string elementwise(const Expression& node, const std::vector<std::string>& args) {
  return filled(formula(node), node, args, literal).back();
}

Along along(Operator op) {
  using enum Combination;
  const std::string squares = "({v} - {a}) * ({v} - {a})";
  switch (op) {
    case Operator::amax:
      return {{{"top", max, "{v}", "{r}"}}, "{a}"};
    case Operator::amin:
      return {{{"low", min, "{v}", "{r}"}}, "{a}"};
    case Operator::logsumexp:
      return {{{"top", max, "{v}", "{r}"}, {"total", sum, "expf({v} - {a})", "{a} + logf({r})"}}, "{b}"};
    case Operator::mean:
      return {{{"mean", sum, "{v}", "{r} / {L}"}}, "{a}"};
    case Operator::std:
      return {{{"mean", sum, "{v}", "{r} / {L}"}, {"spread", sum, squares, "sqrtf({r} / ({L} - 1))"}}, "{b}"};
    case Operator::sum:
      return {{{"total", sum, "{v}", "{r}"}}, "{a}"};
    case Operator::var:
      return {{{"mean", sum, "{v}", "{r} / {L}"}, {"spread", sum, squares, "{r} / ({L} - 1)"}}, "{b}"};
    case Operator::vector_norm:
      return {{{"norm", sum, "{v} * {v}", "sqrtf({r})"}}, "{a}"};
    case Operator::cumsum:
      return {{}, ""};
    case Operator::layer_norm:
      return {{{"mean", sum, "{v}", "{r} / {L}"}, {"scale", sum, squares, "rsqrtf({r} / {L} + {eps})"}},
              "({v} - {a}) * {b}"};
    case Operator::log_softmax:
      return {{{"top", max, "{v}", "{r}"}, {"total", sum, "expf({v} - {a})", "logf({r})"}},
              "{v} - {a} - {b}"};
    case Operator::normalize:
      return {{{"norm", sum, "{v} * {v}", "fmaxf(sqrtf({r}), {eps})"}}, "{v} / {a}"};
    case Operator::rms_norm:
      return {{{"scale", sum, "{v} * {v}", "rsqrtf({r} / {L} + {eps})"}}, "{v} * {a}"};
    case Operator::softmax:
      return {{{"top", max, "{v}", "{r}"}, {"total", sum, "expf({v} - {a})", "{r}"}},
              "expf({v} - {a}) / {b}"};
    case Operator::softmin:
      return {{{"low", min, "{v}", "{r}"}, {"total", sum, "expf({a} - {v})", "{r}"}},
              "expf({a} - {v}) / {b}"};
#define TRL_ELEMENT(name, ...) case Operator::name:
#define TRL_OPERATOR(name, ...) case Operator::name:
#define TRL_UNWRITTEN(name, ...) case Operator::name:
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
      break;
  }
  beyond(name_of(op));
}

}  // namespace trl::runtime::cuda
