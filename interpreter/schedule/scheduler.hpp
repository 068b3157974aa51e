#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/schedule/progress.hpp"
#include "interpreter/schedule/worker_client.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// How far a plan is.
struct Standing {
  int done = 0, total = 0;
  std::vector<const Stage*> missing;  ///< in the order in which they can run
};
Standing standing(const Plan& plan, const Store& store);

/// A stage whose result was damaged since it was made.
struct DamagedStage {
  const Stage* stage = nullptr;
  std::string how;
};
std::vector<DamagedStage> damaged_stages(const Plan& plan, const Store& store, Check check);

struct ScheduleResult {
  int executed = 0;  ///< stages carried out now
};

/// Carries out what is missing of a plan. A stage whose worker crashed is tried again, at most four times,
/// and not after a second crash by the same cause that came no further. A stage that fails leaves nothing
/// behind; finished stages stay. Throws UserError naming the stage that failed, DamagedResult where an input
/// is damaged, or Interrupted.
ScheduleResult carry_out(const Plan& plan, StoreWriter& store, WorkerClient& worker, Progress& progress,
                         const std::function<bool()>& stop_requested, const Progress::Clock& clock);

}  // namespace trl::interpreter
