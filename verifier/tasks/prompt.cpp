#include "verifier/tasks/prompt.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "verifier/tasks/python_call.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

/// Writes one Python statement per operator, in the order of evaluation.
class Statements {
 public:
  explicit Statements(const Task& task) : task_(task), uses_left_(task.inputs.size()) {
    for (const TaskInput& input : task.inputs) taken_.insert(input.name);
    count(task.value);
    read_sizes(task.value);
  }

  /// The statements so far. The first of them read the sizes that later statements need.
  std::string text;

  /// The expression that forward returns: a variable, or several separated by commas.
  std::string write_all(const Expression& value) {
    if (value.kind != Expression::Kind::Operator || value.op != Operator::results) return write(value);
    std::vector<std::string> all;
    for (const Expression& one : value.args) all.push_back(write(one));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  /// Writes the statements of a node. Returns its value in Python: the name of a variable, or a number.
  std::string write(const Expression& node) {
    if (node.kind == Expression::Kind::Constant) return python_float(node.constant);
    if (node.kind == Expression::Kind::Input) return task_.inputs[node.input].name;
    if (node.op == Operator::size) return python_size(parse_extent(node.options.at("size")));
    std::vector<std::string> args;
    const bool integers = std::any_of(node.args.begin(), node.args.end(), [&](const Expression& argument) {
      return operators::is_integer(dtype_of(task_, argument));
    });
    for (const Expression& argument : node.args)
      args.push_back(argument.kind == Expression::Kind::Constant ? python_number(argument.constant, integers)
                                                                 : write(argument));
    for (const Expression& argument : node.args)
      if (argument.kind == Expression::Kind::Input) --uses_left_[argument.input];
    const std::string result = result_name(node, args);
    text +=
        fmt::format("        {} = {}\n", result,
                    python_call(node, args,
                                {[this](const Extent& extent) { return python_size(extent); },
                                 task_.inputs.front().name + ".device", integers && !is_index_call(node)}));
    return result;
  }

 private:
  /// Whether integers are among the arguments while x has floats: plain numbers then have x's dtype.
  bool is_index_call(const Expression& node) const {
    return !node.args.empty() && !operators::is_integer(dtype_of(task_, node.args.front()));
  }

  void count(const Expression& node) {
    if (node.kind == Expression::Kind::Input) ++uses_left_[node.input];
    for (const Expression& argument : node.args) count(argument);
  }

  /// Makes variables for the dimensions in a node's sizes. They are read from the inputs before later
  /// statements reuse the inputs' names.
  void read_sizes(const Expression& node) {
    if (node.kind == Expression::Kind::Operator)
      for (const auto& [name, option] : node.options) {
        if (operators::is_word(name)) continue;
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
    for (const SolvedDim& dim : solved_dims(task_.inputs)) {
      if (dim.name != dimension) continue;
      text += fmt::format("        {} = {}\n", variable, solved(dim));
      return;
    }
    throw UserError(fmt::format("no input of task {} says what {} is", task_.name, dimension));
  }

  /// Returns the size that an input's extent determines, as Python: `x.shape[0] // 2`, `x.shape[1] - 24`.
  std::string solved(const SolvedDim& dim) {
    const TaskInput& input = task_.inputs[dim.input];
    const Extent& extent = input.shape[dim.axis];
    const std::vector<std::string> names = names_in(extent);
    std::string text = fmt::format("{}.shape[{}]", input.name, dim.axis);
    const bool alone =
        std::all_of(names.begin(), names.end(), [&](const std::string& name) { return name == dim.name; });
    if (alone) {
      const std::int64_t rest = extent.at({{dim.name, 0}});
      if (rest != 0) text += fmt::format(" {} {}", rest > 0 ? "-" : "+", std::abs(rest));
    } else {
      for (const std::string& name : names)
        if (name != dim.name) read_size(name);
      text += " - (" +
              renamed(extent.name,
                      [&](const std::string& name) {
                        return name == dim.name ? std::string("0") : sizes_.at(name);
                      }) +
              ")";
    }
    if (dim.times == 1) return text;
    if (text.find(' ') != std::string::npos) text = "(" + text + ")";
    return fmt::format("{} // {}", text, dim.times);
  }

  std::string python_size(const Extent& extent) const {
    if (extent.name.empty()) return std::to_string(extent.size);
    return renamed(extent.name, [&](const std::string& name) { return sizes_.at(name); });
  }

  /// Returns the variable of a node's value: the variable of the first argument that isn't a constant, or a
  /// new one if that argument is an input used again later.
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

/// Writes a bound of a range; a whole number is written like an integer.
std::string number(double value) { return fmt::format("{}", value); }

/// Returns the words before the shape of an input, as "i64 < C " or "f32 in 0..1 ". The dtype of real numbers
/// is only named if the task has several.
std::string kind_of(const Task& task, const TaskInput& input) {
  const InputValues& values = input.values;
  std::string text = input.integers() || !has_one_dtype(task) ? input.dtype + " " : "";
  const auto size = [](const Extent& extent) {
    return extent.name.empty() ? std::to_string(extent.size) : extent.name;
  };
  if (input.below) text += "< " + size(*input.below) + " ";
  if (values.is_matrix()) {
    std::string matrix = name(values.kind);
    std::replace(matrix.begin(), matrix.end(), '_', ' ');
    text += matrix + " ";
  }
  if (values.low < values.high) text += "in " + number(values.low) + ".." + number(values.high) + " ";
  if (values.kind == InputValues::Kind::positive) text += "> 0 ";
  if (values.kind == InputValues::Kind::one_hot) text += "one-hot ";
  if (values.kind == InputValues::Kind::offsets) text += "ascending from 0 to " + size(*values.of) + " ";
  return text;
}

}  // namespace

std::string prompt(const Task& task, KernelLanguage language) {
  // The text is short because it precedes every task, and the wind tunnel's models have a small context.
  const std::string wanted =
      language == KernelLanguage::cuda ? "# ModelNew by CUDA kernels in load_inline\n" : "";
  if (task.module) return wanted + task.module->code;
  std::string shapes, names;
  for (const TaskInput& input : task.inputs) {
    std::string extents;
    for (const Extent& extent : input.shape)
      extents +=
          (extents.empty() ? "" : ", ") + (extent.name.empty() ? std::to_string(extent.size) : extent.name);
    shapes +=
        fmt::format("{}{}: {}[{}]", shapes.empty() ? "" : ", ", input.name, kind_of(task, input), extents);
    names += ", " + input.name;
  }
  Statements statements(task);
  const std::string result = statements.write_all(task.value);
  return fmt::format("{}# {}\nclass Model(nn.Module):\n    def forward(self{}):\n{}        return {}\n",
                     wanted, shapes, names, statements.text, result);
}

}  // namespace trl::runtime
