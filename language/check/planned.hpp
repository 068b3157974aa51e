// The comparison of rows that will decide a hypothesis, for rules about the effects that a design can detect.
#pragma once
#include <optional>
#include <string>

#include "language/check/inspection.hpp"
#include "language/estimate/power.hpp"
#include "language/modules/slow_answers.hpp"

namespace trl::language {

/// Returns the comparison behind a hypothesis, with the experiment's numbers of tasks, samples and seeds. Its
/// certainty takes the hypothesis's looks and all hypotheses about the experiment into account. Nothing if a
/// part of the comparison isn't known.
std::optional<PlannedComparison> planned_for(const Inspection& inspection, const Resolved& hypothesis);

/// Whether a metric is a share. Only for shares is the variance known before a run.
bool of_share(const Value& metric);

/// Returns the question of the kind `what`, such as a rule's name, about a planned comparison and an effect
/// of this size (a share). It has all the values on which its answer depends.
SlowAnswers::Question power_question(std::string what, const PlannedComparison& planned, double effect);

}  // namespace trl::language
