// The rules that the checker's passes report, from reading the text to resolving the program.
// check/found_by_passes.cpp defines them.
#pragma once

#include "language/diagnostics/rule.hpp"

namespace trl::language::rules {

extern const Rule allow_unknown_rule, contrast_not_varied, design, duplicate_name, duplicate_task,
    empty_difference, empty_list, empty_split, import_cycle, misplaced, missing_field, out_of_range,
    range_outside_suite, reference_cycle, sample_too_large, syntax, task_type, unknown_field, unknown_import,
    unknown_kind, unknown_name, unreadable, unread_tasks, unused_allow, unused_override, varied_exam,
    wrong_type, wrong_unit;

}  // namespace trl::language::rules
