#include "runtime/tasks/prompt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "ground/error.hpp"
#include "runtime/tasks/python_call.hpp"

namespace trl::runtime {
namespace {

/// Writes one Python statement an operator, in the order of evaluation.
class Statements {
 public:
  explicit Statements(const Task& task) : task_(task), uses_left_(task.inputs.size()) {
    for (const TaskInput& input : task.inputs) taken_.insert(input.name);
    count(task.value);
    read_sizes(task.value);
  }

  /// The statements; the first reads the sizes that later ones need.
  std::string text;

  /// The name of the variable that holds the node's value.
  std::string write(const Expression& node) {
    if (node.kind == Expression::Kind::Constant) return python_float(node.constant);
    if (node.kind == Expression::Kind::Input) return task_.inputs[node.input].name;
    std::vector<std::string> args;
    for (const Expression& argument : node.args) args.push_back(write(argument));
    for (const Expression& argument : node.args)
      if (argument.kind == Expression::Kind::Input) --uses_left_[argument.input];
    const std::string result = result_name(node, args);
    text += fmt::format("        {} = {}\n", result, expression(node, args));
    return result;
  }

 private:
  void count(const Expression& node) {
    if (node.kind == Expression::Kind::Input) ++uses_left_[node.input];
    for (const Expression& argument : node.args) count(argument);
  }

  /// Names in the node's sizes become variables, read off the inputs before these change.
  void read_sizes(const Expression& node) {
    if (node.kind == Expression::Kind::Operator)
      for (const auto& [name, option] : node.options) {
        if (name == "reduction" || name == "approximate") continue;
        for (const auto& size : option.is_array() ? option : nlohmann::json::array({option}))
          if (size.is_string())
            for (const std::string& dimension : names_in(parse_extent(size))) read_size(dimension);
      }
    for (const Expression& argument : node.args) read_sizes(argument);
  }

  void read_size(const std::string& dimension) {
    if (sizes_.contains(dimension)) return;
    static const std::set<std::string> reserved = {"F", "nn", "torch", "self"};
    std::string& variable = sizes_[dimension] = dimension;
    while (reserved.contains(variable) || !taken_.insert(variable).second) variable += "_size";
    for (const TaskInput& input : task_.inputs)
      for (std::size_t i = 0; i < input.shape.size(); ++i)
        if (input.shape[i].name == dimension) {
          text += fmt::format("        {} = {}.shape[{}]\n", variable, input.name, i);
          return;
        }
    for (const TaskInput& input : task_.inputs)
      for (std::size_t i = 0; i < input.shape.size(); ++i) {
        const std::vector<std::string> names = names_in(input.shape[i]);
        if (names.size() != 1 || names[0] != dimension || input.shape[i].at({{dimension, 0}}) != 0) continue;
        text += fmt::format("        {} = {}.shape[{}] // {}\n", variable, input.name, i,
                            input.shape[i].at({{dimension, 1}}));
        return;
      }
    throw UserError(fmt::format("no input of task {} says what {} is", task_.name, dimension));
  }

  std::string python_size(const Extent& extent) const {
    if (extent.name.empty()) return std::to_string(extent.size);
    return renamed(extent.name, [&](const std::string& name) { return sizes_.at(name); });
  }

  /// A value replaces the first argument under its name, unless that is an input used again later.
  std::string result_name(const Expression& node, const std::vector<std::string>& args) {
    for (std::size_t i = 0; i < args.size(); ++i) {
      if (node.args[i].kind == Expression::Kind::Constant) continue;
      if (node.args[i].kind == Expression::Kind::Operator || uses_left_[node.args[i].input] == 0)
        return args[i];
      break;
    }
    for (int i = 0;; ++i)
      if (const std::string name = fmt::format("t{}", i); taken_.insert(name).second) return name;
  }

  std::string expression(const Expression& node, const std::vector<std::string>& args) const {
    const std::string &op = node.op, &x = args[0];
    const auto number = [&](const char* name) { return python_float(attribute(node, name)); };
    switch (form_of(op)) {
      case Form::Binary: {
        const std::string& y = args[1];
        if (op == "add") return x + " + " + y;
        if (op == "sub") return x + " - " + y;
        if (op == "mul") return x + " * " + y;
        if (op == "div") return x + " / " + y;
        if (op == "lerp") return fmt::format("torch.lerp({}, {}, {})", x, y, number("weight"));
        if (op == "hypot" || op == "logaddexp") return fmt::format("torch.{}({}, {})", op, x, y);
        // torch.maximum takes tensors alone.
        const char* bound = op == "maximum" ? "min" : "max";
        if (node.args[1].kind == Expression::Kind::Constant)
          return fmt::format("torch.clamp({}, {}={})", x, bound, y);
        if (node.args[0].kind == Expression::Kind::Constant)
          return fmt::format("torch.clamp({}, {}={})", y, bound, x);
        return fmt::format("torch.{}({}, {})", op, x, y);
      }
      case Form::Reduction:
        return fmt::format("torch.{}{}({}, dim={}{})", op == "vector_norm" ? "linalg." : "", op, x,
                           axes(node), node.keepdim ? ", keepdim=True" : "");
      case Form::Along:
        return along(node, args);
      case Form::Matmul:
        return x + " @ " + args[1];
      case Form::Transpose:
        if (node.options.contains("axis0"))
          return fmt::format("torch.transpose({}, {}, {})", x, node.options.at("axis0").dump(),
                             node.options.at("axis1").dump());
        return fmt::format("torch.transpose({}, 0, 1)", x);
      case Form::Stated:
        return python_call(node, args, [this](const Extent& extent) { return python_size(extent); });
      case Form::Elementwise:
        break;
    }
    if (op == "neg") return "-" + x;
    if (op == "leaky_relu") return fmt::format("F.leaky_relu({}, {})", x, number("negative_slope"));
    if (op == "clamp") {
      const bool low = node.attributes.contains("min"), high = node.attributes.contains("max");
      if (low && high) return fmt::format("torch.clamp({}, {}, {})", x, number("min"), number("max"));
      return low ? fmt::format("torch.clamp({}, min={})", x, number("min"))
                 : fmt::format("torch.clamp({}, max={})", x, number("max"));
    }
    if (op == "elu" && node.attributes.contains("alpha"))
      return fmt::format("F.elu({}, {})", x, number("alpha"));
    if (op == "gelu" && node.options.contains("approximate"))
      return fmt::format("F.gelu({}, approximate=\"{}\")", x,
                         node.options.at("approximate").get<std::string>());
    if (op == "celu") return fmt::format("F.celu({}, {})", x, number("alpha"));
    if (op == "hardshrink" || op == "softshrink") return fmt::format("F.{}({}, {})", op, x, number("lambd"));
    if (op == "hardtanh")
      return fmt::format("F.hardtanh({}, {}, {})", x, number("min_val"), number("max_val"));
    static const std::set<std::string> functional = {"elu",        "gelu",     "hardsigmoid", "hardswish",
                                                     "logsigmoid", "mish",     "relu6",       "selu",
                                                     "silu",       "softplus", "softsign",    "tanhshrink"};
    return fmt::format("{}.{}({})", functional.contains(op) ? "F" : "torch", op, x);
  }

  /// "1", or "(1, 2)".
  static std::string axes(const Expression& node) {
    return node.axis >= 0 ? std::to_string(node.axis) : fmt::format("({})", fmt::join(node.axes, ", "));
  }

  static std::string along(const Expression& node, const std::vector<std::string>& args) {
    const std::string &op = node.op, &x = args[0];
    if (op == "softmin" || op == "normalize") return fmt::format("F.{}({}, dim={})", op, x, node.axis);
    if (op == "softmax" || op == "log_softmax" || op == "cumsum")
      return fmt::format("torch.{}({}, dim={})", op, x, node.axis);
    const std::string eps = python_float(attribute(node, "eps"));
    const std::size_t count = std::max<std::size_t>(node.axes.size(), 1);
    if (!node.axes.empty() || node.axis + 1 == static_cast<int>(node.shape.size())) {
      std::string weights;
      for (std::size_t i = 1; i < args.size(); ++i) weights += ", " + args[i];
      return fmt::format("F.{}({}, {}.shape[-{}:]{}, eps={})", op, x, x, count, weights, eps);
    }
    const std::string over = fmt::format("dim={}, keepdim=True", node.axis);
    if (op == "rms_norm")
      return fmt::format("{} * torch.rsqrt(torch.mean({} * {}, {}) + {})", x, x, x, over, eps);
    return fmt::format("({} - torch.mean({}, {})) * torch.rsqrt(torch.var({}, {}, correction=0) + {})", x, x,
                       over, x, over, eps);
  }

  const Task& task_;
  std::vector<int> uses_left_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> sizes_;  // dimensions' variables
};

}  // namespace

std::string python_float(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

namespace {

/// "i64 < C " before the shape of indices below C.
std::string index_of(const TaskInput& input) {
  if (!input.below) return "";
  return fmt::format("{} < {} ", input.dtype,
                     input.below->name.empty() ? std::to_string(input.below->size) : input.below->name);
}

}  // namespace

std::string prompt(const Task& task, KernelLanguage language) {
  std::string shapes, names;
  for (const TaskInput& input : task.inputs) {
    std::string extents;
    for (const Extent& extent : input.shape)
      extents +=
          (extents.empty() ? "" : ", ") + (extent.name.empty() ? std::to_string(extent.size) : extent.name);
    shapes += fmt::format("{}{}: {}[{}]", shapes.empty() ? "" : ", ", input.name, index_of(input), extents);
    names += ", " + input.name;
  }
  Statements statements(task);
  const std::string result = statements.write(task.value);
  // Short, since it stands before every task, and the wind tunnel's models have few tokens.
  const std::string wanted =
      language == KernelLanguage::cuda ? "# ModelNew by CUDA kernels in load_inline\n" : "";
  return fmt::format("{}# {}\nclass Model(nn.Module):\n    def forward(self{}):\n{}        return {}\n",
                     wanted, shapes, names, statements.text, result);
}

}  // namespace trl::runtime
