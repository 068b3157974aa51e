// Power analysis: the effects that a study can detect, and the size and cost of a study that detects smaller
// effects. It uses the study's results, or assumptions before the study is run.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/statistics/power.hpp"
#include "interpreter/report/hypothesis.hpp"

namespace trl::interpreter {

/// The size of an experiment: the number of its exam's tasks, of seeds in each row, and of samples of each
/// task.
statistics::StudySize size_of(const nlohmann::json& experiment);

/// The size and cost of a study that would decide an undecided hypothesis about a share, by the variances of
/// the compared rows and the seconds that their stages took. Nothing for columns that aren't shares, and if
/// there is neither a declared smallest effect nor a measured effect.
std::optional<Deciding> deciding(const HypothesisResult& result, const Inference& inference,
                                 const nlohmann::json& experiment);

/// The source of the variances for a planned comparison.
enum class VariancesOf {
  its_rows,  ///< the comparison's own rows, which are finished
  others,    ///< other comparisons of the experiment whose rows are finished
  pilot      ///< the pilot study (base/statistics/pilot.hpp)
};

/// The effect that a study can detect in one comparison, and the size and cost of a study that detects an
/// effect of a wanted size.
struct PlannedEffect {
  Comparison comparison;
  std::vector<std::string> hypotheses;  ///< the names of the hypotheses that declare this comparison
  VariancesOf variances_of = VariancesOf::pilot;
  statistics::Components components;  ///< the variance components of the comparison's contrast
  /// For the planned size; `squared_coefficients` is 1, since `components` already contain the squared
  /// coefficients.
  statistics::Question question;
  /// Nothing if there is one seed and too few interactions estimate the error.
  std::optional<double> standard_error, detectable;
  std::optional<double> measured_error;         ///< the standard error in the finished rows
  double wanted = 0;                            ///< the effect to detect, as a share
  bool declared = false;                        ///< whether a hypothesis declares `wanted`
  std::optional<statistics::PricedPlan> would;  ///< the cheapest study that detects `wanted`; nothing if no
                                                ///< numbers of seeds and samples do on these tasks
  std::optional<double> hours;  ///< the machine time of that study; known if stages of the rows were run
};

/// The effect, as a share, for which a study is planned if the command names none and no hypothesis declares
/// one.
constexpr double usual_effect = 0.05;

/// The settings of the command `trl power`.
struct PowerRequest {
  statistics::StudySize size;        ///< the planned size; a number that is 0 means the experiment's own
  std::optional<double> effect;      ///< the effect to detect if a hypothesis declares no smallest effect; 5
                                     ///< percentage points by default
  double power = 0.8, alpha = 0.05;  ///< `alpha` counts if a hypothesis declares none
  std::string metric = "correct";
};

/// The size of the planned study: the request's numbers, or else the experiment's.
statistics::StudySize planned_size(const nlohmann::json& experiment, const PowerRequest& request);

/// The planned effects of every comparison of an experiment; comparisons that hypotheses declare come first.
/// A row counts as finished only if the store has all of its stages.
std::vector<PlannedEffect> planned_effects(
    const std::vector<std::pair<std::string, nlohmann::json>>& hypotheses, const Inference& inference,
    const nlohmann::json& experiment, const PowerRequest& request);

}  // namespace trl::interpreter
