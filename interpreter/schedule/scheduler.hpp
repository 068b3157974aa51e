#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/forecast.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/seats.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The number of a plan's finished stages and of all its stages, and the missing stages.
struct PlanStatus {
  int done = 0, total = 0;
  std::vector<const Stage*> missing;  ///< the missing stages, in an order in which they can run
};
PlanStatus plan_status(const Plan& plan, const Store& store);

/// A stage whose stored result is damaged.
struct DamagedStage {
  const Stage* stage = nullptr;
  std::string how;
};
std::vector<DamagedStage> damaged_stages(const Plan& plan, const Store& store, Check check);

/// Forecasts the seconds in which these stages of a plan, in its order, run on the seats. `past` has, by key,
/// the seconds for which some stages have already run. Nothing if too few stages have a forecast.
std::optional<double> seconds_on(const Seats& seats, const Plan& plan, const Forecast& forecast,
                                 std::span<const Stage* const> stages,
                                 const std::map<std::string, double>& past = {});

struct ScheduleResult {
  int executed = 0;  ///< the number of stages that this call ran
};

/// Runs the missing stages of a plan. With one seat they run one after another, in the plan's order. With
/// several seats, as many stages run at once as fit; stages with the longest chain of later stages come first
/// (dispatch.hpp). Other runs may make some of the stages at the same time: this run takes the next stage
/// that no other run is making, and waits only if there is none. If a stage's worker crashes, the stage is
/// tried again at most four times, but not after a second crash with the same cause and without progress; a
/// lost machine of a cluster doesn't count. If a stage fails, its files are removed, and the stages that run
/// beside it are cancelled, except if the failure is a damaged input; finished stages are kept. Throws
/// UserError naming the failed stage, DamagedResult if an input is damaged, once the other running stages
/// have ended, and Interrupted if the user interrupts. With several seats, several threads call
/// `stop_requested` and `clock` at once.
ScheduleResult carry_out(const Plan& plan, StoreWriter& store, Seats& seats, Progress& progress,
                         const std::function<bool()>& stop_requested, const Progress::Clock& clock);

}  // namespace trl::interpreter
