#include <map>
#include <utility>

#include "base/tasks/key.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(respelt_task)
namespace {

using Pair = std::pair<const SuiteTask*, const SuiteTask*>;

/// The tasks of a set that are an earlier one of it once more, each with that one. Copies within a suite have
/// a rule of their own, and the library's suites have none.
std::vector<Pair> repeated(const std::vector<const SuiteTask*>& tasks) {
  std::map<std::string, std::vector<const SuiteTask*>> alike;
  for (const SuiteTask* task : tasks) alike[task->overlap].push_back(task);
  std::vector<Pair> out;
  for (const SuiteTask* task : tasks) {
    for (const SuiteTask* before : alike.at(task->overlap)) {
      if (before == task) break;
      if (task->prepared != nullptr && before->prepared != nullptr) continue;
      if (task->suite == before->suite && task->key == before->key) continue;
      const auto *one = task->typed(), *other = before->typed();
      if (one == nullptr || other == nullptr || !trl::tasks::same_function(*one, *other)) continue;
      out.emplace_back(task, before);
      break;
    }
  }
  return out;
}

void examine(Inspection& inspection, const Resolved& of, const char* field, const char* effect) {
  const Value* tasks = of.field(field);
  if (tasks == nullptr || !tasks->is(Value::Kind::tasks)) return;
  constexpr std::size_t most = 3;
  std::size_t told = 0;
  for (auto [task, twin] : repeated(tasks->tasks)) {
    if (++told > most) return;
    // The one that is written in the program's own file can be left out there.
    constexpr FileId program = 0;
    if (task->range.file != program) std::swap(task, twin);
    const bool spelling = task->key != twin->key;
    auto d = found(rules::respelt_task, task->range,
                   "`" + task->text() + "` (" + task->name + ") is `" + twin->text() + "` (" + twin->name +
                       ")" + (spelling ? " in another spelling" : " once more") + ": " + effect);
    d.note("the same function at the same sizes", twin->range);
    d.note("`" + of.name + "` has both", tasks->range);
    d.helped("leave one of them out, or give one other sizes");
    inspection.report(std::move(d), {&of});
  }
}

void check_respelt_task(Inspection& inspection) {
  for (const auto& stage : inspection.stages())
    examine(inspection, *stage.train, "tasks", "training asks it twice as often as the others");
  for (const Resolved* evaluation : inspection.evaluations())
    examine(inspection, *evaluation, "split", "it counts twice in every mean");
}

}  // namespace

const Rule rules::respelt_task{
    "respelt_task",
    Severity::warning,
    true,
    "Two spellings of one function are one task: it is trained on or counted twice, and an interval takes it "
    "for two.",
    R"(import example
suite mine {
  task clipped[N = 4096](x: f32[N]) = maximum(x, 0) * 3
  task halved[N = 4096](x: f32[N]) = exp(x / 4)
}
train t : example.reinforce { tasks = mine }
experiment e : example.study { train = t }
)",
    R"(import example
suite mine {
  task divided[N = 4096](x: f32[N]) = exp(x / 4)
  task multiplied[N = 4096](x: f32[N]) = exp(0.25 * x)
}
train t : example.reinforce { tasks = mine }
experiment e : example.study { train = t }
)",
    check_respelt_task};

}  // namespace trl::language
