// The effects that a study can find, and the effort to find smaller ones: from its own results, or before it
// is run.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/statistics/power.hpp"
#include "interpreter/report/hypothesis.hpp"

namespace trl::interpreter {

/// The number of tasks of an experiment's exam, its seeds a row and samples a task.
statistics::StudySize size_of(const nlohmann::json& experiment);

/// The effort to decide an undecided hypothesis about a share, from the variances of the rows that it
/// compares and the seconds that their stages took. Nothing for other columns, and where no effect is named
/// or found.
std::optional<Deciding> deciding(const HypothesisResult& result, const Inference& inference,
                                 const nlohmann::json& experiment);

/// Where variances of a planned comparison are from.
enum class VariancesOf {
  its_rows,  ///< the comparison's own rows, which are finished
  others,    ///< other comparisons of the experiment whose rows are finished
  pilot      ///< the pilot study (base/statistics/pilot.hpp)
};

/// The effect that a study can find in one comparison, and the effort to find an effect of a wanted size.
struct PlannedEffect {
  Comparison comparison;
  std::vector<std::string> hypotheses;  ///< the hypotheses that declare it
  VariancesOf variances_of = VariancesOf::pilot;
  statistics::Components components;  ///< of the contrast
  statistics::Question
      question;  ///< of the planned size; squared_coefficients are 1, being in the components
  std::optional<double> standard_error, detectable;  ///< nothing with one seed and too few interactions
  std::optional<double> measured_error;              ///< of the finished rows
  double wanted = 0;                                 ///< the effect to find, as a share
  std::optional<statistics::PricedPlan> would;  ///< nothing if no seeds and samples find it on these tasks
  std::optional<double> hours;                  ///< of machine time, if stages of the rows were run
};

/// The wishes of a user of `trl power`.
struct PowerRequest {
  statistics::StudySize size;    ///< 0 for the experiment's own
  std::optional<double> effect;  ///< to find, where a hypothesis names no smallest one; 5 points without it
  double power = 0.8, alpha = 0.05;  ///< alpha where a hypothesis names none
  std::string metric = "correct";
};

/// The size that is planned for.
statistics::StudySize planned_size(const nlohmann::json& experiment, const PowerRequest& request);

/// Every comparison of an experiment, comparisons of hypotheses first. Only rows of which the store has all
/// stages count as finished.
std::vector<PlannedEffect> planned_effects(
    const std::vector<std::pair<std::string, nlohmann::json>>& hypotheses, const Inference& inference,
    const nlohmann::json& experiment, const PowerRequest& request);

}  // namespace trl::interpreter
