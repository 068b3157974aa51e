#include "runtime/tasks/variation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "runtime/worker/stage.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::int64_t tiny_size = 4;

[[noreturn]] void unknown(const json& text) {
  throw StageError(fmt::format("no variation is written {}", text.dump()),
                   "variations: original, scale(2), reseed, resize(150%), cast(f16), tiny");
}

/// "150%" is 1.5.
double parse_factor(const std::string& text, const json& whole) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string rest = end;
  if (text.empty() || end == text.c_str() || (rest != "" && rest != "%") || !(number > 0)) unknown(whole);
  return rest == "%" ? number / 100 : number;
}

void cost(const Expression& node, const Task& task, const Sizes& at, std::int64_t width,
          std::vector<OperatorCost>& costs) {
  if (node.kind != Expression::Kind::Operator) return;
  const auto elements = [&](const Expression& value) {
    std::int64_t product = value.kind == Expression::Kind::Constant ? 0 : 1;
    for (const std::int64_t extent : extents(value.shape, at)) product *= extent;
    return product;
  };
  OperatorCost own{node.op, 0, elements(node) * width, 0};
  for (const Expression& argument : node.args) {
    cost(argument, task, at, width, costs);
    own.bytes_in += elements(argument) * width;
  }
  const Form form = form_of(node.op);
  const auto out = static_cast<double>(elements(node)), in = static_cast<double>(elements(node.args[0]));
  own.flops = form == Form::Matmul      ? 2 * out * static_cast<double>(extents(node.args[0].shape, at)[1])
              : form == Form::Along     ? 5 * in
              : form == Form::Transpose ? 0
                                        : std::max(in, out);
  costs.push_back(own);
}

}  // namespace

Variation Variation::parse(const json& value) {
  std::string call, argument;
  if (value.is_string()) {
    call = value.get<std::string>();
    if (const auto open = call.find('('); open != std::string::npos) {
      if (call.back() != ')') unknown(value);
      argument = call.substr(open + 1, call.size() - open - 2);
      call.resize(open);
    }
  } else if (value.is_object() && value.contains("call")) {
    call = value["call"].get<std::string>();
    const json arguments = value.value("args", json::array());
    if (arguments.size() > 1) unknown(value);
    if (arguments.size() == 1) {
      const json& only = arguments[0];
      argument = only.is_string()   ? only.get<std::string>()
                 : only.is_number() ? fmt::format("{}", only.get<double>())
                 : only.is_object() ? only.value("name", "")
                                    : "";
    }
  } else if (value.is_object() && value.contains("name")) {
    call = value["name"].get<std::string>();
  }
  Variation variation;
  const bool bare = argument.empty();
  if (call == "original" && bare) return variation;
  if (call == "reseed" && bare) {
    variation.kind = Kind::Reseed;
  } else if (call == "tiny" && bare) {
    variation.kind = Kind::Tiny;
  } else if (call == "scale" || call == "resize") {
    variation.kind = call == "scale" ? Kind::Scale : Kind::Resize;
    variation.factor = parse_factor(argument, value);
  } else if (call == "cast" && (argument == "f16" || argument == "bf16" || argument == "f32")) {
    variation.kind = Kind::Cast;
    variation.dtype = argument;
  } else {
    unknown(value);
  }
  return variation;
}

std::string Variation::label() const {
  switch (kind) {
    case Kind::Original:
      return "original";
    case Kind::Scale:
      return fmt::format("scale({})", factor);
    case Kind::Reseed:
      return "reseed";
    case Kind::Resize:
      return fmt::format("resize({}%)", std::round(factor * 1e4) / 100);
    case Kind::Cast:
      return "cast(" + dtype + ")";
    case Kind::Tiny:
      return "tiny";
  }
  return "";
}

Sizes sizes(const Task& task, const Variation& variation) {
  Sizes out;
  for (const auto& [name, size] : task.dims) {
    std::int64_t& own = out[name] = size;
    if (variation.kind == Variation::Kind::Tiny) own = tiny_size;
    if (variation.kind == Variation::Kind::Resize) {
      own = static_cast<std::int64_t>(std::ceil(static_cast<double>(size) * variation.factor - 1e-9));
      own += own % 2 == 0;
    }
  }
  return out;
}

std::vector<std::int64_t> extents(const Shape& shape, const Sizes& at) {
  std::vector<std::int64_t> out;
  for (const Extent& extent : shape) out.push_back(extent.name.empty() ? extent.size : at.at(extent.name));
  return out;
}

std::int64_t TensorShape::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) product *= extent;
  return product;
}

std::vector<TensorShape> input_shapes(const Task& task, const Variation& variation) {
  const Sizes at = sizes(task, variation);
  std::vector<TensorShape> out;
  for (const TaskInput& input : task.inputs)
    out.push_back(
        {input.name, variation.dtype.empty() ? input.dtype : variation.dtype, extents(input.shape, at)});
  return out;
}

TensorShape output_shape(const Task& task, const Variation& variation) {
  return {"out", variation.dtype.empty() ? task.dtype : variation.dtype,
          extents(task.value.shape, sizes(task, variation))};
}

std::int64_t bytes_of(const std::string& dtype) {
  if (dtype == "f32") return 4;
  if (dtype == "f64") return 8;
  if (dtype == "f16" || dtype == "bf16") return 2;
  throw StageError(fmt::format("no dtype is called \"{}\"", dtype), "dtypes: f32, f16, bf16");
}

std::vector<OperatorCost> operator_costs(const Task& task, const Variation& variation) {
  std::vector<OperatorCost> costs;
  cost(task.value, task, sizes(task, variation), bytes_of(output_shape(task, variation).dtype), costs);
  return costs;
}

}  // namespace trl::runtime
