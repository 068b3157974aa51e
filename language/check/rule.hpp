// What a rule is. One rule a file in this folder; rules.cpp lists them, one line each.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "language/diagnostic.hpp"

namespace trl::language {

class Inspection;

struct Rule {
  std::string_view id;
  Severity severity = Severity::error;
  /// Whether `allow(id, "reason")` may silence it: a program that breaks the others has no meaning.
  bool allowable = false;
  /// Why it exists, in one sentence.
  std::string_view reason;
  /// Whole files that keep and break it; the tests check both.
  std::string_view good, bad;
  /// Looks at one resolved experiment; null where the passes themselves find it.
  void (*check)(Inspection&) = nullptr;
};

/// Every rule, by id.
const std::vector<const Rule*>& all_rules();
const Rule* find_rule(std::string_view id);

/// A diagnostic of a rule.
Diagnostic found(const Rule& rule, Range range, std::string message);

namespace rules {
extern const Rule allow_unknown_rule, contrast_not_varied, curriculum_share, design, duplicate_name, duplicate_task, empty_split,
    exam_overlap, import_cycle, keep_exceeds_candidates, keeps_incorrect, missing_field, misplaced,
    out_of_range, pretrained_on_exam, range_outside_suite, reference_cycle, reward_range, shares_sum, syntax,
    task_type, truncated_exam, unknown_field, unknown_import, unknown_kind, unknown_name, unreadable,
    unused_allow, unused_override, varied_exam, wrong_type, wrong_unit, zero_denominator;
}

}  // namespace trl::language
