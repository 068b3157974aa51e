#include "language/check/undefined.hpp"

#include <fmt/format.h>

namespace trl::language {
namespace {

/// Returns the expression of which a logarithm should be taken instead: its argument, without a clamp whose
/// bound is 0 or less.
std::string within_log(const formulas::Expression& argument) {
  const auto* call = argument.as<formulas::Call>();
  if (call != nullptr && call->function == "max" && call->arguments.size() == 2)
    for (const bool first : {true, false}) {
      const auto* number = call->arguments[first ? 0 : 1].as<formulas::Number>();
      if (number != nullptr && number->value <= 0) return formula_text(call->arguments[first ? 1 : 0]);
    }
  return formula_text(argument);
}

}  // namespace

std::string remedy_of_undefined(const formulas::Expression& part) {
  const auto* call = part.as<formulas::Call>();
  const std::string of = call != nullptr && !call->arguments.empty() ? formula_text(call->arguments[0]) : "";
  if (call != nullptr && call->function == "log") {
    const std::string inner = within_log(call->arguments[0]);
    return fmt::format(
        "give log a number above 0: `log(max({}, 0.01))`, or ask first: `if {} > 0 then … else 0`", inner,
        inner);
  }
  if (call != nullptr && call->function == "sqrt")
    return fmt::format("give sqrt 0 or more: `sqrt(max({}, 0))`", of);
  if (call != nullptr) return fmt::format("keep it finite: `{}(min({}, …))`", call->function, of);
  const auto* power = part.as<formulas::Binary>();
  if (power == nullptr) return "";
  return fmt::format("keep what is raised to a power between bounds: `clamp({}, 0, …)`",
                     formula_text(power->left));
}

}  // namespace trl::language
