#include "verifier/corpus/formula.hpp"

#include <fmt/args.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/coverage.hpp"

namespace trl::runtime {

Formula triton_formula(const Expression& node) {
  using enum InHalf;
  switch (node.op) {
    case Operator::abs:
      return {"tl.abs({x})", stays};
    case Operator::ceil:
      return {"tl.ceil({x})", refuses};
    case Operator::celu:
      return {"tl.where({x} > 0.0, {x}, {alpha} * (tl.exp({x} / {alpha}) - 1.0))", promotes};
    case Operator::clamp:
      return {of_bounds(node, "tl.minimum(tl.maximum({x}, {min}), {max})", "tl.maximum({x}, {min})",
                        "tl.minimum({x}, {max})"),
              stays};
    case Operator::cos:
      return {"tl.cos({x})", refuses};
    case Operator::cosh:
      return {"0.5 * (tl.exp({x}) + tl.exp(-{x}))", refuses};
    case Operator::deg2rad:
      return {"{x} * 0.017453292519943295", stays};
    case Operator::elu:
      return {"tl.where({x} > 0.0, {x}, tl.exp({x}) - 1.0)", refuses};
    case Operator::erf:
      return {"tl.erf({x})", refuses};
    case Operator::exp:
      return {"tl.exp({x})", refuses};
    case Operator::exp2:
      return {"tl.exp2({x})", refuses};
    case Operator::expm1:
      return {"tl.exp({x}) - 1.0", refuses};
    case Operator::floor:
      return {"tl.floor({x})", refuses};
    case Operator::gelu:
      return {"0.5 * {x} * (1.0 + tl.erf({x} * 0.70710678))", refuses};
    case Operator::hardshrink:
      return {"tl.where(tl.abs({x}) > {lambd}, {x}, 0.0)", stays};
    case Operator::hardsigmoid:
      return {"tl.minimum(tl.maximum({x} + 3.0, 0.0), 6.0) / 6.0", promotes};
    case Operator::hardswish:
      return {"{x} * tl.minimum(tl.maximum({x} + 3.0, 0.0), 6.0) / 6.0", promotes};
    case Operator::hardtanh:
      return {"tl.minimum(tl.maximum({x}, {min_val}), {max_val})", stays};
    case Operator::leaky_relu:
      return {"tl.where({x} > 0.0, {x}, {negative_slope} * {x})", stays};
    case Operator::log:
      return {"tl.log({x})", refuses};
    case Operator::log1p:
      return {"tl.log(1.0 + {x})", refuses};
    case Operator::log2:
      return {"tl.log2({x})", refuses};
    case Operator::logsigmoid:
      return {"tl.minimum({x}, 0.0) - tl.log(1.0 + tl.exp(-tl.abs({x})))", refuses};
    case Operator::mish:
      return {
          "s = tl.where({x} > 20.0, {x}, tl.log(1.0 + tl.exp({x})))\n{x} * (2.0 * tl.sigmoid(2.0 * s) - 1.0)",
          refuses};
    case Operator::neg:
      return {"-{x}", stays};
    case Operator::reciprocal:
      return {"1.0 / {x}", promotes};
    case Operator::relu:
      return {"tl.maximum({x}, 0.0)", stays};
    case Operator::relu6:
      return {"tl.minimum(tl.maximum({x}, 0.0), 6.0)", stays};
    case Operator::rsqrt:
      return {"tl.rsqrt({x})", refuses};
    case Operator::selu:
      return {"1.0507 * tl.where({x} > 0.0, {x}, 1.67326 * (tl.exp({x}) - 1.0))", refuses};
    case Operator::sigmoid:
      return {"tl.sigmoid({x})", refuses};
    case Operator::sign:
      return {"tl.where({x} > 0.0, 1.0, tl.where({x} < 0.0, -1.0, 0.0))", stays};
    case Operator::silu:
      return {"{x} * tl.sigmoid({x})", refuses};
    case Operator::sin:
      return {"tl.sin({x})", refuses};
    case Operator::sinh:
      return {"0.5 * (tl.exp({x}) - tl.exp(-{x}))", refuses};
    case Operator::softplus:
      return {"tl.where({x} > 20.0, {x}, tl.log(1.0 + tl.exp({x})))", refuses};
    case Operator::softshrink:
      return {"{x} - tl.minimum(tl.maximum({x}, -{lambd}), {lambd})", stays};
    case Operator::softsign:
      return {"{x} / (1.0 + tl.abs({x}))", promotes};
    case Operator::sqrt:
      return {"tl.sqrt({x})", refuses};
    case Operator::square:
      return {"{x} * {x}", stays};
    case Operator::tanh:
      return {"2.0 * tl.sigmoid(2.0 * {x}) - 1.0", refuses};
    case Operator::tanhshrink:
      return {"{x} - 2.0 * tl.sigmoid(2.0 * {x}) + 1.0", refuses};
    case Operator::add:
      return {"{x} + {y}", stays};
    case Operator::div:
      return {"{x} / {y}", promotes};
    case Operator::hypot:
      return {
          // Avoids the square of a large number, which would overflow.
          "m = tl.maximum(tl.abs({x}), tl.abs({y}))\nr = tl.minimum(tl.abs({x}), tl.abs({y})) / tl.where(m > "
          "0.0, m, 1.0)\nm * tl.sqrt(1.0 + r * r)",
          refuses};
    case Operator::lerp:
      return {"{x} + {weight} * ({y} - {x})", stays};
    case Operator::logaddexp:
      return {"tl.maximum({x}, {y}) + tl.log(1.0 + tl.exp(-tl.abs({x} - {y})))", refuses};
    case Operator::maximum:
      return {"tl.maximum({x}, {y})", stays};
    case Operator::minimum:
      return {"tl.minimum({x}, {y})", stays};
    case Operator::mul:
      return {"{x} * {y}", stays};
    case Operator::sub:
      return {"{x} - {y}", stays};
#define TRL_LINE(name, ...) case Operator::name:
#define TRL_OPERATOR(name, ...) case Operator::name:
#define TRL_UNWRITTEN(name, ...) case Operator::name:
#define TRL_ALIAS(name, ...) case Operator::name:
#include "base/operators/operators.def"
      break;
  }
  beyond(name_of(node.op));
}

const char* of_bounds(const Expression& node, const char* both, const char* low, const char* high) {
  if (!node.attributes.contains("min")) return high;
  return node.attributes.contains("max") ? both : low;
}

std::vector<std::string> filled(const char* formula, const Expression& node,
                                const std::vector<std::string>& args, std::string (*number)(double)) {
  fmt::dynamic_format_arg_store<fmt::format_context> places;
  places.push_back(fmt::arg("x", args.at(0)));
  if (args.size() > 1) places.push_back(fmt::arg("y", args[1]));
  for (const operators::Parameter& parameter : operators::row(node.op).parameters) {
    const bool given = node.attributes.contains(parameter.name) || default_attribute(node.op, parameter.name);
    if (parameter.kind == operators::Parameter::Kind::real && given)
      places.push_back(fmt::arg(parameter.name.c_str(), number(attribute(node, parameter.name))));
  }
  std::vector<std::string> lines;
  const std::string text = fmt::vformat(formula, places);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace trl::runtime
