// The comparison of rows that will decide a hypothesis, for rules about the effects that a design can detect.
#pragma once
#include <optional>
#include <string>

#include "language/check/inspection.hpp"
#include "language/estimate/power.hpp"
#include "language/modules/slow_answers.hpp"

namespace trl::language {

/// Returns the comparison behind a hypothesis, with the experiment's numbers of tasks, samples and seeds. Its
/// significance level is the hypothesis' own, made stricter for its looks and for all hypotheses about the
/// experiment. Nothing if the design doesn't vary the contrast, or if a field that is read isn't known or has
/// an error.
std::optional<PlannedComparison> planned_for(const Inspection& inspection, const Resolved& hypothesis);

/// Whether a metric is a share. Only for shares is the variance known before a run.
bool of_share(const Value& metric);

/// Returns the key of a question about a planned comparison: the kind of question, `what`, and all values on
/// which its answer depends. `effect` is the size (a share) of the effect that the question is about, 0 if it
/// is about none.
SlowAnswers::Question power_question(std::string what, const PlannedComparison& planned, double effect);

}  // namespace trl::language
