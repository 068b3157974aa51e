// The definition of a rule. check/ has a file for each rule, but for those that the passes find;
// check/rules.cpp lists all.
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

namespace rules {
extern const Rule allow_unknown_rule, baseline_alone, batch_over_gpus, clip_bounds, context_exceeded,
    contrast_not_varied, control_not_shown, corpus_without_tasks, curriculum_group, curriculum_saturated,
    curriculum_share, degenerate_task, design, duplicate_name, duplicate_seed, duplicate_task,
    empty_difference, empty_list, empty_split, empty_stop, endpoint_address, endpoint_key, endpoint_parameter,
    endpoint_setting, endpoint_training, exam_overlap, failure_pays, feedback_template, framework_refused,
    generations_absent, greedy_candidates, idle_setting, ignores_correctness, import_cycle, imported_partly,
    imported_results, keep_exceeds_candidates, keeps_incorrect, language_unseen, lone_seed, lora_targets,
    memory_exceeded, misplaced, missing_field, missing_margin, missing_weights, module_patterns,
    no_filter_control, no_plan, nothing_trained, other_protocol, out_of_range, plot_without_data,
    precision_refused, pretrained_on_exam, prompt_template, quantized_training, range_outside_suite,
    reference_cycle, reward_range, sample_too_large, second_baseline, shares_sum, steps_against_epochs,
    syntax, task_type, too_few_samples, too_few_steps, too_few_tasks, truncated_exam, tuned_on_exam,
    turn_not_taken, turns_exceed_context, underpowered, unequal_control, unjudged_tasks, unknown_field,
    unknown_import, unknown_kind, unknown_name, unlike_control, unreachable_min_reward, unread_tasks,
    unreadable, unused_allow, unused_declaration, unused_dimension, unused_override, varied_exam,
    warmup_too_long, wrong_type, wrong_unit, zero_denominator;
/// Reports find what breaks this one; the checker knows that it may be allowed.
extern const Rule mixed_hardware;
}  // namespace rules

}  // namespace trl::language
