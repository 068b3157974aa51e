// Forecasts the time that a plan's missing stages will take, from the times of finished stages of the same
// kind.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The mean seconds of finished stages for a unit of their work (`stage_work`), such as an answer. A stage's
/// forecast is its work times the mean of the stages with the same slot in other rows, seeds and rounds
/// ("reinforce/round/sample") or, if there are none, of the stages of its kind.
class Forecast {
 public:
  /// Counts the plan's finished stages in the store, whichever machine made them. The plan must outlive the
  /// forecast.
  Forecast(const Plan& plan, const Store& store);
  /// Counts no stage yet. The plan must outlive the forecast.
  explicit Forecast(const Plan& plan);
  /// Counts a finished stage, whichever machine made it, with its seconds.
  void add_stored(const Stage& stage, double seconds);
  /// Counts a stage by its result in the store. Does nothing if the result can't be read.
  void add_stored(const Stage& stage, const Store& store);
  /// Counts a stage that has just been run on this machine. The first such stage replaces the earlier counts
  /// of stages with the same slot or kind.
  void add(const Stage& stage, double seconds);
  /// The forecast of one stage; nothing if no stage of its kind was counted.
  std::optional<double> seconds(const Stage& stage) const;
  /// The forecast for running all these stages one after another. Nothing if fewer than nine in ten of the
  /// stages have a forecast; each of the other stages counts as the mean of these forecasts.
  std::optional<double> seconds(std::span<const Stage* const> stages) const;

 private:
  struct Mean {
    double seconds = 0, work = 0;
    bool made_here = false;
  };
  static void count(Mean& mean, double work, double seconds, bool made_here);
  double work(const Stage& stage) const;

  std::function<double(const Stage&)> work_of_;
  mutable std::map<std::string, double> work_;  ///< by the keys of stages
  std::map<std::string, Mean> by_place_, by_kind_;
};

/// The sentence that is shown if there is no forecast of the missing stages. It gives the modelled time on
/// the experiment's declared machine (`trl plan --cost`) or, without such a machine, says that the time isn't
/// known yet.
std::string without_forecast(const nlohmann::json& document, const Plan& plan, const Store& store);

}  // namespace trl::interpreter
