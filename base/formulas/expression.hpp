// Formulas as trees: the EXPR of docs/interfaces.md, section 2.
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

/// The byte range of a text in which something is written.
struct Place {
  std::size_t begin = 0, end = 0;
  bool operator==(const Place&) const = default;
};

/// JSON that is no expression.
struct ExpressionError : std::runtime_error {
  ExpressionError(std::string path, std::string what_expected, std::optional<nlohmann::json> what_found);
  std::string where;  ///< the path to what is wrong: "args.[1].op"; empty: the whole
  std::string expected;
  std::optional<nlohmann::json> found;  ///< nothing where a field is missing
};

/// An expression. It never changes, so copies share their tree.
class Expression {
 public:
  /// `?`, which no name is: it stands where an expression couldn't be read.
  Expression();
  Expression(Node node);

  const Node& node() const { return *node_; }
  /// The node as one of the types below; null where it is another one.
  template <class Form>
  const Form* as() const;
  /// Where it is written; nothing where that isn't known.
  const std::optional<Place>& at() const;

  /// Throws ExpressionError.
  static Expression read(const nlohmann::json& input);
  nlohmann::json write() const;

  bool operator==(const Expression& other) const;

 private:
  std::shared_ptr<const Node> node_;
};

/// A number, which JSON writes without a fraction where it is `integral`. It has no place.
struct Number {
  double value = 0;
  bool integral = false;
  bool operator==(const Number&) const = default;
};

struct Boolean {
  bool value = false;
  bool operator==(const Boolean&) const = default;
};

/// A text that stands for itself: `f16` in `dtype == f16`.
struct Word {
  std::string text;
  bool operator==(const Word&) const = default;
};

/// A name that is bound to a value, or that stands for a group of tasks: `level1` in `accuracy(level1)`.
struct Name {
  std::string text;
  bool operator==(const Name&) const = default;
};

/// `of.name`
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

/// `-of`
struct Negative {
  Expression of;
  bool operator==(const Negative&) const = default;
};

/// `not of`
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

/// The operator that is written so: `<=`; nothing if there is none.
std::optional<Operator> operator_written(std::string_view word);
std::string_view word(Operator op);
bool is_logic(Operator op);       ///< `and`, `or`
bool is_equality(Operator op);    ///< `==`, `!=`
bool is_comparison(Operator op);  ///< `<`, `==` and their like

struct Binary {
  Operator op = Operator::plus;
  Expression left, right;
  bool operator==(const Binary&) const = default;
};

/// `if condition then then else otherwise`
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

/// Calls `with` on each part of a node, in the order in which they are written.
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

/// The expression with names replaced by expressions. Every other node that has a place gets the place `at`.
Expression replaced(const Expression& expression, const std::map<std::string, Expression>& names,
                    const std::optional<Place>& at);

/// The expression without its places, so that equal ones are equal whatever their layout.
Expression without_places(const Expression& expression);

/// `left + right`, without a place.
Expression added(Expression left, Expression right);

/// The names of which a function is asked, each once: `level1` of `accuracy(level1)`.
std::vector<std::string> names_asked(const Expression& expression, std::string_view function);

/// An expression as text, for messages: `0.7 + 0.3 * min(c.speedup, 1)`.
std::string formula_text(const Expression& expression);

}  // namespace trl::formulas
