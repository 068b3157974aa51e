// How long the missing stages of a plan will take, by the finished stages of their kind.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

#include "interpreter/plan/plan.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The mean seconds of finished stages, of the same place in other rows and seeds ("reinforce/round/sample"),
/// or else of the same kind.
class Forecast {
 public:
  /// Counts the stages of the plan that the store has, on any machine.
  Forecast(const Plan& plan, const Store& store);
  /// Counts a stage that has just been made here. The first stage of a place replaces the earlier counts of
  /// that place.
  void add(const Stage& stage, double seconds);
  /// The forecast of one stage; nothing if no stage of its kind was counted.
  std::optional<double> seconds(const Stage& stage) const;
  /// The seconds of all these stages, one after another; nothing unless the known ones make up nine in
  /// ten of them, in which case the rest counts as their mean.
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

/// The sentence where there is no forecast of missing stages: which kinds have no times yet, or how long the
/// experiment's declared machine would take, by the model of `trl plan --cost`.
std::string without_forecast(const nlohmann::json& document, const Plan& plan, const Store& store);

}  // namespace trl::interpreter
