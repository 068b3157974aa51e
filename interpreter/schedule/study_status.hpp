// The state of an experiment in a store that others fill.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// Reads every result once, when it appears, so that looking again costs little however large the study is.
class StudyStatus {
 public:
  /// The plan must outlive the status.
  explicit StudyStatus(const Plan& plan);

  /// {"experiment", "done", "total", "seconds_left", "to_do", "damaged"} as the store is now. `seconds_left`
  /// is the forecast for the missing stages one after another, null where there is none; `to_do` has the
  /// slots of missing stages, `damaged` {"stage", "how"} of each result that isn't as it was stored.
  nlohmann::json look(const Store& store);

 private:
  const Plan& plan_;
  std::vector<char> there_;                     ///< [stage]: whether the store had it at the last look
  std::map<std::size_t, std::string> damaged_;  ///< how, by stage
  Forecast forecast_;
};

}  // namespace trl::interpreter
