// The condition of `where(tasks, condition)`, which selects tasks by their properties.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/formulas/expression.hpp"
#include "language/ast/ast.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/elaboration/value.hpp"

namespace trl::language {

class Condition {
 public:
  /// Reads a condition such as `operators <= 3 and has(matmul)`. Words in it (`dtype == f16`, `suite ==
  /// level2`, `name == relu`) must be property values of some of the tasks. If the condition is wrong,
  /// reports diagnostics and returns nothing.
  static std::optional<Condition> read(const ast::Expr& e, const std::vector<const SuiteTask*>& tasks,
                                       const std::function<void(Diagnostic)>& report);

  bool holds(const SuiteTask& task) const;
  bool names(const std::string& property) const { return properties_.contains(property); }
  /// Returns "`operators` goes from 2 to 8 there" for each numeric property that the condition names. The
  /// text explains to the user why no task may satisfy the condition.
  std::string spread(const std::vector<const SuiteTask*>& tasks) const;

 private:
  formulas::Expression body_;
  std::set<std::string> properties_;
};

}  // namespace trl::language
