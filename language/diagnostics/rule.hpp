// The definition of a rule. Each rule has a file in check/, except for the rules that the checker's passes
// report (pass_rules.hpp). check/rules.def lists all rules.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "language/diagnostics/diagnostic.hpp"

namespace trl::language {

class Inspection;
class ProgramInspection;

struct Rule {
  std::string_view id;
  Severity severity = Severity::error;
  /// Whether `allow(id, "reason")` in a program may silence the rule. A rule that can't be silenced protects
  /// the meaning: a program that breaks the rule has none.
  bool allowable = false;
  /// Why the rule exists, in one sentence.
  std::string_view reason;
  /// Two example programs: `good` follows the rule and `bad` breaks it. The tests check both. `bad` is an
  /// empty line if no single file can break the rule.
  std::string_view good, bad;
  /// Checks one resolved experiment; null for a rule that an earlier pass of the checker reports.
  void (*check)(Inspection&) = nullptr;
  /// Checks the program's file as a whole. Called only if no other rule reports an error; null for a rule
  /// that checks experiments or that a pass reports.
  void (*check_program)(ProgramInspection&) = nullptr;
};

/// All rules, in the order of check/rules.def.
const std::vector<const Rule*>& all_rules();
const Rule* find_rule(std::string_view id);

/// Makes a diagnostic with the id and the severity of a rule.
Diagnostic found(const Rule& rule, Range range, std::string message);

/// Declares a rule in `namespace rules`. A file that defines or reports the rule needs this at its head.
#define DECLARE_RULE(id) \
  namespace rules {      \
  extern const Rule id;  \
  }

}  // namespace trl::language
