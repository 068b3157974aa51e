#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/worker_client.hpp"
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

struct ScheduleResult {
  int executed = 0;  ///< the number of stages that this call ran
};

/// Runs the missing stages of a plan. Other runs may make some of the stages at the same time: this run takes
/// the next stage that no run is making, and waits only if there is none. A stage whose worker crashed is
/// tried again at most four times, and not after a second crash by the same cause without progress. A failed
/// stage leaves no files behind; finished stages are kept. Throws UserError naming the failed stage,
/// DamagedResult if an input is damaged, and Interrupted if the user interrupts.
ScheduleResult carry_out(const Plan& plan, StoreWriter& store, WorkerClient& worker, Progress& progress,
                         const std::function<bool()>& stop_requested, const Progress::Clock& clock);

}  // namespace trl::interpreter
