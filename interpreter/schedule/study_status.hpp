// The state of an experiment in a store to which other processes write.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Reads every result only once, when it appears. Looking again is therefore cheap, however large the study
/// is.
class StudyStatus {
 public:
  /// The plan must outlive the status.
  explicit StudyStatus(const Plan& plan);

  /// Returns the current state, {"experiment", "done", "total", "seconds_left", "to_do", "damaged"}.
  /// `seconds_left` is the forecast for running the missing stages one after another: 0 if none is missing,
  /// null if there is no forecast. `to_do` lists the slots (Stage::slot) of missing stages. `damaged` lists
  /// {"stage", "how"} for each result that was damaged when it was read (Check::sizes).
  nlohmann::json look(const Store& store);

 private:
  const Plan& plan_;
  std::vector<char> there_;                     ///< [stage]: whether the store had it at the last look
  std::map<std::size_t, std::string> damaged_;  ///< how, by stage
  Forecast forecast_;
};

}  // namespace trl::interpreter
