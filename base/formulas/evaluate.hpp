// Evaluates formulas for given values of their names.
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

/// The value of an expression. A text or record in it is a reference into the bindings or the expression,
/// which must outlive the value.
using Value = std::variant<double, bool, std::string_view, const Record*>;

/// The members of a value, by name: `speedup` of `c` in `c.speedup`.
struct Record : std::map<std::string, Value, std::less<>> {
  using map::map;
};

/// The names and functions that a formula can use, and their values.
struct Bindings {
  using Function = std::function<Value(const std::vector<Value>& arguments)>;
  std::map<std::string, Value, std::less<>> names;
  std::map<std::string, Record, std::less<>> records;
  std::map<std::string, Function, std::less<>> functions;
};

/// Thrown for a formula that has no value; `at` is the source position of the node that has no value.
struct EvaluationError : std::runtime_error {
  EvaluationError(const std::string& message, const std::optional<Place>& place)
      : std::runtime_error(message), at(place) {}
  std::optional<Place> at;
};

/// Returns the value of an expression. A function in `bindings` takes precedence over a function of
/// formula_functions.hpp with the same name. Throws EvaluationError on an unknown name, a wrong type,
/// division by zero, or a value that is not finite.
Value evaluate(const Expression& expression, const Bindings& bindings);

/// Like `evaluate`, but the expression must have a number as its value (`evaluate_number`) or a boolean
/// (`evaluate_bool`).
double evaluate_number(const Expression& expression, const Bindings& bindings);
bool evaluate_bool(const Expression& expression, const Bindings& bindings);

/// Returns a value as text: `0.7`, `true`.
std::string value_text(const Value& value);
/// Returns a record as text: "correct = false, credit = 0.7".
std::string record_text(const Record& record);

}  // namespace trl::formulas
