// The power analysis of a study before it runs: the effects that its numbers of tasks, samples and seeds can
// detect, by the statistics that the report uses.
#pragma once
#include <optional>

#include "base/statistics/power.hpp"
#include "language/elaboration/designs.hpp"

namespace trl::language {

/// The comparison behind a hypothesis about a share, such as the share of correct answers, for a design that
/// hasn't run. The variances come from the pilot study (base/statistics/pilot.hpp).
struct PlannedComparison {
  statistics::StudySize size;
  statistics::Question question;
  statistics::Certainty certainty;

  /// Whether the standard error can be estimated at all: there must be several seeds, or enough interactions
  /// of factors whose variation can be used as the error.
  bool decidable() const;
  double standard_error() const;
  /// The smallest difference of shares that the design detects with the power and the significance level in
  /// `certainty`; nothing if the error can't be estimated.
  std::optional<double> detectable() const;
  /// The cheapest numbers of seeds (at most 20) and of samples (at most 32) that detect an effect with the
  /// same tasks. A training run costs as much as 2,000 samples.
  std::optional<statistics::StudySize> size_for(double effect) const;
};

/// The planned comparison for a hypothesis. `contrast` is a factor's name or path; if it is empty, the mean
/// of all cells is compared with the control in `against`, or with `one_cell` one cell with another row.
/// `controls` is the experiment's number of controls, whose runs, like the cells' runs, show how much runs
/// vary. A null `design` stands for a single cell.
/// Returns nothing if the design doesn't vary the contrast.
std::optional<PlannedComparison> planned_comparison(const Design* design, const std::string& contrast,
                                                    std::size_t controls = 0, bool one_cell = false);

}  // namespace trl::language
