#include "base/formulas/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/formulas/formula_functions.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const json& node, const std::string& message) {
  std::size_t begin = 0, end = 0;
  if (node.is_object() && node.contains("at") && node["at"].is_array() && node["at"].size() == 2) {
    begin = node["at"][0].get<std::size_t>();
    end = node["at"][1].get<std::size_t>();
  }
  throw EvaluationError(message, begin, end);
}

std::string kind_of(const json& value) {
  if (value.is_number()) return "a number";
  if (value.is_boolean()) return "a boolean";
  if (value.is_object()) return "a record";
  return value.is_string() ? "a name" : "not a value";
}

double number(const json& value, const json& node) {
  if (!value.is_number())
    fail(node, fmt::format("`{}` is {}, not a number", formula_text(node), kind_of(value)));
  return value.get<double>();
}

bool boolean(const json& value, const json& node) {
  if (!value.is_boolean())
    fail(node, fmt::format("`{}` is {}, not a boolean", formula_text(node), kind_of(value)));
  return value.get<bool>();
}

/// The form of a node, known by its key. One pass over the keys suffices, since formulas are evaluated
/// thousands of times.
enum class Form { none, name, member, call, operation, choice, constant };

Form form_of(const json& node) {
  if (!node.is_object()) return Form::none;
  static const std::array<std::pair<std::string_view, Form>, 6> forms = {{{"call", Form::call},
                                                                          {"const", Form::constant},
                                                                          {"if", Form::choice},
                                                                          {"member", Form::member},
                                                                          {"name", Form::name},
                                                                          {"op", Form::operation}}};
  // Keys come sorted, so `member` is found before `name`, which stands beside it.
  for (const auto& [key, part] : node.get_ref<const json::object_t&>())
    for (const auto& [telling, form] : forms)
      if (key == telling) return form;
  return Form::none;
}

class Evaluator {
 public:
  explicit Evaluator(const Bindings& bindings) : bindings_(bindings) {}

  json value(const json& node) const {
    if (node.is_number() || node.is_boolean() || node.is_string()) return node;
    switch (form_of(node)) {
      case Form::member:
      case Form::name: {
        const json* bound = place(node);
        return bound != nullptr ? *bound : member(value(node["member"]), node);
      }
      case Form::call:
        return call(node);
      case Form::operation:
        return operation(node);
      case Form::choice: {
        const json& parts = node["if"];
        return value(boolean(value(parts.at(0)), parts.at(0)) ? parts.at(1) : parts.at(2));
      }
      case Form::constant:
        return node["const"];
      case Form::none:
        break;
    }
    fail(node, "this is not an expression");
  }

 private:
  /// A pointer to the bound value of `x` or `c.speedup`; null for a member of a computed value.
  const json* place(const json& node) const {
    static const json yes = true, no = false;
    const Form form = form_of(node);
    if (form == Form::member) {
      const json* record = place(node["member"]);
      return record == nullptr ? nullptr : &member(*record, node);
    }
    if (form != Form::name) return nullptr;
    const auto& wanted = node["name"].get_ref<const std::string&>();
    if (const auto found = bindings_.names.find(wanted); found != bindings_.names.end())
      return &found->second;
    if (wanted == "true") return &yes;
    if (wanted == "false") return &no;
    fail(node, fmt::format("nothing is called `{}` here", wanted));
  }

  static const json& member(const json& record, const json& node) {
    const auto& wanted = node["name"].get_ref<const std::string&>();
    if (!record.is_object())
      fail(node, fmt::format("`{}` is {} and has no members", formula_text(node["member"]), kind_of(record)));
    const auto found = record.find(wanted);
    if (found == record.end())
      fail(node, fmt::format("`{}` has no member `{}`", formula_text(node["member"]), wanted));
    return *found;
  }

  json call(const json& node) const {
    const auto& function = node["call"].get_ref<const std::string&>();
    static const json none = json::array();
    const auto given = node.find("args");
    const json& arguments = given == node.end() ? none : *given;
    if (const auto found = bindings_.functions.find(function); found != bindings_.functions.end()) {
      std::vector<json> values;
      for (const json& argument : arguments) {
        // A name that is bound to no value is a group's name and stands for itself.
        const bool bare = argument.is_object() && argument.contains("name") && !argument.contains("member");
        values.push_back(bare && !bindings_.names.contains(argument["name"].get<std::string>())
                             ? argument["name"]
                             : value(argument));
      }
      return found->second(values);
    }
    const FormulaFunction* built_in = formula_function(function);
    if (built_in == nullptr) fail(node, fmt::format("no function is called `{}`", function));
    if (!built_in->accepts(arguments.size()))
      fail(node, fmt::format("`{}` takes {}, not {}", function, built_in->takes(), arguments.size()));
    std::vector<double> values;
    for (const json& argument : arguments) values.push_back(number(value(argument), argument));
    if (built_in->divisor >= 0 && values[static_cast<std::size_t>(built_in->divisor)] == 0)
      fail(node, fmt::format("division by zero: `{}` is 0",
                             formula_text(arguments[static_cast<std::size_t>(built_in->divisor)])));
    if (!built_in->domain.contains(values[0]))
      fail(node, fmt::format("{} of {}: it needs {}", function, values[0], built_in->needs));
    return finite(built_in->apply(values), node);
  }

  json operation(const json& node) const {
    const auto& op = node["op"].get_ref<const std::string&>();
    const json& args = node["args"];
    if (op == "and" || op == "or") {
      for (const json& argument : args)
        if (boolean(value(argument), argument) == (op == "or")) return op == "or";
      return op == "and";
    }
    if (op == "not") return !boolean(value(args.at(0)), args.at(0));
    const json left = value(args.at(0));
    if (op == "neg" || (op == "-" && args.size() == 1)) return -number(left, args.at(0));
    const json right = value(args.at(1));
    if (op == "==") return left == right;
    if (op == "!=") return left != right;
    const double a = number(left, args.at(0)), b = number(right, args.at(1));
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    if (op == ">=") return a >= b;
    if (op == "+") return finite(a + b, node);
    if (op == "-") return finite(a - b, node);
    if (op == "*") return finite(a * b, node);
    if (op == "^") {
      if (a == 0 && b < 0) fail(node, fmt::format("division by zero: `{}` is 0", formula_text(args.at(0))));
      return finite(std::pow(a, b), node);
    }
    if (op == "/") {
      if (b == 0) fail(node, fmt::format("division by zero: `{}` is 0", formula_text(args.at(1))));
      return finite(a / b, node);
    }
    fail(node, fmt::format("no operator is written `{}`", op));
  }

  static json finite(double value, const json& node) {
    if (!std::isfinite(value)) fail(node, fmt::format("`{}` is not a finite number", formula_text(node)));
    return value;
  }

  const Bindings& bindings_;
};

int precedence(const json& node) {
  if (node.is_number() && node < 0) return 7;
  if (!node.is_object()) return 9;
  if (node.contains("if")) return 0;
  if (!node.contains("op")) return 9;
  const std::string op = node["op"];
  if (op == "or") return 1;
  if (op == "and") return 2;
  if (op == "not") return 3;
  if (op == "+" || (op == "-" && node["args"].size() == 2)) return 5;
  if (op == "*" || op == "/" || op == "@") return 6;
  if (op == "neg" || op == "-") return 7;
  return op == "^" ? 8 : 4;
}

std::string text_within(const json& node, int least) {
  const std::string text = formula_text(node);
  return precedence(node) < least ? "(" + text + ")" : text;
}

}  // namespace

json evaluate(const json& expression, const Bindings& bindings) {
  return Evaluator(bindings).value(expression);
}

double evaluate_number(const json& expression, const Bindings& bindings) {
  return number(evaluate(expression, bindings), expression);
}

bool evaluate_bool(const json& expression, const Bindings& bindings) {
  return boolean(evaluate(expression, bindings), expression);
}

std::string formula_text(const json& node) {
  if (node.is_number()) return fmt::format("{}", node.get<double>());
  if (node.is_boolean()) return node.get<bool>() ? "true" : "false";
  if (node.is_string()) return node.get<std::string>();
  if (!node.is_object()) return "?";
  if (node.contains("member")) return text_within(node["member"], 9) + "." + node["name"].get<std::string>();
  if (node.contains("call")) {
    std::string arguments;
    for (const json& argument : node.value("args", json::array()))
      arguments += (arguments.empty() ? "" : ", ") + formula_text(argument);
    const json named = node.value("named", json::object());
    for (const auto& [name, argument] : named.items())
      arguments += (arguments.empty() ? "" : ", ") + name + " = " + formula_text(argument);
    return node["call"].get<std::string>() + "(" + arguments + ")";
  }
  if (node.contains("if"))
    return fmt::format("if {} then {} else {}", formula_text(node["if"][0]), formula_text(node["if"][1]),
                       formula_text(node["if"][2]));
  if (node.contains("op")) {
    const std::string op = node["op"];
    const json& args = node["args"];
    const int own = precedence(node);
    if (op == "not") return "not " + text_within(args[0], own);
    if (args.size() == 1) return "-" + text_within(args[0], own);
    // Comparisons don't chain, and `^` groups from the right.
    const bool joins_left = own != 4 && op != "^";
    return text_within(args[0], joins_left ? own : own + 1) + " " + op + " " + text_within(args[1], own + 1);
  }
  if (node.contains("const")) return formula_text(node["const"]);
  return node.contains("name") ? node["name"].get<std::string>() : "?";
}

}  // namespace trl::language
