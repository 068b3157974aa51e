// Finds the fields of a record that a formula reads.
#pragma once

#include <set>
#include <string>

#include "base/formulas/expression.hpp"

namespace trl::formulas {

/// Returns the names of the members in the expression: `correct` and `speedup` for
/// `if c.correct then c.speedup else 0`.
inline std::set<std::string> members_read(const Expression& expression) {
  std::set<std::string> names;
  if (const auto* member = expression.as<Member>()) names.insert(member->name);
  each_part(expression.node(), [&](const Expression& part) { names.merge(members_read(part)); });
  return names;
}

}  // namespace trl::formulas
