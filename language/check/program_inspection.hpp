// The input of the rules that check a program's file as a whole.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "language/diagnostics/rule.hpp"
#include "language/elaboration/value.hpp"
#include "language/modules/module.hpp"
#include "language/modules/options.hpp"

namespace trl::language {

class ProgramInspection {
 public:
  const Module& program;
  const std::map<std::string, std::vector<SuiteTask>>& suites;
  const CheckOptions& options;
  /// Whether all references to declarations are known. If not, a misspelt name or text that couldn't be
  /// parsed may refer to a declaration that seems unused.
  bool references_known = true;

  ProgramInspection(const Module& module, const std::map<std::string, std::vector<SuiteTask>>& all_suites,
                    const CheckOptions& o)
      : program(module), suites(all_suites), options(o) {}

  /// Reports a finding, unless the declaration `subject` has an `allow` of its rule.
  void report(Diagnostic diagnostic, const ast::Declaration& subject) {
    bool allowed = false;
    const auto visit = [&](const std::vector<ast::Allow>& allows) {
      for (const ast::Allow& allow : allows)
        if (allow.rule == diagnostic.rule) {
          used.push_back(&allow);
          allowed = true;
        }
    };
    visit(subject.allows);
    if (subject.block) visit(subject.block->allows);
    if (!allowed) diagnostics.push_back(std::move(diagnostic));
  }

  std::vector<Diagnostic> diagnostics;
  std::vector<const ast::Allow*> used;
};

}  // namespace trl::language
