#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// The status of a plan.
struct PlanStatus {
  int done = 0, total = 0;
  std::vector<const Stage*> missing;  ///< in the order in which they can run
};
PlanStatus plan_status(const Plan& plan, const Store& store);

/// A stage whose stored result is damaged.
struct DamagedStage {
  const Stage* stage = nullptr;
  std::string how;
};
std::vector<DamagedStage> damaged_stages(const Plan& plan, const Store& store, Check check);

struct ScheduleResult {
  int executed = 0;  ///< the number of stages that this call ran
};

/// Runs the missing stages of a plan, except stages that another run makes meanwhile: it takes the next stage
/// that nobody makes, and waits only if there is none. A stage whose worker crashed is tried again at most
/// four times, and not after a second crash by the same cause without progress. A failed stage leaves nothing
/// behind; finished stages stay. Throws UserError naming the stage that failed, DamagedResult if an input is
/// damaged, or Interrupted.
ScheduleResult carry_out(const Plan& plan, StoreWriter& store, WorkerClient& worker, Progress& progress,
                         const std::function<bool()>& stop_requested, const Progress::Clock& clock);

}  // namespace trl::interpreter
