#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interpreter/report/comparison.hpp"
#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// The result of a hypothesis: the mean difference between the rows that it compares.
struct HypothesisResult {
  std::string name, expect;
  Comparison comparison;
  Column metric;
  std::optional<Contrast> difference;
  std::optional<double> detectable;  ///< the smallest effect that a study of this size can find
  /// supported: the interval lies on the expected side of 0; refuted: it lies on the other side; undecided:
  /// it contains 0; inert: the compared rows are the same on this machine.
  std::string verdict;
};

HypothesisResult test_hypothesis(const std::string& name, const nlohmann::json& hypothesis,
                                 const Evidence& evidence);

/// The mean over the pairs of metric(first) − metric(second).
std::optional<Contrast> effect_of(const Comparison& comparison, const Column& metric,
                                  const Evidence& evidence);

/// A comparison, and its contrast in each column that has intervals.
struct Effect {
  Comparison comparison;                           ///< without pairs if it changes nothing on this machine
  std::vector<std::optional<Contrast>> contrasts;  ///< one for each column of effect_columns
};
/// The columns whose contrasts have intervals: shares and factors.
std::vector<Column> effect_columns(const std::vector<Column>& columns);
std::vector<Effect> effects_of(const std::vector<Column>& columns, const Evidence& evidence);

/// "+3.1", "-0.2": a difference in the column's unit.
std::string difference_text(const Column& column, double value);
/// "+3.1 [-2.0, +8.3]".
std::string difference_text(const Column& column, const Contrast& contrast);
/// The unit of a difference: " points" for shares.
std::string difference_unit(const Column& column);

nlohmann::json as_json(const HypothesisResult& result);

}  // namespace trl::interpreter
