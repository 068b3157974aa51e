#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// What an experiment says of a hypothesis: the mean difference between cells with and without an extension,
/// over all pairs of distinct cells that are otherwise alike.
struct HypothesisResult {
  std::string name, contrast, expect;
  Column metric;
  int pairs = 0;
  std::optional<Contrast> difference;
  std::optional<double> detectable;  ///< the smallest effect that this size can find
  /// supported: the interval lies on the side expected; refuted: on the other; undecided: 0 is in it; inert:
  /// the extension changes nothing on this machine.
  std::string verdict;
};

HypothesisResult test_hypothesis(const std::string& name, const nlohmann::json& hypothesis,
                                 const Evidence& evidence);

/// Pairs (with, without) of rows, by number; cells folded into one count once.
std::vector<std::pair<std::size_t, std::size_t>> matching_pairs(const Plan& plan,
                                                                const std::string& extension);

/// Mean over pairs of distinct cells of metric(with the extension) − metric(without).
std::optional<Contrast> effect_of(const std::string& extension, const Column& metric,
                                  const Evidence& evidence);

/// One extension under study, and what it changes in each column that has a spread.
struct Effect {
  std::string extension;
  int pairs = 0;                                   ///< 0 where it changes nothing on this machine
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
