// Evaluates formulas, the JSON expressions of docs/interfaces.md, section 2, with given bindings.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace trl::language {

/// What a formula can use. A record is a JSON object: `c.speedup` is names["c"]["speedup"].
struct Bindings {
  using Function = std::function<nlohmann::json(const std::vector<nlohmann::json>& arguments)>;
  std::map<std::string, nlohmann::json> names;
  std::map<std::string, Function> functions;
};

/// Thrown for a formula that has no value. `begin`..`end` is the byte range of the node's "at", 0..0 if it
/// has none.
struct EvaluationError : std::runtime_error {
  EvaluationError(const std::string& message, std::size_t begin_at, std::size_t end_at)
      : std::runtime_error(message), begin(begin_at), end(end_at) {}
  std::size_t begin, end;
};

/// The value of an expression: a number, a bool, a string or a record. A function in `bindings` is preferred
/// to one of formula_functions. Throws EvaluationError on an unknown name, a wrong type, division by zero, or
/// a value that is not finite.
nlohmann::json evaluate(const nlohmann::json& expression, const Bindings& bindings);

/// Like `evaluate`, but the formula must give a number or a bool.
double evaluate_number(const nlohmann::json& expression, const Bindings& bindings);
bool evaluate_bool(const nlohmann::json& expression, const Bindings& bindings);

/// An expression as text, for messages: `0.7 + 0.3 * min(c.speedup, 1)`.
std::string formula_text(const nlohmann::json& expression);

}  // namespace trl::language
