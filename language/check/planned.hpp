// The comparison that a hypothesis will be decided by, for the rules that ask what a design can find.
#pragma once
#include <optional>
#include <string>

#include "language/check/inspection.hpp"
#include "language/estimate/power.hpp"
#include "language/modules/slow_answers.hpp"

namespace trl::language {

/// The comparison behind a hypothesis, with the experiment's numbers of tasks, samples and seeds, and the
/// certainty that all hypotheses about it together leave it; nothing where a part of it isn't known.
std::optional<PlannedComparison> planned_for(const Inspection& inspection, const Resolved& hypothesis);

/// Whether a metric is a share, of which alone it is known before a run what it varies by.
bool of_share(const Value& metric);

/// The question of an effect of this size (a share) to a planned comparison, by all that its answer depends
/// on.
SlowAnswers::Question power_question(std::string what, const PlannedComparison& planned, double effect);

}  // namespace trl::language
