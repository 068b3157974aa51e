// The definition of a rule. check/ has a file for each rule, but for those that the passes find
// (pass_rules.hpp); check/rules.def lists all.
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
  /// Whether `allow(id, "reason")` may silence it. A program that breaks any other rule has no meaning.
  bool allowable = false;
  /// Why the rule exists, in one sentence.
  std::string_view reason;
  /// Two whole files: `good` keeps the rule and `bad` breaks it. The tests check both. `bad` is an empty line
  /// where one file can't break the rule.
  std::string_view good, bad;
  /// Checks one resolved experiment; null for a rule that an earlier pass of the checker reports.
  void (*check)(Inspection&) = nullptr;
  /// Checks the program's file as a whole, once no other rule reports an error.
  void (*check_program)(ProgramInspection&) = nullptr;
};

/// Every rule, by id.
const std::vector<const Rule*>& all_rules();
const Rule* find_rule(std::string_view id);

/// A diagnostic of a rule.
Diagnostic found(const Rule& rule, Range range, std::string message);

/// Declares a rule of `namespace rules`, at the head of a file that defines or reports it.
#define DECLARE_RULE(id) \
  namespace rules {      \
  extern const Rule id;  \
  }

}  // namespace trl::language
