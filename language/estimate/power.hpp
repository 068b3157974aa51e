// The effects that a design of tasks, samples and seeds can find, planned before the run by the statistics
// with which the report judges it.
#pragma once
#include <optional>

#include "base/statistics/power.hpp"
#include "language/elaboration/designs.hpp"

namespace trl::language {

/// The comparison of a hypothesis about a share, in a design that hasn't run. Its variances come from the
/// pilot study (base/statistics/pilot.hpp).
struct PlannedComparison {
  statistics::StudySize size;
  statistics::Question question;
  statistics::Certainty certainty;

  /// Whether an error can be told at all: several seeds, or enough interactions that stand for one.
  bool decidable() const;
  double standard_error() const;
  /// The smallest difference of shares that the design finds so surely.
  std::optional<double> detectable() const;
  /// The fewest seeds and samples over these tasks that find an effect, up to 20 and 32; a run counts as much
  /// as 2,000 samples.
  std::optional<statistics::StudySize> size_for(double effect) const;
};

/// The comparison of a hypothesis' `contrast` (a factor's name or path; empty for `against`, with the mean of
/// all cells) in an experiment's design; null for one cell. Nothing where the design doesn't vary it.
std::optional<PlannedComparison> planned_comparison(const Design* design, const std::string& contrast);

}  // namespace trl::language
