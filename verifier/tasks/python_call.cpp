#include "verifier/tasks/python_call.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/operators/dtype.hpp"
#include "base/operators/operator_ids.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using operators::Parameter;
using operators::Python;
using Kind = Parameter::Kind;
using Texts = std::vector<std::string>;
using SizeText = std::function<std::string(const Extent&)>;

/// Writes an argument's value in Python. A window of equal numbers is written as one number, and sizes as
/// `size` writes them.
std::string value_text(Kind kind, const json& value, const SizeText& size) {
  if (kind == Kind::flag) return value.get<bool>() ? "True" : "False";
  if (kind == Kind::choice || kind == Kind::text) return "\"" + value.get<std::string>() + "\"";
  if (!value.is_array()) return size(parse_extent(value));
  Texts items;
  for (const json& item : value) items.push_back(size(parse_extent(item)));
  const bool equal =
      std::all_of(value.begin(), value.end(), [&](const json& item) { return item == value[0]; });
  if (kind == Kind::window && equal) return value[0].dump();
  return fmt::format("({}{})", fmt::join(items, ", "), items.size() == 1 ? "," : "");
}

/// Whether an option has PyTorch's default value, so that it needn't be written. Only for options that aren't
/// in `attributes`.
bool assumed(const Expression& node, const Parameter& parameter, const json& value) {
  // A reduction over all axes names no axis.
  if (parameter.kind == Kind::axes)
    return value.is_array() && value.size() == node.args[0].shape.size() &&
           node.options.at("keepdim") == false;
  if (parameter.kind == Kind::axis) return false;
  // By default, a pool's stride is its window.
  if (parameter.default_value.is_null())
    return node.options.contains("kernel_size") && value == node.options.at("kernel_size");
  if (!value.is_array()) return value == parameter.default_value;
  return std::all_of(value.begin(), value.end(),
                     [&](const json& item) { return item == parameter.default_value; });
}

/// Writes a call whose arguments the table of operators lists.
class ListedCall {
 public:
  ListedCall(const Expression& node, const Texts& args, const PythonContext& context)
      : node_(node), row_(operators::row(node.op)), context_(context) {
    std::size_t next = 0;
    for (const Parameter& parameter : row_.parameters) {
      if (parameter.kind == Kind::tensors) {
        tensors_[parameter.name] = fmt::format("[{}]", fmt::join(args, ", "));
      } else if (parameter.is_tensor() && next < args.size()) {
        tensors_[parameter.name] = args[next++];
      }
    }
  }

  std::string text() const {
    const Python& python = row_.python;
    const auto listed = [](const Texts& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    Texts items;
    for (const Parameter& parameter : row_.parameters)
      if (tensors_.contains(parameter.name) && !listed(python.positional, parameter.name) &&
          !listed(python.named, parameter.name))
        items.push_back(tensors_.at(parameter.name));
    for (const std::string& name : python.positional)
      if (const auto own = positional(name); !own.empty()) items.push_back(own);
    for (const std::string& name : python.named)
      if (const auto own = keyword(name); !own.empty()) items.push_back(own);
    return fmt::format("{}({}){}", python.callee, fmt::join(items, ", "), python.result);
  }

 private:
  std::string positional(const std::string& name) const {
    const Parameter* parameter = row_.parameter(name);
    if (parameter == nullptr) return name;
    if (parameter->is_tensor()) return tensors_.at(name);
    if (parameter->kind == Kind::real)
      return parameter->quiet && !node_.attributes.contains(name)
                 ? ""
                 : python_number(attribute(node_, name), context_.integers);
    const json& value = node_.options.at(name);
    // PyTorch wants a list here, even for one axis.
    return value_text(parameter->kind,
                      parameter->kind == Kind::axes && !value.is_array() ? json::array({value}) : value,
                      context_.size);
  }

  /// Writes "keyword=value", or nothing for a default value.
  std::string keyword(const std::string& name) const {
    const Parameter* parameter = row_.parameter(name);
    if (parameter == nullptr) return name;
    if (parameter->is_tensor()) return tensors_.contains(name) ? name + "=" + tensors_.at(name) : "";
    if (parameter->kind == Kind::real) {
      if (!node_.attributes.contains(name) || default_attribute(node_.op, name) == attribute(node_, name))
        return "";
      return name + "=" + python_float(attribute(node_, name));
    }
    if (!node_.options.contains(name)) return "";
    const json& value = node_.options.at(name);
    if (assumed(node_, *parameter, value)) return "";
    return (name == "axis" ? "dim" : name) + "=" + value_text(parameter->kind, value, context_.size);
  }

  const Expression& node_;
  const operators::Row& row_;
  const PythonContext& context_;
  std::map<std::string, std::string> tensors_;
};

/// "1", or "(1, 2)".
std::string inferred_axes(const Expression& node) {
  return node.axis >= 0 ? std::to_string(node.axis) : fmt::format("({})", fmt::join(node.axes, ", "));
}

std::string clamp(const Expression& node, const std::string& x, bool integers) {
  const auto number = [&](const char* name) { return python_number(attribute(node, name), integers); };
  const bool low = node.attributes.contains("min"), high = node.attributes.contains("max");
  if (low && high) return fmt::format("torch.clamp({}, {}, {})", x, number("min"), number("max"));
  return low ? fmt::format("torch.clamp({}, min={})", x, number("min"))
             : fmt::format("torch.clamp({}, max={})", x, number("max"));
}

/// Writes clamp for an extremum with a number, because torch.maximum and torch.minimum only take tensors.
std::string extremum(const Expression& node, const Texts& args, const char* bound) {
  if (node.args[1].kind == Expression::Kind::Constant)
    return fmt::format("torch.clamp({}, {}={})", args[0], bound, args[1]);
  if (node.args[0].kind == Expression::Kind::Constant)
    return fmt::format("torch.clamp({}, {}={})", args[1], bound, args[0]);
  return fmt::format("{}({}, {})", operators::row(node.op).python.callee, args[0], args[1]);
}

std::string transpose(const Expression& node, const std::string& x) {
  if (node.options.contains("axis0"))
    return fmt::format("torch.transpose({}, {}, {})", x, node.options.at("axis0").dump(),
                       node.options.at("axis1").dump());
  return fmt::format("torch.transpose({}, 0, 1)", x);
}

/// Writes PyTorch's own function if the norm is over the last axes, else the formula that the norm computes.
std::string norm(const Expression& node, const Texts& args) {
  const std::string &x = args[0], eps = python_float(attribute(node, "eps"));
  const std::size_t count = std::max<std::size_t>(node.axes.size(), 1);
  if (!node.axes.empty() || node.axis + 1 == static_cast<int>(node.shape.size())) {
    std::string weights;
    for (std::size_t i = 1; i < args.size(); ++i) weights += ", " + args[i];
    return fmt::format("{}({}, {}.shape[-{}:]{}, eps={})", operators::row(node.op).python.callee, x, x, count,
                       weights, eps);
  }
  const std::string over = fmt::format("dim={}, keepdim=True", node.axis);
  if (node.op == Operator::rms_norm)
    return fmt::format("{} * torch.rsqrt(torch.mean({} * {}, {}) + {})", x, x, x, over, eps);
  return fmt::format("({} - torch.mean({}, {})) * torch.rsqrt(torch.var({}, {}, correction=0) + {})", x, x,
                     over, x, over, eps);
}

std::string torch_dtype(const Expression& node) {
  const std::string dtype = node.options.at("dtype").get<std::string>();
  return fmt::format("torch.{}", operators::dtype_called(dtype)->torch);
}

/// Writes the two sums by which each pair of features is replaced.
std::string rotary(const Expression& node, const Texts& args) {
  const std::string &x = args[0], &cos = args[1], &sin = args[2];
  const bool interleaved = node.options.at("interleaved").get<bool>();
  const std::string a = interleaved ? x + "[..., ::2]" : x + ".chunk(2, -1)[0]",
                    b = interleaved ? x + "[..., 1::2]" : x + ".chunk(2, -1)[1]";
  const std::string pairs = fmt::format("({0} * {2} - {1} * {3}, {1} * {2} + {0} * {3}), -1", a, b, cos, sin);
  return interleaved ? fmt::format("torch.stack({}).flatten(-2)", pairs)
                     : fmt::format("torch.cat({})", pairs);
}

/// Writes operators whose call isn't described by a list of arguments.
std::string own_text(const Expression& node, const Texts& args, const PythonContext& context) {
  const std::string& callee = operators::row(node.op).python.callee;
  if (node.op == Operator::to) return fmt::format("{}.to({})", args[0], torch_dtype(node));
  if (node.op == Operator::arange || node.op == Operator::zeros) {
    const bool counts = node.op == Operator::arange;
    return fmt::format("{}({}, dtype={}, device={})", callee,
                       value_text(counts ? Kind::size : Kind::sizes,
                                  node.options.at(counts ? "size" : "shape"), context.size),
                       torch_dtype(node), context.device);
  }
  if (node.op == Operator::einsum)
    return fmt::format("{}({}, {}, {})", callee, node.options.at("equation").dump(), args[0], args[1]);
  if (node.op == Operator::segment_reduce)
    return fmt::format("{}({}, {}, offsets={})", callee, args[0], node.options.at("reduce").dump(), args[1]);
  if (node.op == Operator::rotary_embedding) return rotary(node, args);
  if (node.op == Operator::clamp) return clamp(node, args[0], context.integers);
  if (node.op == Operator::maximum) return extremum(node, args, "min");
  if (node.op == Operator::minimum) return extremum(node, args, "max");
  if (node.op == Operator::transpose) return transpose(node, args[0]);
  if (node.op == Operator::layer_norm || node.op == Operator::rms_norm) return norm(node, args);
  throw std::logic_error("nothing writes " + name_of(node.op) + " in Python");
}

}  // namespace

std::string python_number(double number, bool integers) {
  return integers ? fmt::format("{}", static_cast<std::int64_t>(number)) : python_float(number);
}

std::string python_call(const Expression& node, const Texts& args, const PythonContext& context) {
  const operators::Row& row = operators::row(node.op);
  const Python& python = row.python;
  switch (python.style) {
    case Python::Style::infix:
      return fmt::format("{} {} {}", args.at(0), python.callee, args.at(1));
    case Python::Style::prefix:
      return python.callee + args.at(0);
    case Python::Style::method: {
      const std::string& sizes = python.positional.at(0);
      return fmt::format("{}.{}{}", args.at(0), python.callee,
                         value_text(row.parameter(sizes)->kind, node.options.at(sizes), context.size));
    }
    case Python::Style::own:
      return own_text(node, args, context);
    case Python::Style::call:
      break;
  }
  if (row.form == Form::Reduction)
    return fmt::format("{}({}, dim={}{})", python.callee, args.at(0), inferred_axes(node),
                       node.keepdim ? ", keepdim=True" : "");
  if (row.form == Form::Along) return fmt::format("{}({}, dim={})", python.callee, args.at(0), node.axis);
  return ListedCall(node, args, context).text();
}

}  // namespace trl::runtime
