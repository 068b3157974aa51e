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

/// The effort to decide a hypothesis with 80 % power, estimated from the study's own variances.
struct Deciding {
  double effect = 0;        ///< the smallest effect that matters, or the one that was found
  bool runs_known = false;  ///< whether several seeds tell how much runs vary; if not, the rest is 0
  std::size_t seeds = 0, samples = 0;  ///< 0 if no number up to 20 seeds of 32 samples would do
  double hours = 0;           ///< of machine time for all rows that are compared, as their stages took it
  std::optional<double> usd;  ///< at the price of the experiment's machine
};

/// The result of a hypothesis.
struct HypothesisResult {
  std::string name;
  statistics::Expectation expectation = statistics::Expectation::greater;
  Comparison comparison;
  Column metric;
  double alpha = 0.05;
  std::optional<double> smallest_effect;  ///< as it is written: of shares in shares, otherwise relative
  std::optional<Difference> difference;
  std::string refusal;  ///< why its rows can't be compared; empty if they can
  statistics::Decision decision;
  std::size_t family = 0;  ///< the hypotheses over which p-values are adjusted
  std::optional<Deciding> deciding;

  /// How sure a test of this hypothesis among its family is planned to be, at 80 % power.
  statistics::Certainty certainty() const;
  std::string verdict() const { return std::string(statistics::name_of(decision.verdict)); }
};

/// The expectation of a declared hypothesis; `greater` where it says nothing.
statistics::Expectation expectation_of(const nlohmann::json& hypothesis);

/// The comparison of a declared hypothesis. Throws UserError if the plan hasn't that factor or control.
Comparison comparison_of(const nlohmann::json& hypothesis, const Plan& plan);

/// Tests the hypotheses about one experiment, which are one family (Holm): pairs of name and declaration.
std::vector<HypothesisResult> test_hypotheses(
    const std::vector<std::pair<std::string, nlohmann::json>>& hypotheses, const Inference& inference,
    const nlohmann::json& experiment);

/// A comparison, and its difference in each column.
struct Effect {
  Comparison comparison;  ///< without pairs if it changes nothing on this machine
  std::vector<std::optional<Difference>> differences;  ///< one for each column
  /// The hypotheses that declare it before the run; an effect without one is exploratory.
  std::vector<std::string> declared;
};
std::vector<Effect> effects_of(const std::vector<Column>& columns, const Inference& inference,
                               const std::vector<HypothesisResult>& hypotheses);

/// "+3.1", "-0.2": a difference in the column's unit; of a factor "x1.05".
std::string difference_text(const Column& column, double value);
/// "[-2.0, +8.3]", with † if it is about these training runs only; empty without an interval.
std::string interval_text(const Column& column, const Difference& difference);
/// "+3.1 [-2.0, +8.3]".
std::string difference_text(const Column& column, const Difference& difference);
/// The unit of a difference: " points" for shares.
std::string difference_unit(const Column& column);

nlohmann::json as_json(const HypothesisResult& result);

}  // namespace trl::interpreter
