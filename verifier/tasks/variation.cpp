#include "verifier/tasks/variation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include <cmath>
#include <cstdlib>
#include <set>

#include "base/operators/dtype.hpp"
#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

constexpr std::int64_t tiny_size = 4;

[[noreturn]] void unknown(const json& text) {
  throw UserError(fmt::format("no variation is written {}", text.dump()),
                  "variations: original, scale(2), reseed, resize(150%), cast(f16), extreme, tiny");
}

/// "150%" is 1.5.
double parse_factor(const std::string& text, const json& whole) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string rest = end;
  if (text.empty() || end == text.c_str() || (rest != "" && rest != "%") || !(number > 0)) unknown(whole);
  return rest == "%" ? number / 100 : number;
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
  } else if (call == "extreme" && bare) {
    variation.kind = Kind::Extreme;
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
    case Kind::Extreme:
      return "extreme";
    case Kind::Tiny:
      return dims.empty() ? "tiny" : fmt::format("sizes({})", fmt::join(dims, ", "));
    case Kind::Stretched:
      return fmt::format("stretched({})", fmt::join(dims, ", "));
  }
  return "";
}

Sizes sizes(const Task& task, const Variation& variation) {
  Sizes out;
  std::size_t number = 0;
  for (const auto& [name, size] : task.dims) {
    std::int64_t& own = out[name] = size;
    if (!variation.dims.empty())
      own = variation.dims.at(number);
    else if (variation.kind == Variation::Kind::Tiny || variation.kind == Variation::Kind::Stretched)
      own = tiny_size;
    ++number;
    if (variation.kind == Variation::Kind::Resize) {
      own = static_cast<std::int64_t>(std::ceil(static_cast<double>(own) * variation.factor - 1e-9));
      own += own % 2 == 0;
    }
  }
  return out;
}

std::string varied_dtype(const Task& task, const std::string& dtype, const Variation& variation) {
  const bool changes = !variation.dtype.empty() && operators::is_floating(dtype) && has_one_dtype(task);
  return changes ? variation.dtype : dtype;
}

std::vector<std::int64_t> extents(const Shape& shape, const Sizes& at) {
  std::vector<std::int64_t> out;
  for (const Extent& extent : shape) out.push_back(extent.at(at));
  return out;
}

Sizes sizes_of(const Task& task, const std::vector<std::vector<std::int64_t>>& inputs) {
  Sizes out;
  for (const auto& [name, size] : task.dims) out[name] = size;
  for (const SolvedDim& dim : solved_dims(task.inputs)) {
    if (dim.input >= inputs.size() || dim.axis >= inputs[dim.input].size()) continue;
    Sizes without = out;
    without[dim.name] = 0;
    out[dim.name] =
        (inputs[dim.input][dim.axis] - task.inputs[dim.input].shape[dim.axis].at(without)) / dim.times;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (const auto wanted = extents(task.inputs[i].shape, out); wanted != inputs[i])
      throw UserError(fmt::format("input {} is [{}] where [{}] fits the others", task.inputs[i].name,
                                  fmt::join(inputs[i], ", "), fmt::join(wanted, ", ")));
  return out;
}

namespace {

Domain domain_of(const TaskInput& input, const std::string& dtype, const Sizes& at) {
  const operators::Dtype& row = *operators::dtype_called(dtype);
  const InputValues& values = input.values;
  Domain out{values.kind,      row.integer(), input.below && !input.below->name.empty(),
             values.low,       values.high,   values.mean,
             values.deviation, row.smallest};
  if (input.below) out.high = static_cast<double>(input.below->at(at)) - 1;
  if (values.of) out.high = static_cast<double>(values.of->at(at));
  return out;
}

}  // namespace

std::int64_t TensorShape::elements() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) product *= extent;
  return product;
}

nlohmann::json TensorShape::to_json() const {
  return {{"name", runtime::TensorShape::name},
          {"dtype", dtype},
          {"shape", extents},
          {"values", runtime::name(domain.kind)},
          {"integers", domain.integers},
          {"low", domain.low},
          {"high", domain.high},
          {"mean", domain.mean},
          {"deviation", domain.deviation},
          {"least", domain.least}};
}

std::vector<TensorShape> input_shapes(const Task& task, const Variation& variation) {
  const Sizes at = sizes(task, variation);
  std::vector<TensorShape> out;
  for (const TaskInput& input : task.inputs)
    out.push_back({input.name, varied_dtype(task, input.dtype, variation), extents(input.shape, at),
                   domain_of(input, varied_dtype(task, input.dtype, variation), at)});
  return out;
}

TensorShape output_shape(const Task& task, const Variation& variation) {
  return {"out",
          varied_dtype(task, task.dtype, variation),
          extents(task.value.shape, sizes(task, variation)),
          {}};
}

std::vector<TensorShape> output_shapes(const Task& task, const Variation& variation) {
  if (task.results.empty()) return {output_shape(task, variation)};
  std::vector<TensorShape> out;
  for (const TaskResult& one : task.results)
    out.push_back({fmt::format("result {}", out.size() + 1),
                   varied_dtype(task, one.dtype, variation),
                   extents(one.shape, sizes(task, variation)),
                   {}});
  return out;
}

std::int64_t output_elements(const Task& task, const Variation& variation) {
  std::int64_t sum = 0;
  for (const TensorShape& one : output_shapes(task, variation)) sum += one.elements();
  return sum;
}

std::int64_t bytes_of(const std::string& dtype) {
  if (const operators::Dtype* row = operators::dtype_called(dtype)) return row->bytes;
  throw UserError(fmt::format("no dtype is called \"{}\"", dtype),
                  "base/operators/dtype.hpp lists the dtypes");
}

}  // namespace trl::runtime
