#include "runtime/tasks/prompt.hpp"

#include <fmt/format.h>

#include <set>

namespace trl::runtime {
namespace {

/// Writes one Python statement an operator, in the order of evaluation.
class Statements {
 public:
  explicit Statements(const Task& task) : task_(task), uses_left_(task.inputs.size()) {
    for (const TaskInput& input : task.inputs) taken_.insert(input.name);
    count(task.value);
  }

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

  static std::string expression(const Expression& node, const std::vector<std::string>& args) {
    const std::string &op = node.op, &x = args[0];
    const auto attribute = [&](const char* name, double standard) {
      const auto found = node.attributes.find(name);
      return python_float(found == node.attributes.end() ? standard : found->second);
    };
    switch (form_of(op)) {
      case Form::Binary: {
        const std::string& y = args[1];
        if (op == "add") return x + " + " + y;
        if (op == "sub") return x + " - " + y;
        if (op == "mul") return x + " * " + y;
        if (op == "div") return x + " / " + y;
        if (op == "lerp") return fmt::format("torch.lerp({}, {}, {})", x, y, attribute("weight", 0.5));
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
        return fmt::format("torch.{}{}({}, dim={}{})", op == "vector_norm" ? "linalg." : "", op, x, node.axis,
                           node.keepdim ? ", keepdim=True" : "");
      case Form::Along: {
        if (op == "softmin" || op == "normalize") return fmt::format("F.{}({}, dim={})", op, x, node.axis);
        if (op == "softmax" || op == "log_softmax" || op == "cumsum")
          return fmt::format("torch.{}({}, dim={})", op, x, node.axis);
        const std::string eps = attribute("eps", 1e-5);
        if (node.axis + 1 == static_cast<int>(node.shape.size()))
          return fmt::format("F.{}({}, {}.shape[-1:], eps={})", op, x, x, eps);
        const std::string over = fmt::format("dim={}, keepdim=True", node.axis);
        if (op == "rms_norm")
          return fmt::format("{} * torch.rsqrt(torch.mean({} * {}, {}) + {})", x, x, x, over, eps);
        return fmt::format("({} - torch.mean({}, {})) * torch.rsqrt(torch.var({}, {}, correction=0) + {})", x,
                           x, over, x, over, eps);
      }
      case Form::Matmul:
        return x + " @ " + args[1];
      case Form::Transpose:
        return fmt::format("torch.transpose({}, 0, 1)", x);
      case Form::Elementwise:
        break;
    }
    if (op == "neg") return "-" + x;
    if (op == "leaky_relu") return fmt::format("F.leaky_relu({}, {})", x, attribute("negative_slope", 0.01));
    if (op == "clamp") {
      const bool low = node.attributes.contains("min"), high = node.attributes.contains("max");
      if (low && high)
        return fmt::format("torch.clamp({}, {}, {})", x, attribute("min", 0), attribute("max", 0));
      return low ? fmt::format("torch.clamp({}, min={})", x, attribute("min", 0))
                 : fmt::format("torch.clamp({}, max={})", x, attribute("max", 0));
    }
    if (op == "celu") return fmt::format("F.celu({}, {})", x, attribute("alpha", 1));
    if (op == "hardshrink" || op == "softshrink")
      return fmt::format("F.{}({}, {})", op, x, attribute("lambd", 0.5));
    if (op == "hardtanh")
      return fmt::format("F.hardtanh({}, {}, {})", x, attribute("min_val", -1), attribute("max_val", 1));
    static const std::set<std::string> functional = {"elu",        "gelu",     "hardsigmoid", "hardswish",
                                                     "logsigmoid", "mish",     "relu6",       "selu",
                                                     "silu",       "softplus", "softsign",    "tanhshrink"};
    return fmt::format("{}.{}({})", functional.contains(op) ? "F" : "torch", op, x);
  }

  const Task& task_;
  std::vector<int> uses_left_;
  std::set<std::string> taken_;
};

}  // namespace

std::string python_float(double number) {
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".einf") == std::string::npos) text += ".0";
  return text;
}

std::string prompt(const Task& task) {
  std::string shapes, names;
  for (const TaskInput& input : task.inputs) {
    std::string extents;
    for (const Extent& extent : input.shape)
      extents +=
          (extents.empty() ? "" : ", ") + (extent.name.empty() ? std::to_string(extent.size) : extent.name);
    shapes += fmt::format("{}{}: [{}]", shapes.empty() ? "" : ", ", input.name, extents);
    names += ", " + input.name;
  }
  Statements statements(task);
  const std::string result = statements.write(task.value);
  return fmt::format("# {}\nclass Model(nn.Module):\n    def forward(self{}):\n{}        return {}\n", shapes,
                     names, statements.text, result);
}

}  // namespace trl::runtime
