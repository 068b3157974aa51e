#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(too_few_tasks)
namespace {

void check_too_few_tasks(Inspection& inspection) {
  for (const auto& stage : inspection.stages()) {
    const Value *wanted = stage.train->field("tasks_per_round"), *tasks = stage.train->field("tasks");
    // If a split has an error, its number of tasks isn't known.
    if (stage.train->faulty || wanted == nullptr || tasks == nullptr || !tasks->is(Value::Kind::tasks) ||
        is_default(inspection, *stage.train, "tasks_per_round"))
      continue;
    const auto there = static_cast<double>(tasks->tasks.size());
    if (wanted->number() <= there || there == 0) continue;
    auto d = found(rules::too_few_tasks, wanted->range,
                   "`" + stage.train->name + "` wants " + count_text(wanted->number()) +
                       " tasks a round, and it has " + count_text(there) + ": each round has all of them");
    d.note("its tasks", tasks->range);
    d.helped("write how many there are, or give it more tasks");
    d.suggest("write how many there are", wanted->range, count_text(there));
    inspection.report(std::move(d), {stage.train});
  }
}

}  // namespace

const Rule rules::too_few_tasks{"too_few_tasks",
                                Severity::warning,
                                true,
                                "A round has no task twice. Where it wants more tasks than there are, it has "
                                "fewer answers than the file says, and its size no longer changes anything.",
                                R"(import example
train t : example.reinforce { tasks = example.easy, tasks_per_round = 3 }
experiment e : example.study { train = t }
)",
                                R"(import example
train t : example.reinforce { tasks = example.easy[1..3], tasks_per_round = 32 }
experiment e : example.study { train = t }
)",
                                check_too_few_tasks};

}  // namespace trl::language
