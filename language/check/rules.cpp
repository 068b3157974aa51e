#include "language/diagnostics/rule.hpp"

namespace trl::language {

const std::vector<const Rule*>& all_rules() {
  // clang-format off
  static const std::vector<const Rule*> all = {
      &rules::allow_unknown_rule,
      &rules::baseline_alone,
      &rules::batch_over_gpus,
      &rules::clip_bounds,
      &rules::context_exceeded,
      &rules::contrast_not_varied,
      &rules::control_not_shown,
      &rules::corpus_without_tasks,
      &rules::curriculum_group,
      &rules::curriculum_saturated,
      &rules::curriculum_share,
      &rules::degenerate_task,
      &rules::design,
      &rules::duplicate_name,
      &rules::duplicate_seed,
      &rules::duplicate_task,
      &rules::empty_difference,
      &rules::empty_list,
      &rules::empty_split,
      &rules::empty_stop,
      &rules::endpoint_address,
      &rules::endpoint_key,
      &rules::endpoint_parameter,
      &rules::endpoint_setting,
      &rules::endpoint_training,
      &rules::exam_overlap,
      &rules::failure_pays,
      &rules::feedback_template,
      &rules::framework_refused,
      &rules::generations_absent,
      &rules::greedy_candidates,
      &rules::idle_setting,
      &rules::ignores_correctness,
      &rules::import_cycle,
      &rules::imported_partly,
      &rules::imported_results,
      &rules::keep_exceeds_candidates,
      &rules::keeps_incorrect,
      &rules::language_unseen,
      &rules::lone_seed,
      &rules::lora_targets,
      &rules::memory_exceeded,
      &rules::misplaced,
      &rules::missing_field,
      &rules::missing_margin,
      &rules::missing_weights,
      &rules::mixed_hardware,
      &rules::module_patterns,
      &rules::no_filter_control,
      &rules::no_plan,
      &rules::nothing_trained,
      &rules::other_protocol,
      &rules::out_of_range,
      &rules::plot_without_data,
      &rules::precision_refused,
      &rules::pretrained_on_exam,
      &rules::prompt_template,
      &rules::quantized_training,
      &rules::range_outside_suite,
      &rules::reference_cycle,
      &rules::reward_range,
      &rules::sample_too_large,
      &rules::second_baseline,
      &rules::shares_sum,
      &rules::steps_against_epochs,
      &rules::syntax,
      &rules::task_type,
      &rules::too_few_samples,
      &rules::too_few_steps,
      &rules::too_few_tasks,
      &rules::truncated_exam,
      &rules::tuned_on_exam,
      &rules::turn_not_taken,
      &rules::turns_exceed_context,
      &rules::underpowered,
      &rules::unequal_control,
      &rules::unlike_control,
      &rules::unknown_field,
      &rules::unknown_import,
      &rules::unknown_kind,
      &rules::unknown_name,
      &rules::unreachable_min_reward,
      &rules::unjudged_tasks,
      &rules::unread_tasks,
      &rules::unreadable,
      &rules::unused_allow,
      &rules::unused_declaration,
      &rules::unused_dimension,
      &rules::unused_override,
      &rules::varied_exam,
      &rules::warmup_too_long,
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
