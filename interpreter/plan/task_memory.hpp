// What the tasks take on which a plan has answers verified.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/task.hpp"
#include "base/tasks/footprint.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The tasks that a stage gives to the verification of answers: those of an exam, or those that rounds draw
/// from.
std::vector<contract::Task> tasks_of_stage(const Stage& stage);
/// The suites, numbers and keys of these tasks, a line each: equal for stages that give or draw the same
/// tasks.
std::string keys_of_tasks(const Stage& stage);

struct TaskMemory {
  tasks::Footprints footprints;
  bool cuda = false;   ///< whether answers are kernels in CUDA, which run on a GPU alone
  bool timed = false;  ///< whether answers are judged on a GPU here, since their times are measured
};

/// The memory of the tasks of the plan's verifications that aren't done, each task once.
TaskMemory task_memory(const Plan& plan, const std::function<bool(const Stage&)>& is_done);

/// A sentence about tasks that aren't executed completely without a GPU: "97 of 99 tasks are larger than
/// 128.0 MiB: …"; empty if there is none.
std::string sentence(const TaskMemory& memory);
nlohmann::json as_json(const TaskMemory& memory);

}  // namespace trl::interpreter
