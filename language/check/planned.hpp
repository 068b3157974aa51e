// The comparison of rows that will decide a hypothesis, for rules about the effects that a design can detect.
#pragma once
#include <optional>
#include <string>

#include "language/check/inspection.hpp"
#include "language/estimate/power.hpp"
#include "language/modules/slow_answers.hpp"

namespace trl::language {

/// Returns the comparison behind a hypothesis, with the experiment's numbers of tasks, samples and seeds, and
/// with the hypothesis's significance level, adjusted for its looks and for all hypotheses about the
/// experiment. Nothing if one of these isn't known, or if the design has no such comparison.
std::optional<PlannedComparison> planned_for(const Inspection& inspection, const Resolved& hypothesis);

/// Whether a metric is a share. Only for shares is the variance known before a run.
bool of_share(const Value& metric);

/// Returns the question `what` (the name of the rule that asks it) about an effect of this size (a share) in
/// a planned comparison, with all the values on which its answer depends.
SlowAnswers::Question power_question(std::string what, const PlannedComparison& planned, double effect);

}  // namespace trl::language
