// The condition of `where(tasks, condition)`: the properties of a task that it can use, and whether it holds.
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
  /// Reads `operators <= 3 and has(matmul)`. Words (`dtype == f16`, `suite == level2`, `name == relu`) must
  /// occur among the tasks. Returns nothing, after diagnostics, when the condition is wrong.
  static std::optional<Condition> read(const ast::Expr& e, const std::vector<const SuiteTask*>& tasks,
                                       const std::function<void(Diagnostic)>& report);

  bool holds(const SuiteTask& task) const;
  bool names(const std::string& property) const { return properties_.contains(property); }
  /// "`operators` goes from 2 to 8" for each property that the condition names. It explains why no task may
  /// satisfy it.
  std::string spread(const std::vector<const SuiteTask*>& tasks) const;

 private:
  formulas::Expression body_;
  std::set<std::string> properties_;
};

}  // namespace trl::language
