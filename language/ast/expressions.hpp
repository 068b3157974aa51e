// Visits the expressions of declarations.
#pragma once
#include "language/ast/ast.hpp"

namespace trl::language::ast {

template <typename Visit>
void each_expression(const Declaration& declaration, const Visit& visit);

/// Calls `visit` with each value of a block, and of the blocks and declarations in it. Parts of values are
/// not visited by themselves.
template <typename Visit>
void each_expression(const Block& block, const Visit& visit) {
  for (const Item& item : block.items) {
    if (item.value) visit(*item.value);
    if (item.block) each_expression(*item.block, visit);
  }
  for (const Declaration& declaration : block.declarations) each_expression(declaration, visit);
}

template <typename Visit>
void each_expression(const Declaration& declaration, const Visit& visit) {
  if (declaration.value) visit(*declaration.value);
  if (declaration.block) each_expression(*declaration.block, visit);
}

/// Calls `visit` with an expression and all of its parts.
template <typename Visit>
void each_part(const Expr& e, const Visit& visit) {
  visit(e);
  for (const Expr& part : e.args) each_part(part, visit);
  for (const Argument& argument : e.arguments) each_part(argument.value, visit);
}

}  // namespace trl::language::ast
