#include "language/estimate/power.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/statistics/factorial.hpp"
#include "base/statistics/pilot.hpp"

namespace trl::language {
namespace {

statistics::Components planned() { return statistics::pilot().components; }

/// Returns how many contrasts of a design of two-level factors stand for an effect's error with one seed: the
/// contrasts of more factors. Supposes that all factors act from the first training run on; cells that share
/// runs have fewer. 0 for other designs.
std::size_t pooled_contrasts(const Design& design) {
  if (design.cells.size() < 2) return 0;
  for (const auto& factor : design.factors)
    if (factor.levels.size() != 2) return 0;
  const std::size_t contrasts = design.cells.size() - 1;
  return contrasts > design.factors.size() ? contrasts - design.factors.size() : 0;
}

}  // namespace

bool PlannedComparison::decidable() const {
  return size.seeds > 1 || question.pooled_contrasts >= statistics::fewest_pooled;
}

double PlannedComparison::standard_error() const {
  return std::sqrt(statistics::planned_variance(planned(), size, question).value);
}

std::optional<double> PlannedComparison::detectable() const {
  if (!decidable()) return std::nullopt;
  return statistics::smallest_detectable(planned(), size, question, certainty);
}

std::optional<statistics::StudySize> PlannedComparison::size_for(double effect) const {
  const auto found =
      statistics::cheapest_plan(planned(), {size.tasks, statistics::most_seeds, statistics::most_samples},
                                question, statistics::usual_prices, effect, certainty);
  return found ? std::optional(found->size) : std::nullopt;
}

std::optional<PlannedComparison> planned_comparison(const Design* design, const std::string& contrast,
                                                    std::size_t controls, bool one_cell) {
  PlannedComparison out;
  const std::size_t cells = design == nullptr ? 1 : std::max<std::size_t>(1, design->cells.size());
  // All cells and controls stand for the variance between runs (spread_by_runs).
  out.question.runs_freedom = static_cast<double>(std::max<std::size_t>(1, cells + controls - 1));
  if (one_cell) return out;
  if (contrast.empty()) {  // the mean of the cells with one control
    out.question.squared_coefficients = 1.0 / static_cast<double>(cells) + 1;
    out.question.rows = cells + 1;
    return out;
  }
  if (design == nullptr) return std::nullopt;
  const std::string last = contrast.substr(contrast.rfind('.') + 1);
  for (std::size_t i = 0; i < design->factors.size(); ++i) {
    const Factor& factor = design->factors[i];
    const bool this_one = factor.extension != nullptr ? factor.extension->name == last
                                                      : std::find(factor.paths.begin(), factor.paths.end(),
                                                                  contrast) != factor.paths.end();
    if (!this_one) continue;
    std::size_t first = 0, other = 0;
    for (const auto& cell : design->cells) {
      first += cell[i] == 0;
      other += cell[i] + 1 == factor.levels.size();
    }
    if (first == 0 || other == 0) return std::nullopt;
    out.question.squared_coefficients = 1.0 / static_cast<double>(first) + 1.0 / static_cast<double>(other);
    out.question.rows = first + other;
    out.question.pooled_contrasts = pooled_contrasts(*design);
    return out;
  }
  return std::nullopt;
}

}  // namespace trl::language
