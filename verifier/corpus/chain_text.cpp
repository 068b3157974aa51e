#include <fmt/format.h>

#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/chain.hpp"
#include "verifier/tasks/prompt.hpp"

namespace trl::runtime {
namespace {

bool is_constant(const Expression& node) { return node.kind == Expression::Kind::Constant; }

/// The kind of a tensor operand of a matrix: "" for another matrix, "row" for [N], "column" for [M, 1].
std::string operand_kind(const Expression& node) {
  if (node.shape.size() == 1) return "row";
  return node.shape.size() == 2 && node.shape[1].is_one() ? "column" : "";
}

/// Returns the index of the argument through which the chain goes: the second one if it is an operator or if
/// the first one is a constant; otherwise the first one.
std::size_t chain_argument(const Expression& node) {
  if (node.args.size() == 1) return 0;
  return node.args[1].kind == Expression::Kind::Operator ? 1 : is_constant(node.args[0]) ? 1 : 0;
}

void collect(const Expression& node, std::vector<const Expression*>& chain) {
  if (node.kind != Expression::Kind::Operator) return;
  collect(node.args[chain_argument(node)], chain);
  chain.push_back(&node);
}

std::string word(const Expression& node) {
  const std::string& name = name_of(node.op);
  if (form_of(node.op) != Form::Binary) return name;
  const std::size_t through = chain_argument(node);
  const Expression& other = node.args[1 - through];
  if (is_constant(other)) {
    if (node.op == Operator::add) return "shift";
    if (node.op == Operator::mul) return "scale";
    return through == 1 ? "from_constant" : name + "_constant";
  }
  const Expression& own = node.args[through];
  const std::string kind = operand_kind(other);
  if (node.op == Operator::add && kind == "row" && own.kind == Expression::Kind::Operator &&
      own.op == Operator::matmul)
    return "bias";
  const std::string reversed =
      through == 1 && (node.op == Operator::sub || node.op == Operator::div) ? "_from" : "";
  return name + reversed + (kind.empty() ? "" : "_" + kind);
}

/// Returns a phrase that says what an operator does to `subject`. The subject is the input's name for the
/// first operator and empty for later operators.
std::string phrase(const Expression& node, const Task& task, const std::string& subject) {
  const Form form = form_of(node.op);
  const std::string of = subject.empty() ? "" : " of " + subject;
  if (form == Form::Matmul) return "the matrix product x @ w";
  if (form == Form::Transpose) return "the transpose" + of;
  if (form == Form::Elementwise) return name_of(node.op) + of;
  if (form == Form::Reduction || form == Form::Along)
    return fmt::format("{} of each {}{}", name_of(node.op), node.axis == 0 ? "column" : "row", of);
  // The first operator may have x, which is input 0, second: "y minus x".
  const bool begins = node.args[0].kind == Expression::Kind::Input &&
                      node.args[1].kind == Expression::Kind::Input && node.args[1].input == 0;
  const std::size_t through = begins ? 1 : chain_argument(node);
  const Expression& other = node.args[1 - through];
  const std::string name =
      is_constant(other) ? fmt::format("{}", other.constant) : task.inputs[other.input].name;
  const std::string it = subject.empty() ? "it" : subject;
  if (node.op == Operator::maximum || node.op == Operator::minimum)
    return fmt::format("{} of {} and {}", name_of(node.op), it, name);
  static const std::map<Operator, const char*> words = {
      {Operator::add, "plus"}, {Operator::sub, "minus"}, {Operator::mul, "times"}, {Operator::div, "over"}};
  if (!words.contains(node.op)) return fmt::format("{} of {} and {}", name_of(node.op), it, name);
  const char* sign = words.at(node.op);
  if (through == 1) return fmt::format("{} {} {}", name, sign, it);
  return fmt::format("{}{}{} {}", subject, subject.empty() ? "" : " ", sign, name);
}

std::string source(const Expression& node, const Task& task, int least) {
  if (is_constant(node)) return fmt::format("{}", node.constant);
  if (node.kind == Expression::Kind::Input) return task.inputs[node.input].name;
  static const std::map<Operator, std::pair<const char*, int>> infix = {{Operator::add, {"+", 1}},
                                                                        {Operator::sub, {"-", 1}},
                                                                        {Operator::mul, {"*", 2}},
                                                                        {Operator::div, {"/", 2}},
                                                                        {Operator::matmul, {"@", 2}}};
  if (const auto sign = infix.find(node.op); sign != infix.end()) {
    const int own = sign->second.second;
    const std::string text = fmt::format("{} {} {}", source(node.args[0], task, own), sign->second.first,
                                         source(node.args[1], task, own + 1));
    return own < least ? "(" + text + ")" : text;
  }
  std::string text;
  for (const Expression& argument : node.args) text += (text.empty() ? "" : ", ") + source(argument, task, 0);
  const Form form = form_of(node.op);
  if (form == Form::Reduction || form == Form::Along) text += fmt::format(", axis = {}", node.axis);
  if (form == Form::Reduction && node.keepdim) text += ", keepdim = true";
  for (const auto& [name, value] : node.attributes) {
    if (name == "eps" && (value == 1e-5 || node.op == Operator::normalize)) continue;
    if (name == "negative_slope" && value == 0.01) continue;
    if (name == "max") continue;
    text += fmt::format(", {} = {}", name, value);
  }
  if (node.attributes.contains("max")) text += fmt::format(", max = {}", node.attributes.at("max"));
  return fmt::format("{}({})", name_of(node.op), text);
}

}  // namespace

std::string chain_name(const Task& task) {
  std::vector<const Expression*> chain;
  collect(task.value, chain);
  std::string name;
  for (const Expression* node : chain) name += (name.empty() ? "" : "_") + word(*node);
  return name;
}

std::string chain_doc(const Task& task) {
  std::vector<const Expression*> chain;
  collect(task.value, chain);
  std::string doc;
  for (std::size_t i = 0; i < chain.size(); ++i)
    doc += (i == 0                  ? ""
            : i + 1 == chain.size() ? ", then "
                                    : ", ") +
           phrase(*chain[i], task, i == 0 ? "x" : "");
  return doc + ".";
}

std::string task_source(const Task& task) {
  std::string dims, inputs;
  for (const auto& [name, size] : task.dims)
    dims += fmt::format("{}{} = {}", dims.empty() ? "" : ", ", name, size);
  for (const TaskInput& input : task.inputs) {
    std::string extents;
    for (const Extent& extent : input.shape)
      extents +=
          (extents.empty() ? "" : ", ") + (extent.name.empty() ? std::to_string(extent.size) : extent.name);
    inputs += fmt::format("{}{}: {}[{}]", inputs.empty() ? "" : ", ", input.name, input.dtype, extents);
  }
  return fmt::format("task {}[{}]({}) = {}", task.name, dims, inputs, source(task.value, task, 0));
}

}  // namespace trl::runtime
