#include "language/check/rule.hpp"

namespace trl::language {

const std::vector<const Rule*>& all_rules() {
  // clang-format off
  static const std::vector<const Rule*> all = {
      &rules::allow_unknown_rule,
      &rules::contrast_not_varied,
      &rules::curriculum_share,
      &rules::design,
      &rules::duplicate_name,
      &rules::duplicate_task,
      &rules::empty_split,
      &rules::exam_overlap,
      &rules::import_cycle,
      &rules::keep_exceeds_candidates,
      &rules::keeps_incorrect,
      &rules::misplaced,
      &rules::missing_field,
      &rules::out_of_range,
      &rules::pretrained_on_exam,
      &rules::range_outside_suite,
      &rules::reference_cycle,
      &rules::reward_range,
      &rules::shares_sum,
      &rules::syntax,
      &rules::task_type,
      &rules::truncated_exam,
      &rules::unknown_field,
      &rules::unknown_import,
      &rules::unknown_kind,
      &rules::unknown_name,
      &rules::unreadable,
      &rules::unused_allow,
      &rules::unused_override,
      &rules::varied_exam,
      &rules::wrong_type,
      &rules::wrong_unit,
      &rules::zero_denominator,
  };
  // clang-format on
  return all;
}

const Rule* find_rule(std::string_view id) {
  for (const Rule* rule : all_rules())
    if (rule->id == id) return rule;
  return nullptr;
}

Diagnostic found(const Rule& rule, Range range, std::string message) {
  return {std::string(rule.id), rule.severity, std::move(message), range, {}, "", {}};
}

}  // namespace trl::language
