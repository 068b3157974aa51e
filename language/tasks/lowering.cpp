// Lowers a task's declaration to a task: computes types from the inputs up, and checks every call by its
// operator's rule.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "base/operators/operator_ids.hpp"
#include "base/support/error.hpp"
#include "base/tasks/key.hpp"
#include "base/tasks/solved.hpp"
#include "language/diagnostics/suggest.hpp"
#include "language/tasks/arguments.hpp"
#include "language/tasks/input_values.hpp"
#include "language/tasks/other_names.hpp"
#include "language/tasks/rules.hpp"
#include "language/tasks/tasks.hpp"

namespace trl::language {
namespace tasks {
namespace {

using nlohmann::json;

/// Operators that are written by a sign.
const std::map<std::string, Operator>& signs() {
  using enum Operator;
  static const std::map<std::string, Operator> table = {
      {"+", add}, {"-", sub}, {"*", mul},           {"/", div},        {"@", matmul},
      {"^", pow}, {"<", lt},  {"<=", le},           {">", gt},         {">=", ge},
      {"==", eq}, {"!=", ne}, {"and", logical_and}, {"or", logical_or}};
  return table;
}

/// Short enough for a message.
std::string brief(const std::string& source) {
  constexpr std::size_t most = 48;
  return source.size() <= most ? source : "…";
}

class Lowering {
 public:
  explicit Lowering(const json& declaration) : declaration_(declaration) {
    names_.tensor = [this](const json& node) { return tensor(node); };
    names_.dimension = [this](const std::string& name) -> std::optional<Dimension> {
      const auto found = dims_.find(name);
      if (found == dims_.end()) return std::nullopt;
      return found->second;
    };
  }

  Task lower() {
    dims();
    params();
    const json& body = declaration_.at("body");
    const Tensor result = whole(body);
    if (result.constant()) fail_at(body, "a task computes something from its inputs; this is a number");
    if (result.value.is_input())
      fail_at(body, fmt::format("a task computes something; this only gives back `{}`", result.source));
    for (const json& param : declaration_.at("params"))
      if (!used_.contains(param.at("name").get<std::string>()))
        fail_at(param, fmt::format("the input `{}` is never used", param.at("name").get<std::string>()),
                {"remove it, or use it in the expression"});

    task_.suite = declaration_.at("suite");
    task_.id = declaration_.at("id");
    task_.name = declaration_.at("name");
    task_.doc = declaration_.value("doc", "");
    task_.value = result.value;
    task_.dtype = (results_.empty() ? result.type : results_.front()).dtype;
    for (const Type& type : results_) task_.results.push_back({type.dtype, extents(type.shape)});
    task_.key = trl::tasks::task_key(task_);
    return std::move(task_);
  }

 private:
  /// Returns the task's value: one tensor, or several in brackets.
  Tensor whole(const json& body) {
    if (!body.is_object() || !body.contains("list")) return tensor(body);
    json call = {{"call", "results"}, {"args", json::array({body})}};
    if (body.contains("at")) call["at"] = body["at"];
    Tensor out = this->call(call);
    return out;
  }

  void dims() {
    Sizes declared;
    for (const json& dim : declaration_.at("dims")) {
      const std::string name = dim.at(0);
      const json& size = dim.at(1);
      if (!size.is_number() || size.get<double>() != std::floor(size.get<double>()) || size.get<double>() < 1)
        fail_at(declaration_, fmt::format("the dimension {} needs an integer of at least 1", name),
                {fmt::format("for example {} = 64", name)});
      if (!dims_.emplace(name, Dimension::symbol(name, dims_.size())).second)
        fail_at(declaration_, fmt::format("the dimension {} is declared twice", name));
      declared[name] = static_cast<std::int64_t>(size.get<double>());
      task_.dims.emplace_back(name, declared[name]);
    }
    used_sizes_ = UsedSizes(declared, declaration_.value("sizes", "") == "own");
  }

  void params() {
    const json& params = declaration_.at("params");
    if (params.empty()) fail_at(declaration_, "a task needs at least one input");
    for (const json& param : params) {
      const std::string name = param.at("name");
      Tensor input{Expression::of_input(task_.inputs.size()), {param.at("dtype"), {}}, name};
      dtype_of(param, input);
      for (const json& extent : param.at("shape")) input.type.shape.push_back(extent_of(param, extent));
      input.value.shape = extents(input.shape());
      const DeclaredValues declared =
          input_values(param, input.type, [&](const json& size) { return extent_of(param, size); });
      input.below = declared.below;
      input.offsets_of = declared.offsets_of;
      trl::tasks::TaskInput own{name, input.type.dtype, input.value.shape};
      if (input.below) own.below = input.below->extent();
      own.values = declared.values;
      if (!tensors_.emplace(name, input).second)
        fail_at(param, fmt::format("two inputs are called `{}`", name));
      task_.inputs.push_back(std::move(own));
    }
    settle_dims();
  }

  void dtype_of(const json& param, const Tensor& input) {
    const operators::Dtype* dtype = operators::dtype_called(input.type.dtype);
    if (!dtype || dtype->name == "f64" || dtype->boolean())
      fail_at(param,
              fmt::format("`{}` has dtype {}; inputs are {}", input.source, input.type.dtype, input_dtypes()),
              {did_you_mean(dtype_said_otherwise(input.type.dtype))});
    // The dtype of the first floating-point input. Values whose shapes the task states have this dtype if the
    // task doesn't state theirs.
    if (dtype_.empty() && dtype->floating()) dtype_ = input.type.dtype;
  }

  Dimension extent_of(const json& param, const json& extent) {
    const std::string name = param.at("name");
    const auto undeclared = [&](const std::string& dimension) {
      std::vector<std::string> known;
      for (const auto& [own, symbol] : dims_) known.push_back(own);
      std::vector<std::string> notes;
      if (const auto best = closest(dimension, known)) notes.push_back("did you mean `" + *best + "`?");
      notes.push_back(fmt::format("declare it: task {}[…, {} = 64](…)",
                                  declaration_.at("name").get<std::string>(), dimension));
      fail_at(param, fmt::format("`{}` has a dimension {} that the task doesn't declare", name, dimension),
              notes);
    };
    Names names = names_;
    names.dimension = [&](const std::string& dimension) -> std::optional<Dimension> {
      if (!dims_.contains(dimension)) undeclared(dimension);
      return dims_.at(dimension);
    };
    const Dimension size = size_of(extent, names);
    if (used_sizes_.below(size, 1))
      fail_at(param, fmt::format("`{}`: a dimension is at least 1, and {} is {}", name, size.text(),
                                 *used_sizes_.below(size, 1)));
    return size;
  }

  /// Finds the dimensions whose sizes follow from the inputs' shapes. They must include all dimensions of
  /// inputs.
  void settle_dims() {
    for (const trl::tasks::SolvedDim& dim : trl::tasks::solved_dims(task_.inputs)) settled_.insert(dim.name);
    std::set<std::string> occurring;
    for (const trl::tasks::TaskInput& input : task_.inputs)
      for (const Extent& extent : input.shape)
        for (const std::string& name : names_in(extent)) occurring.insert(name);
    for (const std::string& name : occurring)
      if (!settled_.contains(name))
        fail_at(declaration_, fmt::format("the inputs' shapes don't say what {} is", name),
                {fmt::format("an axis tells it that has the size {0}, 2 * {0} or {0} + 1, or such a sum with "
                             "dimensions that other axes tell",
                             name)});
  }

  Tensor tensor(const json& node) {
    ++depth_;
    Tensor out = tensor_at(node);
    --depth_;
    return out;
  }

  Tensor tensor_at(const json& node) {
    if (node.is_number()) return constant(node.get<double>());
    if (node.is_object()) {
      if (node.contains("const")) return constant(node["const"].get<double>());
      if (node.contains("call")) return call(node);
      if (node.contains("op")) return written_with_signs(node);
      if (node.contains("name") && !node.contains("member")) return input(node);
      if (node.contains("member"))
        fail_at(node, fmt::format("a tensor has no `.{}`", node["name"].get<std::string>()),
                node.contains("here")
                    ? std::vector<std::string>{"here it is " + node["here"].get<std::string>()}
                    : notes_on_function(node["name"]));
      if (node.contains("if"))
        fail_at(node, "`if` chooses one value, not one for each element",
                {"where(c, x, y) chooses for each"});
      if (node.contains("text"))
        fail_at(node, "words in quotes are no tensor", {"they are an einsum's equation"});
      if (node.contains("list"))
        fail_at(node, "a list is no tensor",
                {"cat([x, y], axis = 1) joins tensors; lists are its arguments"});
    }
    fail_at(node, "a task's expression is made of its inputs, numbers, + - * / @ and tensor functions");
  }

  static Tensor constant(double number) {
    return {Expression::number(number), {}, fmt::format("{}", number)};
  }

  Tensor input(const json& node) {
    const std::string name = node["name"];
    const auto found = tensors_.find(name);
    if (found == tensors_.end() && dims_.contains(name)) {
      json as_size = {{"call", "size"}, {"args", json::array({node})}};
      if (node.contains("at")) as_size["at"] = node["at"];
      Tensor size = call(as_size);
      size.source = name;
      return size;
    }
    if (found == tensors_.end()) {
      std::vector<std::string> names;
      for (const auto& [known, own] : tensors_) names.push_back(known);
      std::vector<std::string> notes;
      if (operators::operator_called(name)) notes.push_back(fmt::format("a function is called: {}(…)", name));
      if (const std::string here = foreign_value(name); !here.empty()) notes.push_back(here);
      if (const auto best = closest(name, names)) notes.push_back("did you mean `" + *best + "`?");
      fail_at(node, fmt::format("no input is called `{}`", name), notes);
    }
    used_.insert(name);
    return found->second;
  }

  /// Lowers `x + y`, `-x`, `not c` as calls of the operators that the signs mean. For two numbers the result
  /// is a number.
  Tensor written_with_signs(const json& node) {
    const std::string op = node["op"];
    const json& args = node["args"];
    const bool negative = op == "neg" || (op == "-" && args.size() == 1);
    if (negative || op == "not") {
      Tensor x = tensor(args.at(0));
      if (x.constant() && negative) return constant(-x.number());
      const std::string source = (negative ? "-" : "not ") + x.source;
      return applied(node, negative ? Operator::neg : Operator::logical_not, negative ? "`-`" : "`not`",
                     {std::move(x)}, source);
    }
    const auto name = signs().find(op);
    if (name == signs().end())
      fail_at(node, fmt::format("a task's expression can't use `{}`", op),
              {"operators: + - * / @ ^, comparisons, and, or, not"});
    Tensor x = tensor(args.at(0)), y = tensor(args.at(1));
    if (x.constant() && y.constant()) return folded(node, op, x.number(), y.number());
    const std::string source = brief(fmt::format("{} {} {}", x.source, op, y.source));
    if (op == "^" && y.constant()) {
      static const std::map<double, Operator> powers = {
          {2, Operator::square}, {0.5, Operator::sqrt}, {-0.5, Operator::rsqrt}, {-1, Operator::reciprocal}};
      if (const auto known = powers.find(y.number()); known != powers.end())
        return applied(node, known->second, "`^`", {std::move(x)}, source);
    }
    return applied(node, name->second, "`" + op + "`", {std::move(x), std::move(y)}, source);
  }

  static Tensor folded(const json& node, const std::string& op, double a, double b) {
    if (op == "/" && b == 0) fail_at(node, "`/`: division by 0");
    if (op == "+") return constant(a + b);
    if (op == "-") return constant(a - b);
    if (op == "*") return constant(a * b);
    if (op == "/") return constant(a / b);
    if (op == "^" && std::isfinite(std::pow(a, b))) return constant(std::pow(a, b));
    fail_at(node, fmt::format("`{}` joins two numbers; a task computes with its inputs", op));
  }

  /// Applies an operator to operands that are already lowered.
  Tensor applied(const json& node, Operator op, const std::string& shown, std::vector<Tensor> operands,
                 const std::string& source) {
    Call call(operators::row(op), node, used_sizes_, shown);
    for (std::size_t i = 0; i < operands.size(); ++i) {
      Argument& own = call.arguments[call.op.parameters[i].name];
      own.node = &node["args"].at(i);
      own.tensors = {std::move(operands[i])};
    }
    return finished(call, source);
  }

  Tensor call(const json& node) {
    const std::string name = node["call"];
    const auto found = operators::operator_called(name);
    if (!found) {
      const std::vector<std::string> notes =
          node.contains("here")
              ? std::vector<std::string>{fmt::format("a function has its tensor as an argument: {}",
                                                     node["here"].get<std::string>())}
              : notes_on_function(name);
      fail_at(node,
              name.empty() ? "a tensor has no methods, and only a function's name is called"
                           : fmt::format("no tensor function is called `{}`", name),
              notes);
    }
    Call call(operators::row(*found), node, used_sizes_, "`" + name + "`");
    bind_arguments(call, names_);
    if (const auto number = folded(call)) return constant(*number);
    std::string source;
    for (const Parameter& parameter : call.op.parameters)
      if (call.has(parameter.name) && parameter.is_tensor())
        for (const Tensor& own : call.tensors(parameter.name))
          source += (source.empty() ? "" : ", ") + own.source;
    const std::string settings = written_settings(call);
    source += source.empty() && !settings.empty() ? settings.substr(2) : settings;
    return finished(call, brief(name + "(" + source + ")"));
  }

  /// Returns ", axis = 1": the written arguments of a call that are no tensors.
  static std::string written_settings(const Call& call) {
    std::string out;
    const json attributes = call.attributes();
    for (const Parameter& parameter : call.op.parameters) {
      const auto given = call.arguments.find(parameter.name);
      if (given == call.arguments.end() || given->second.node == nullptr ||
          !attributes.contains(parameter.name))
        continue;
      const json& own = attributes[parameter.name];
      const bool quoted = !own.is_string() || parameter.kind == Parameter::Kind::text;
      out += fmt::format(", {} = {}", parameter.name, quoted ? own.dump() : own.get<std::string>());
    }
    return out;
  }

  /// The larger and the smaller of two numbers.
  static std::optional<double> folded(const Call& call) {
    const bool larger = call.op.id == Operator::maximum;
    if ((!larger && call.op.id != Operator::minimum) || !call.tensor("x").constant() ||
        !call.tensor("y").constant())
      return std::nullopt;
    const double a = call.tensor("x").number(), b = call.tensor("y").number();
    return larger ? std::max(a, b) : std::min(a, b);
  }

  Tensor finished(Call& call, const std::string& source) {
    try {
      return checked(call, source);
    } catch (const std::overflow_error&) {
      call.fail("its sizes are too large", {"a dimension is at most 1000000"});
    }
  }

  Tensor checked(Call& call, const std::string& source) {
    Tensor out{{}, rule_of(call.op.id)(call), source};
    Expression& node = out.value;
    node.kind = Expression::Kind::Operator;
    node.op = call.op.lowered;
    out.is_size = call.op.id == Operator::size;
    if (out.is_size) out.type.dtype = dtype_.empty() ? "i64" : dtype_;
    for (const Dimension& size : out.shape())
      call.at_least(size, 1, [&](const std::string& where) {
        return fmt::format("gives {}, and {} is {}", out.text(), size.text(), where);
      });
    if (call.op.id == Operator::results) {
      if (!results_.empty() || depth_ > 1)
        call.fail("several results are all of a task's value", {"[x, y] stands alone behind the ="});
      for (const Tensor& own : call.tensors("values")) results_.push_back(own.type);
    }
    for (const Parameter& parameter : call.op.parameters)
      if (parameter.is_tensor() && call.has(parameter.name))
        for (const Tensor& own : call.tensors(parameter.name)) node.args.push_back(own.value);
    if (out.type.integer()) out.below = call.below;
    const json attributes = call.attributes();
    settled(call, attributes);
    for (const auto& [name, value] : attributes.items()) node.set(name, value);
    node.shape = extents(out.shape());
    if (trl::tasks::form_of(node.op) == operators::Form::Stated && out.type.dtype != dtype_ &&
        node.op != Operator::results)
      node.dtype = out.type.dtype;
    return out;
  }

  /// Checks that the dimensions in an attribute's size follow from the inputs' shapes, so that the size is
  /// known when the task runs.
  void settled(const Call& call, const json& attributes) const {
    const auto check = [&](const json& size) {
      if (!size.is_string()) return;
      renamed(size.get<std::string>(), [&](const std::string& name) {
        if (dims_.contains(name) && !settled_.contains(name))
          call.fail(fmt::format("nothing says what {} is: no input has an axis of that size", name),
                    {fmt::format("declare an input with {} as a dimension of its own", name)});
        return name;
      });
    };
    for (const Parameter& parameter : call.op.parameters) {
      if (!attributes.contains(parameter.name)) continue;
      const json& own = attributes[parameter.name];
      if (parameter.kind == Parameter::Kind::size) check(own);
      if (parameter.kind == Parameter::Kind::sizes)
        for (const json& size : own) check(size);
    }
  }

  const json& declaration_;
  Names names_;
  std::map<std::string, Dimension> dims_;
  std::set<std::string> settled_, used_;
  UsedSizes used_sizes_;
  std::map<std::string, Tensor> tensors_;
  Task task_;  // the task as far as it is lowered
  std::string dtype_;
  std::vector<Type> results_;  // the results' types, if there are several
  int depth_ = 0;              // the depth of the expression that is being lowered
};

}  // namespace
}  // namespace tasks

std::variant<Task, TaskError> lower_task(const nlohmann::json& declaration) {
  try {
    return tasks::Lowering(declaration).lower();
  } catch (TaskError& error) {
    std::erase(error.notes, "");
    return error;
  } catch (const std::overflow_error&) {
    return TaskError{"its sizes are too large", 0, 0, {"a dimension is at most 1000000"}};
  } catch (const UserError& error) {  // about a size that is too large for a task
    return TaskError{error.what(), 0, 0, {error.help}};
  }
}

const std::vector<TensorFunction>& tensor_functions() {
  static const std::vector<TensorFunction> functions = [] {
    std::vector<TensorFunction> all;
    for (const operators::Row* row : operators::by_name())
      all.push_back({row->name, row->signature(), row->doc});
    return all;
  }();
  return functions;
}

}  // namespace trl::language
