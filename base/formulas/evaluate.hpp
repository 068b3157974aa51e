// Evaluates formulas with given bindings.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/formulas/expression.hpp"

namespace trl::formulas {

struct Record;

/// The value of an expression. The owner of a text or a record, which is the bindings or the expression,
/// outlives the value.
using Value = std::variant<double, bool, std::string_view, const Record*>;

/// The parts of `c` in `c.speedup`.
struct Record : std::map<std::string, Value, std::less<>> {
  using map::map;
};

/// What a formula can use.
struct Bindings {
  using Function = std::function<Value(const std::vector<Value>& arguments)>;
  std::map<std::string, Value, std::less<>> names;
  std::map<std::string, Record, std::less<>> records;
  std::map<std::string, Function, std::less<>> functions;
};

/// Thrown for a formula that has no value; `at` is the place of the node in which it has none.
struct EvaluationError : std::runtime_error {
  EvaluationError(const std::string& message, const std::optional<Place>& place)
      : std::runtime_error(message), at(place) {}
  std::optional<Place> at;
};

/// The value of an expression. A function in `bindings` is preferred to one of formula_functions. Throws
/// EvaluationError on an unknown name, a wrong type, division by zero, or a value that is not finite.
Value evaluate(const Expression& expression, const Bindings& bindings);

/// Like `evaluate`, but the formula must give a number or a bool.
double evaluate_number(const Expression& expression, const Bindings& bindings);
bool evaluate_bool(const Expression& expression, const Bindings& bindings);

/// A value as text: `0.7`, `true`.
std::string value_text(const Value& value);
/// "correct = false, credit = 0.7"
std::string record_text(const Record& record);

}  // namespace trl::formulas
