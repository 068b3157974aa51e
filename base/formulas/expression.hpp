// Formulas as syntax trees: the EXPR of docs/interfaces.md, section 2.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trl::formulas {

struct Node;

/// A range of bytes in a source text, where a node of a formula is written.
struct Place {
  std::size_t begin = 0, end = 0;
  bool operator==(const Place&) const = default;
};

/// Thrown for JSON that is no expression.
struct ExpressionError : std::runtime_error {
  ExpressionError(std::string path, std::string what_expected, std::optional<nlohmann::json> what_found);
  std::string where;  ///< the path to the wrong part: "args.[1].op"; empty: the whole JSON
  std::string expected;
  std::optional<nlohmann::json> found;  ///< the wrong value; nothing if a field is missing
};

/// An expression. It is immutable, so copies share their tree.
class Expression {
 public:
  /// Creates the name `?`, which stands for an expression that couldn't be read; no program can contain it.
  Expression();
  Expression(Node node);

  const Node& node() const { return *node_; }
  /// Returns the node's content if it has type `Form`, one of the types below; null otherwise.
  template <class Form>
  const Form* as() const;
  /// Returns the source position of the expression; nothing if it is unknown.
  const std::optional<Place>& at() const;

  /// Throws ExpressionError.
  static Expression read(const nlohmann::json& input);
  nlohmann::json write() const;

  bool operator==(const Expression& other) const;

 private:
  std::shared_ptr<const Node> node_;
};

/// A number. JSON writes it without a fraction if it is `integral`. Numbers have no source position.
struct Number {
  double value = 0;
  bool integral = false;
  bool operator==(const Number&) const = default;
};

struct Boolean {
  bool value = false;
  bool operator==(const Boolean&) const = default;
};

/// A bare word whose value is its own text: `f16` in `dtype == f16`.
struct Word {
  std::string text;
  bool operator==(const Word&) const = default;
};

/// The name of a value, or of a group of tasks: `level1` in `accuracy(level1)`.
struct Name {
  std::string text;
  bool operator==(const Name&) const = default;
};

/// Access to a member: `of.name`
struct Member {
  Expression of;
  std::string name;
  bool operator==(const Member&) const = default;
};

struct Call {
  std::string function;
  std::vector<Expression> arguments;
  bool operator==(const Call&) const = default;
};

/// Arithmetic negation: `-of`
struct Negative {
  Expression of;
  bool operator==(const Negative&) const = default;
};

/// Logical negation: `not of`
struct Negation {
  Expression of;
  bool operator==(const Negation&) const = default;
};

enum class Operator {
  disjunction,
  conjunction,
  less,
  at_most,
  greater,
  at_least,
  equal,
  unequal,
  plus,
  minus,
  times,
  divided,
  power
};

/// Returns the operator with this spelling: `<=`; nothing if there is none.
std::optional<Operator> operator_written(std::string_view word);
std::string_view word(Operator op);
bool is_logic(Operator op);       ///< `and`, `or`
bool is_equality(Operator op);    ///< `==`, `!=`
bool is_comparison(Operator op);  ///< `<`, `<=`, `>`, `>=`, `==`, `!=`

struct Binary {
  Operator op = Operator::plus;
  Expression left, right;
  bool operator==(const Binary&) const = default;
};

/// A conditional expression: `if c then a else b`, where `condition` is c, `then` is a and `otherwise` is b.
struct Choice {
  Expression condition, then, otherwise;
  bool operator==(const Choice&) const = default;
};

struct Node {
  std::variant<Number, Boolean, Word, Name, Member, Call, Negative, Negation, Binary, Choice> form;
  std::optional<Place> at = std::nullopt;
  bool operator==(const Node&) const = default;
};

template <class Form>
const Form* Expression::as() const {
  return std::get_if<Form>(&node_->form);
}

/// Calls `with` on each direct subexpression of a node, in source order.
template <class SomeNode, class With>
void each_part(SomeNode& node, With with) {
  std::visit(
      [&](auto& form) {
        if constexpr (requires { form.of; }) {
          with(form.of);
        } else if constexpr (requires { form.left; }) {
          with(form.left), with(form.right);
        } else if constexpr (requires { form.condition; }) {
          with(form.condition), with(form.then), with(form.otherwise);
        } else if constexpr (requires { form.arguments; }) {
          for (auto& argument : form.arguments) with(argument);
        }
      },
      node.form);
}

/// Returns the expression with names replaced by expressions. Every other node that has a source position
/// gets the position `at`.
Expression replaced(const Expression& expression, const std::map<std::string, Expression>& names,
                    const std::optional<Place>& at);

/// Returns the expression without source positions, so that expressions with different layout compare equal.
Expression without_places(const Expression& expression);

/// Returns the expression `left + right`, without a source position.
Expression added(Expression left, Expression right);

/// Returns the names that are arguments of calls of `function`, each once: `level1` for `accuracy(level1)`.
std::vector<std::string> names_asked(const Expression& expression, std::string_view function);

/// Returns an expression as source text, for messages: `0.7 + 0.3 * min(c.speedup, 1)`.
std::string formula_text(const Expression& expression);

}  // namespace trl::formulas
