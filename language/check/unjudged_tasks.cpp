#include <fmt/format.h>

#include <algorithm>

#include "base/support/counted.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unjudged_tasks)
namespace {

using nlohmann::json;

/// Returns the reason why answers to a task from a file can't be judged. Empty if they can be judged, and for
/// tasks of which only the number and the data set's name are known, since a study of such tasks is only a
/// plan.
std::string why_unjudged(const SuiteTask& task) {
  if (!task.is_lowered() || !task.lowered().contains("source")) return {};
  const auto module = task.lowered().find("module");
  return module == task.lowered().end() ? "" : module->value("untyped", "its forward isn't understood");
}

/// Whether only a task's number and its data set's name are known.
bool known_by_number(const SuiteTask* task) {
  return task->is_lowered() && task->lowered().contains("source") && !task->lowered().contains("module");
}

void check_use(Inspection& inspection, const Resolved& by, const Value& tasks) {
  if (!tasks.is(Value::Kind::tasks)) return;
  if (inspection.options.trouble && std::any_of(tasks.tasks.begin(), tasks.tasks.end(), known_by_number)) {
    auto d = found(rules::unjudged_tasks, tasks.range,
                   "`trl run` can't begin here without these tasks, of which only the numbers are known");
    d.severity = Severity::note;
    d.helped(
        "name a checkout: `--set 'kernelbench.checkout=path(\"…\")'`, or a suite's `source = "
        "kernelbench(path(\"…\"), level = …)`");
    inspection.report(std::move(d), {&by});
  }
  std::vector<std::pair<const SuiteTask*, std::string>> unjudged;
  for (const SuiteTask* task : tasks.tasks)
    if (std::string why = why_unjudged(*task); !why.empty()) unjudged.emplace_back(task, std::move(why));
  if (unjudged.empty()) return;
  auto d =
      found(rules::unjudged_tasks, tasks.range,
            unjudged.size() == 1
                ? fmt::format("answers to `{}` ({}) can't be judged, so this can be planned and not run",
                              unjudged[0].first->text(), unjudged[0].first->name)
                : fmt::format("answers to {} of the {} can't be judged, so this can be planned and not run",
                              unjudged.size(), counted(tasks.tasks.size(), "task")));
  constexpr std::size_t most = 3;
  for (std::size_t i = 0; i < unjudged.size() && i < most; ++i)
    d.note(
        fmt::format("`{}` ({}): {}", unjudged[i].first->text(), unjudged[i].first->name, unjudged[i].second));
  if (unjudged.size() > most) d.note(fmt::format("and {} more", unjudged.size() - most));
  d.helped("leave them out: `where(…, judged)` is the others");
  inspection.report(std::move(d), {&by});
}

void check_unjudged_tasks(Inspection& inspection) {
  for (const Resolved* exam : inspection.evaluations())
    if (const Value* split = exam->field("split")) check_use(inspection, *exam, *split);
  for (const auto& stage : inspection.stages())
    if (const Value* tasks = stage.train->field("tasks")) check_use(inspection, *stage.train, *tasks);
}

}  // namespace

const Rule rules::unjudged_tasks{"unjudged_tasks",
                                 Severity::warning,
                                 true,
                                 "Answers to a task are judged by its forward as an expression; without it "
                                 "nothing can be run on the task.",
                                 R"(import example
evaluation x : example.exam {}
experiment e : example.study { evaluate = x }
)",
                                 R"(
)",
                                 check_unjudged_tasks};

}  // namespace trl::language
