#include "base/formulas/evaluate.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/formulas/formula_functions.hpp"

namespace trl::formulas {
namespace {

[[noreturn]] void fail(const Expression& expression, const std::string& message) {
  throw EvaluationError(message, expression.at());
}

const char* kind_of(const Value& value) {
  static constexpr std::array kinds = {"a number", "a boolean", "a name", "a record"};
  static_assert(kinds.size() == std::variant_size_v<Value>);
  return kinds[value.index()];
}

double number(const Value& value, const Expression& of) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  fail(of, fmt::format("`{}` is {}, not a number", formula_text(of), kind_of(value)));
}

bool boolean(const Value& value, const Expression& of) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean;
  fail(of, fmt::format("`{}` is {}, not a boolean", formula_text(of), kind_of(value)));
}

double finite(double value, const Expression& of) {
  if (!std::isfinite(value)) fail(of, fmt::format("`{}` is not a finite number", formula_text(of)));
  return value;
}

class Evaluator {
 public:
  explicit Evaluator(const Bindings& bindings) : bindings_(bindings) {}

  Value value(const Expression& e) const {
    return std::visit([&](const auto& form) -> Value { return of(form, e); }, e.node().form);
  }

 private:
  double number_of(const Expression& e) const { return number(value(e), e); }
  bool boolean_of(const Expression& e) const { return boolean(value(e), e); }

  static Value of(const Number& number, const Expression&) { return number.value; }
  static Value of(const Boolean& boolean, const Expression&) { return boolean.value; }
  static Value of(const Word& word, const Expression&) { return word.text; }

  Value of(const Name& name, const Expression& e) const {
    if (const auto found = bindings_.names.find(name.text); found != bindings_.names.end())
      return found->second;
    if (const auto found = bindings_.records.find(name.text); found != bindings_.records.end())
      return &found->second;
    fail(e, fmt::format("nothing is called `{}` here", name.text));
  }

  Value of(const Member& member, const Expression& e) const {
    const Value whole = value(member.of);
    const auto* record = std::get_if<const Record*>(&whole);
    if (record == nullptr)
      fail(e, fmt::format("`{}` is {} and has no members", formula_text(member.of), kind_of(whole)));
    const auto found = (*record)->find(member.name);
    if (found == (*record)->end())
      fail(e, fmt::format("`{}` has no member `{}`", formula_text(member.of), member.name));
    return found->second;
  }

  Value of(const Call& call, const Expression& e) const {
    if (const auto found = bindings_.functions.find(call.function); found != bindings_.functions.end()) {
      std::vector<Value> values;
      for (const Expression& argument : call.arguments) {
        // A name that isn't bound to a value is the name of a group of tasks; the function gets the name
        // itself.
        const auto* name = argument.as<Name>();
        values.push_back(name != nullptr && !bindings_.names.contains(name->text) ? Value(name->text)
                                                                                  : value(argument));
      }
      return found->second(values);
    }
    const Function* built_in = function(call.function);
    if (built_in == nullptr) fail(e, fmt::format("no function is called `{}`", call.function));
    if (!built_in->accepts(call.arguments.size()))
      fail(e, fmt::format("`{}` takes {}, not {}", call.function, built_in->takes(), call.arguments.size()));
    std::vector<double> values;
    values.reserve(call.arguments.size());
    for (const Expression& argument : call.arguments) values.push_back(number_of(argument));
    if (built_in->divisor >= 0 && values[static_cast<std::size_t>(built_in->divisor)] == 0)
      no_division_by(call.arguments[static_cast<std::size_t>(built_in->divisor)], e);
    if (!built_in->domain.contains(values[0]))
      fail(e, fmt::format("{} of {}: it needs {}", call.function, values[0], built_in->needs));
    return finite(built_in->apply(values), e);
  }

  Value of(const Negative& negative, const Expression&) const { return -number_of(negative.of); }
  Value of(const Negation& negation, const Expression&) const { return !boolean_of(negation.of); }

  Value of(const Choice& choice, const Expression&) const {
    return value(boolean_of(choice.condition) ? choice.then : choice.otherwise);
  }

  Value of(const Binary& binary, const Expression& e) const {
    if (is_logic(binary.op)) {
      const bool decides = binary.op == Operator::disjunction;
      return boolean_of(binary.left) == decides ? decides : boolean_of(binary.right);
    }
    const Value left = value(binary.left), right = value(binary.right);
    if (is_equality(binary.op)) return (left == right) == (binary.op == Operator::equal);
    const double a = number(left, binary.left), b = number(right, binary.right);
    switch (binary.op) {
      case Operator::less:
        return a < b;
      case Operator::at_most:
        return a <= b;
      case Operator::greater:
        return a > b;
      case Operator::at_least:
        return a >= b;
      case Operator::plus:
        return finite(a + b, e);
      case Operator::minus:
        return finite(a - b, e);
      case Operator::times:
        return finite(a * b, e);
      case Operator::divided:
        if (b == 0) no_division_by(binary.right, e);
        return finite(a / b, e);
      default:
        if (a == 0 && b < 0) no_division_by(binary.left, e);
        return finite(std::pow(a, b), e);
    }
  }

  [[noreturn]] static void no_division_by(const Expression& zero, const Expression& e) {
    fail(e, fmt::format("division by zero: `{}` is 0", formula_text(zero)));
  }

  const Bindings& bindings_;
};

}  // namespace

Value evaluate(const Expression& expression, const Bindings& bindings) {
  return Evaluator(bindings).value(expression);
}

double evaluate_number(const Expression& expression, const Bindings& bindings) {
  return number(evaluate(expression, bindings), expression);
}

bool evaluate_bool(const Expression& expression, const Bindings& bindings) {
  return boolean(evaluate(expression, bindings), expression);
}

std::string value_text(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return fmt::format("{}", *number);
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? "true" : "false";
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  return record_text(*std::get<const Record*>(value));
}

std::string record_text(const Record& record) {
  std::string text;
  for (const auto& [name, value] : record)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value_text(value));
  return text;
}

}  // namespace trl::formulas
