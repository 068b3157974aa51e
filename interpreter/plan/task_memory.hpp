// The memory that the tasks of a plan's verifications take.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/task.hpp"
#include "base/tasks/footprint.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The tasks on which a stage has answers verified: the tasks of an exam, or the tasks from which training
/// rounds draw.
std::vector<contract::Task> tasks_of_stage(const Stage& stage);
/// A text with the suite, number and key of each of these tasks, a line each. It is equal for stages that
/// list the same tasks in the same order.
std::string keys_of_tasks(const Stage& stage);

struct TaskMemory {
  tasks::Footprints footprints;
  bool cuda = false;   ///< whether answers are kernels in CUDA, which run on a GPU alone
  bool timed = false;  ///< whether answers are judged on a GPU here, since their times are measured
};

/// The memory of the tasks of those verifications in the plan that aren't done. Each task counts once.
TaskMemory task_memory(const Plan& plan, const std::function<bool(const Stage&)>& is_done);

/// A sentence about tasks that aren't executed completely without a GPU: "97 of 99 tasks are larger than
/// 128.0 MiB: …"; empty if there is none.
std::string sentence(const TaskMemory& memory);
nlohmann::json as_json(const TaskMemory& memory);

}  // namespace trl::interpreter
