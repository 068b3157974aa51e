#include "base/operators/operator_ids.hpp"
#include "verifier/corpus/cuda/writer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trl::runtime::cuda {

void Writer::enter(const Expression& value) {
  uses_left_.assign(task_.inputs.size(), 0);
  loaded_.clear();
  declared_.clear();
  count(value);
}

void Writer::count(const Expression& node) {
  if (&node == kept_ || is_operator(node, Form::Reduction) || is_operator(node, Form::Matmul)) return;
  if (node.kind == Expression::Kind::Input) ++uses_left_[node.input];
  for (const Expression& argument : node.args) count(argument);
}

void Writer::assign(const std::string& variable, const std::string& value) {
  line(fmt::format("{}{} = {};", declared_.insert(variable).second ? "float " : "", variable, value));
}

void Writer::use(const TaskInput& input) {
  if (std::find(kernel_.inputs.begin(), kernel_.inputs.end(), input.name) == kernel_.inputs.end())
    kernel_.inputs.push_back(input.name);
}

std::string Writer::load(std::size_t index) {
  const TaskInput& input = task_.inputs[index];
  const std::string variable = variable_of(input.name);
  if (!loaded_.insert(index).second) return variable;
  use(input);
  const Spread spread = spread_of(input.shape, domain_);
  if (spread == Spread::Full && kernel_.flat_input.empty()) kernel_.flat_input = input.name;
  load_lines_.push_back(body_.size());
  const std::string value = kernel_.takes_four ? fmt::format("{}_four.v[k]", variable)
                                               : fmt::format("{}_ptr[{}]", variable, place(spread));
  assign(variable, cuda_style_.casts ? fmt::format("static_cast<float>({})", value) : value);
  return variable;
}

std::string Writer::place(Spread spread) {
  const bool flat = layout_ == Layout::Flat;
  if (spread == Spread::Scalar) return "0";
  if (spread == Spread::Full) {
    if (!flat) need("N");
    return flat ? "i" : "row * N + col";
  }
  const bool by_column = (spread == Spread::Row) != confused();
  if (flat) need("N");
  return by_column ? (flat ? "i % N" : "col") : (flat ? "i / N" : "row");
}

std::string Writer::element(const Expression& node) {
  if (&node == kept_) {
    assign("v", fmt::format("line[{}]", across() ? "col" : "row"));
    return "v";
  }
  if (node.kind == Expression::Kind::Constant) return literal(node.constant);
  if (node.kind == Expression::Kind::Input) return load(node.input);
  switch (form_of(node.op)) {
    case Form::Matmul:
      if (layout_ != Layout::Product) beyond("a matrix product of something computed");
      return product_name_;
    case Form::Transpose:
      if (&node != &task_.value) beyond("a transposition that isn't the last operator");
      return element(node.args[0]);
    case Form::Stated:
      beyond(name_of(node.op));
    case Form::Reduction:
      return totals_.at(&node).back();
    case Form::Along:
      return element_along(node);
    case Form::Binary:
    case Form::Elementwise:
      break;
  }
  std::vector<std::string> args;
  for (const Expression& argument : node.args) args.push_back(element(argument));
  const std::string result = result_name(node, args);
  assign(result, elementwise(node, args));
  return result;
}

std::string Writer::element_along(const Expression& node) {
  const std::string x = element(node.args[0]);
  if (node.op == Operator::cumsum) {
    line(fmt::format("running += {};", x));
    const std::string result = result_name(node, {x});
    assign(result, "running");
    return result;
  }
  const std::string result = result_name(node, {x});
  assign(result, filled(along(node.op).value, node, x, ""));
  return result;
}

std::string Writer::result_name(const Expression& node, const std::vector<std::string>& args) {
  for (const Expression& argument : node.args)
    if (argument.kind == Expression::Kind::Input) --uses_left_[argument.input];
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (node.args[i].kind == Expression::Kind::Constant || fixed_.contains(args[i])) continue;
    if (node.args[i].kind == Expression::Kind::Operator || uses_left_[node.args[i].input] == 0)
      return args[i];
    break;
  }
  for (int i = 0;; ++i) {
    const std::string name = fmt::format("t{}", i);
    if (!taken_.contains(name) && !declared_.contains(name)) return name;
  }
}

void Writer::store(const std::string& at, const std::string& value) {
  const bool cast = cuda_style_.casts && !makes_temporary_;
  line(fmt::format("out[{}] = {};", at,
                   cast ? fmt::format("static_cast<{}>({})", type_name(), value) : value));
}

void Writer::element_and_store(const std::string& at) {
  enter(task_.value);
  if (layout_ == Layout::Product) declared_.insert(product_name_);
  const std::string value = element(task_.value);
  store(at, value);
}

std::string Writer::target() {
  need("N");
  if (!is_operator(task_.value, Form::Transpose)) return "row * N + col";
  need("M");
  return "col * M + row";
}

}  // namespace trl::runtime::cuda
