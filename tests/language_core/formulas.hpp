// Short ways of writing formulas in tests.
#pragma once

#include <string>
#include <type_traits>

#include "base/formulas/expression.hpp"

namespace trl::formulas {

/// A part of a formula, as tests write it: a number, a truth value or another part.
struct Part : Expression {
  Part(Expression e) : Expression(std::move(e)) {}
  template <class Written>
  requires std::is_arithmetic_v<Written> Part(Written value) : Expression(node_of(value)) {}

 private:
  static Node node_of(bool value) { return {Boolean{value}}; }
  static Node node_of(int value) { return {Number{static_cast<double>(value), true}}; }
  static Node node_of(double value) { return {Number{value}}; }
};

inline Expression name(const std::string& text) { return Node{Name{text}}; }

/// c.speedup
inline Expression member(const std::string& of, const std::string& text) {
  return Node{Member{name(of), text}};
}

inline Expression op(const std::string& sign, const Part& a, const Part& b) {
  return Node{Binary{operator_written(sign).value(), a, b}};
}

inline Expression op(const std::string& sign, const Part& a) {
  if (sign == "not") return Node{Negation{a}};
  return Node{Negative{a}};
}

template <typename... Arguments>
Expression call(const std::string& function, const Arguments&... arguments) {
  return Node{Call{function, {Part(arguments)...}}};
}

inline Expression choose(const Part& condition, const Part& then, const Part& otherwise) {
  return Node{Choice{condition, then, otherwise}};
}

/// The same expression, as if it were written at these bytes.
inline Expression placed(const Expression& expression, std::size_t begin, std::size_t end) {
  Node node = expression.node();
  node.at = Place{begin, end};
  return node;
}

/// The example's reward: if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit
inline Expression reward() {
  return choose(member("c", "correct"), op("+", 0.7, op("*", 0.3, call("min", member("c", "speedup"), 1))),
                member("c", "credit"));
}

/// The example's share: 0.1 + 0.4 * min(accuracy(level1) / 0.4, 1)
inline Expression share() {
  return op("+", 0.1, op("*", 0.4, call("min", op("/", call("accuracy", name("level1")), 0.4), 1)));
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace trl::formulas
