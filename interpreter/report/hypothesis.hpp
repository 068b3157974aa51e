#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interpreter/report/comparison.hpp"
#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// What an experiment says of a hypothesis: the mean difference between what it compares.
struct HypothesisResult {
  std::string name, expect;
  Comparison comparison;
  Column metric;
  std::optional<Contrast> difference;
  std::optional<double> detectable;  ///< the smallest effect that this size can find
  /// supported: the interval lies on the side expected; refuted: on the other; undecided: 0 is in it; inert:
  /// what is compared is the same on this machine.
  std::string verdict;
};

HypothesisResult test_hypothesis(const std::string& name, const nlohmann::json& hypothesis,
                                 const Evidence& evidence);

/// Mean over the pairs of metric(first) − metric(second).
std::optional<Contrast> effect_of(const Comparison& comparison, const Column& metric,
                                  const Evidence& evidence);

/// One comparison, and what it comes to in each column that has a spread.
struct Effect {
  Comparison comparison;                           ///< without pairs where it changes nothing on this machine
  std::vector<std::optional<Contrast>> contrasts;  ///< one a column of effect_columns
};
/// The columns whose contrasts have intervals: shares and factors.
std::vector<Column> effect_columns(const std::vector<Column>& columns);
std::vector<Effect> effects_of(const std::vector<Column>& columns, const Evidence& evidence);

/// "+3.1", "-0.2": a difference in the column's unit.
std::string difference_text(const Column& column, double value);
/// "+3.1 [-2.0, +8.3]".
std::string difference_text(const Column& column, const Contrast& contrast);
/// " points" for shares.
std::string difference_unit(const Column& column);

nlohmann::json as_json(const HypothesisResult& result);

}  // namespace trl::interpreter
