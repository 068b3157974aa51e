#include "interpreter/plan/task_memory.hpp"

#include <fmt/format.h>

#include <set>

#include "base/contract/kernel_language.hpp"
#include "base/contract/protocol.hpp"
#include "base/contract/stages/draw.hpp"
#include "base/contract/stages/tasks.hpp"
#include "base/support/counted.hpp"

namespace trl::interpreter {

std::vector<contract::Task> tasks_of_stage(const Stage& stage) {
  if (stage.kind == contract::TasksSpec::kind) return contract::TasksSpec::read(stage.spec).tasks;
  if (stage.kind == contract::DrawSpec::kind) return contract::DrawSpec::read(stage.spec).pool;
  return {};
}

std::string keys_of_tasks(const Stage& stage) {
  std::string keys;
  for (const char* list : {"tasks", "pool"})
    if (const auto tasks = stage.spec.find(list); tasks != stage.spec.end())
      for (const auto& task : *tasks)
        keys +=
            fmt::format("{}/{} {}\n", task.value("suite", ""), task.value("id", 0), task.value("key", ""));
  return keys;
}

TaskMemory task_memory(const Plan& plan, const std::function<bool(const Stage&)>& is_done) {
  TaskMemory out;
  std::set<std::string> stages, tasks;
  for (const Stage& stage : plan.stages) {
    if (stage.kind != contract::Protocol::kind || is_done(stage)) continue;
    const auto protocol = contract::Protocol::read(stage.spec);
    out.cuda = out.cuda || protocol.language == contract::KernelLanguage::cuda;
    out.timed = out.timed || protocol.timed;
    const Stage* source = plan.find(stage.inputs.at("tasks"));
    if (source == nullptr || !stages.insert(keys_of_tasks(*source)).second) continue;
    for (const contract::Task& task : tasks_of_stage(*source)) {
      const std::string id = fmt::format("{}/{}", task.suite, task.id);
      // A task that is stored elsewhere has no shapes, and can't be judged.
      if (task.source || !tasks.insert(id).second) continue;
      out.footprints.add(fmt::format("{} ({})", id, task.name),
                         tasks::footprint_of(tasks::Task::read(task.whole)));
    }
  }
  return out;
}

std::string sentence(const TaskMemory& memory) {
  const auto& footprints = memory.footprints;
  if (footprints.larger() == 0) return {};
  return fmt::format("{} of {} {} larger than {}{}: {}.", footprints.larger(),
                     counted(footprints.tasks(), "task"), footprints.larger() == 1 ? "is" : "are",
                     tasks::memory_text(tasks::most_executed_bytes),
                     footprints.by_module() > 0 ? ", or judged by a module alone" : "",
                     footprints.where_judged(memory.cuda));
}

nlohmann::json as_json(const TaskMemory& memory) {
  const auto& footprints = memory.footprints;
  return {{"tasks", footprints.tasks()},
          {"larger", footprints.larger()},
          {"executed_bytes", tasks::most_executed_bytes},
          {"gpu_bytes", footprints.gpu()}};
}

}  // namespace trl::interpreter
