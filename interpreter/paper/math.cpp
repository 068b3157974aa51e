// Formulas of a .trl file in LaTeX's mathematics.
#include <algorithm>
#include <variant>

#include "base/formulas/precedence.hpp"
#include "interpreter/paper/document.hpp"
#include "interpreter/report/latex.hpp"

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {

using namespace formulas;

/// The characters of a line that a column of two holds as mathematics: 243 pt at about 5.2 pt a character.
constexpr std::size_t widest_line = 46;

const char* sign(Operator op) {
  switch (op) {
    case Operator::disjunction:
      return "\\text{ or }";
    case Operator::conjunction:
      return "\\text{ and }";
    case Operator::less:
      return "<";
    case Operator::at_most:
      return "\\le ";
    case Operator::greater:
      return ">";
    case Operator::at_least:
      return "\\ge ";
    case Operator::equal:
      return "=";
    case Operator::unequal:
      return "\\ne ";
    case Operator::plus:
      return "+";
    case Operator::minus:
      return "-";
    case Operator::times:
      return "\\,";
    case Operator::divided:
      return "/";
    case Operator::power:
      return "^";
  }
  return "";
}

std::string word_in_math(const std::string& word) {
  return word.size() == 1 ? word : "\\text{" + latex_escaped(word) + "}";
}

std::string in_math(const Expression& expression, int around);

std::string cases(const Choice& choice) {
  std::string rows = in_math(choice.then, 0) + " & \\text{if }" + in_math(choice.condition, 0) + ", \\\\\n";
  if (const auto* more = choice.otherwise.as<Choice>()) {
    auto rest = cases(*more);
    return rows + rest;
  }
  return rows + in_math(choice.otherwise, 0) + " & \\text{otherwise}";
}

/// Returns a number without an exponent if that is short, otherwise as a product with a power of ten.
std::string number_in_math(double value) {
  auto text = fmt::format("{:g}", value);
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  const int power = std::stoi(text.substr(e + 1));
  const auto mantissa = text.substr(0, e);
  return (mantissa == "1" ? "" : mantissa + "\\cdot ") + fmt::format("10^{{{}}}", power);
}

bool is_number(const Expression& expression) { return expression.as<Number>() != nullptr; }

struct Writer {
  int around;

  std::string operator()(const Number& number) const { return number_in_math(number.value); }
  std::string operator()(const Boolean& truth) const {
    return truth.value ? "\\text{true}" : "\\text{false}";
  }
  std::string operator()(const Word& word) const { return word_in_math(word.text); }
  std::string operator()(const Name& name) const { return word_in_math(name.text); }
  std::string operator()(const Member& member) const { return word_in_math(member.name); }
  std::string operator()(const Call& call) const {
    std::string arguments;
    for (const auto& argument : call.arguments)
      arguments += (arguments.empty() ? "" : ", ") + in_math(argument, 0);
    const bool known =
        call.function == "min" || call.function == "max" || call.function == "exp" || call.function == "log";
    return (known ? "\\" + call.function : "\\operatorname{" + latex_escaped(call.function) + "}") + "(" +
           arguments + ")";
  }
  std::string operator()(const Negative& negative) const {
    const auto text = "-" + in_math(negative.of, precedence::negative);
    return around >= precedence::product ? "(" + text + ")" : text;
  }
  std::string operator()(const Negation& negation) const {
    return "\\text{not }" + in_math(negation.of, precedence::negative);
  }
  std::string operator()(const Binary& binary) const {
    const int own = precedence_of(binary.op);
    std::string text;
    if (binary.op == Operator::power) {
      text = in_math(binary.left, own + 1) + "^{" + in_math(binary.right, 0) + "}";
    } else {
      // Two adjacent numbers would look like one, so a dot is put between them.
      const bool dot = binary.op == Operator::times && is_number(binary.right);
      const bool right_associative = binary.op == Operator::minus || binary.op == Operator::divided;
      text = in_math(binary.left, own) + (dot ? "\\cdot " : sign(binary.op)) +
             in_math(binary.right, right_associative ? own + 1 : own);
    }
    return own < around ? "(" + text + ")" : text;
  }
  std::string operator()(const Choice& choice) const {
    return "\\begin{cases}\n" + cases(choice) + "\n\\end{cases}";
  }
};

std::string in_math(const Expression& expression, int around) {
  return std::visit(Writer{around}, expression.node().form);
}

/// Returns the number of characters of a formula as mathematics; members are written without their parameter.
std::size_t length(const Expression& expression) {
  std::size_t dropped = 0;
  if (const auto* member = expression.as<Member>()) dropped = formula_text(member->of).size() + 1;
  std::size_t inner = 0, outer = 0;
  each_part(expression.node(),
            [&](const Expression& part) { inner += length(part), outer += formula_text(part).size(); });
  if (dropped > 0) return formula_text(expression).size() - dropped;
  return formula_text(expression).size() - outer + inner;
}

/// Returns the number of characters of the widest line, where the alternatives of a choice stand below each
/// other.
std::size_t widest(const Expression& expression) {
  if (const auto* choice = expression.as<Choice>())
    return std::max(widest(choice->then) + length(choice->condition) + 5, widest(choice->otherwise) + 5);
  return length(expression);
}

}  // namespace

std::optional<std::string> math_of(const Equation& equation) {
  std::string left = equation.name, index;
  if (const auto dot = left.find('.'); dot != std::string::npos)
    index = left.substr(dot + 1), left = left.substr(0, dot);
  std::string head = word_in_math(left);
  if (!index.empty()) head += "_{" + word_in_math(index) + "}";
  std::string parameters;
  for (const auto& parameter : equation.parameters)
    parameters += (parameters.empty() ? "" : ", ") + word_in_math(parameter);
  if (!parameters.empty()) head += "(" + parameters + ")";
  // Members are written without their parameter: `speedup` for `c.speedup`.
  const auto room = equation.name.size() + parameters.size() + 4;
  if (widest(equation.body) + room > widest_line) return std::nullopt;
  return head + " = " + in_math(equation.body, 0);
}

}  // namespace trl::interpreter::paper
