// Hypotheses and effects: differences between rows, and the verdicts on them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/statistics/decision.hpp"
#include "interpreter/report/comparison.hpp"
#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

/// The size and cost of a study that would decide a hypothesis with 80 % power, estimated from this study's
/// variances.
struct Deciding {
  double effect = 0;  ///< the effect to detect: the smallest effect that matters to the hypothesis, or else
                      ///< the effect that was found
  bool runs_known = false;  ///< whether there are several seeds, which show the variance between runs; if
                            ///< not, the following fields are 0
  std::size_t seeds = 0, samples = 0;  ///< the numbers needed; 0 if even 20 seeds of 32 samples are too few
  double hours = 0;  ///< the machine time for all compared rows, by the seconds that their stages took
  std::optional<double> usd;  ///< the cost at the price of the experiment's machine; nothing without a price
};

/// The result of a hypothesis.
struct HypothesisResult {
  std::string name;
  statistics::Expectation expectation = statistics::Expectation::greater;
  Comparison comparison;
  Column metric;
  double alpha = 0.05;
  std::size_t looks = 1;  ///< how often the study may be looked at; each look is judged at alpha / looks
  std::optional<double> smallest_effect;  ///< the declared smallest effect: a difference of shares for a
                                          ///< share, otherwise relative
  std::optional<Difference> difference;
  std::string refusal;  ///< the reason why the hypothesis' rows can't be compared; empty if they can
  /// For the expectation `same` and for the verdict `equivalent`: an interval that lies within ± the smallest
  /// effect exactly if the two one-sided tests succeed. Its confidence is 90 % for one hypothesis at alpha 5
  /// %.
  std::optional<Interval> deciding_interval;
  double deciding_confidence = 0;
  /// The number of pairs of the comparison whose two rows gave the same answers under every seed. If this is
  /// so for all pairs, the hypothesis is inert. If it is so for some, the whole effect comes from the other
  /// pairs, so it is an interaction with the settings by which the pairs differ.
  int twins = 0;
  bool modelled = false;  ///< whether the metric depends on kernel times that are modelled
  statistics::Decision decision;
  std::size_t family = 0;  ///< the number of hypotheses over which p-values are adjusted
  std::optional<Deciding> deciding;

  /// The significance level and the power (80 %) for which a test of this hypothesis is planned, given the
  /// size of its family.
  statistics::Certainty certainty() const;
  /// Whether the compared rows are the same, or gave the same answers.
  bool inert() const { return twins == static_cast<int>(comparison.pairs.size()); }
  std::string verdict() const { return std::string(statistics::name_of(decision.verdict)); }
  /// The verdict with the qualification that a reader must not miss: "supported, wholly as an interaction".
  std::string headline() const;
  /// The metric's title, which says whether its times are modelled: "modelled speedup".
  std::string measure() const { return (modelled ? "modelled " : "") + metric.title; }
};

/// Whether a difference is wholly an interaction. In `twins` of the pairs, both rows gave the same answers
/// under every seed. If there are such pairs and others, the whole difference comes from the others.
inline bool wholly_interaction(int twins, std::size_t pairs) {
  return twins > 0 && twins < static_cast<int>(pairs);
}

/// The expectation of a declared hypothesis; `greater` if none is declared.
statistics::Expectation expectation_of(const nlohmann::json& hypothesis);

/// How often a declared hypothesis may be looked at; 1 if it doesn't say.
std::size_t looks_of(const nlohmann::json& hypothesis);

/// The comparison of a declared hypothesis. Throws UserError if the plan lacks the factor or control that it
/// names.
Comparison comparison_of(const nlohmann::json& hypothesis, const Plan& plan);

/// Tests the hypotheses about one experiment, given as pairs of name and declaration. Their p-values are
/// adjusted together as one family (Holm).
std::vector<HypothesisResult> test_hypotheses(
    const std::vector<std::pair<std::string, nlohmann::json>>& hypotheses, const Inference& inference,
    const nlohmann::json& experiment);

/// A comparison and its differences in all columns of a table.
struct Effect {
  Comparison comparison;  ///< has no pairs if the compared levels give the same rows on this machine
  /// The difference in each column; nothing if it couldn't be measured.
  std::vector<std::optional<Difference>> differences;
  /// The names of the hypotheses that declare this effect; an effect that no hypothesis declares is
  /// exploratory.
  std::vector<std::string> declared;
  int twins = 0;  ///< the number of pairs whose two rows gave the same answers under every seed
};
std::vector<Effect> effects_of(const std::vector<Column>& columns, const Inference& inference,
                               const std::vector<HypothesisResult>& hypotheses);

/// A difference in the column's unit, such as "+3.1" or "-0.2"; for a column of factors a ratio, such as
/// "x1.05".
std::string difference_text(const Column& column, double value);
/// The interval of a difference: "[-2.0, +8.3]", with † if the interval is about these training runs only.
/// Empty if there is no interval.
std::string interval_text(const Column& column, const Difference& difference);
/// A difference with its interval: "+3.1 [-2.0, +8.3]".
std::string difference_text(const Column& column, const Difference& difference);
/// The unit of a difference: " points" for shares.
std::string difference_unit(const Column& column);

nlohmann::json as_json(const HypothesisResult& result);

}  // namespace trl::interpreter
