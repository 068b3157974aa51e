// Forecasts the time that a plan's missing stages will take, from the times of finished stages of the same
// kind.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The mean seconds of finished stages. A stage's forecast is the mean of the stages with the same slot in
/// other rows, seeds and rounds ("reinforce/round/sample") or, if there are none, of the stages of its kind.
class Forecast {
 public:
  /// Counts the plan's finished stages in the store, whichever machine made them.
  Forecast(const Plan& plan, const Store& store);
  /// Counts no stage yet.
  Forecast() = default;
  /// Counts one finished stage, whichever machine made it.
  void add_stored(const Stage& stage, double seconds);
  /// The same by its result in the store. One that can't be read isn't counted.
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
    double sum = 0;
    int count = 0;
    bool made_here = false;
    double value() const { return sum / count; }
  };
  static void count(Mean& mean, double seconds, bool made_here);

  std::map<std::string, Mean> by_place_, by_kind_;
};

/// The sentence that is shown if there is no forecast of the missing stages. It gives the modelled time on
/// the experiment's declared machine (`trl plan --cost`) or, without such a machine, says that the time isn't
/// known yet.
std::string without_forecast(const nlohmann::json& document, const Plan& plan, const Store& store);

}  // namespace trl::interpreter
