#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/tasks/footprint.hpp"
#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(large_tasks)
namespace {

/// The tasks of one suite on which the experiment lets answers be judged, the places at which the program
/// names them, and the declarations that use them.
struct UsedSuite {
  std::set<const SuiteTask*> tasks;
  std::vector<const Value*> places;
  std::vector<const Resolved*> users;
};

std::map<std::string, UsedSuite> used_suites(const Inspection& inspection) {
  std::map<std::string, UsedSuite> suites;
  const auto add = [&](const Resolved* by, const char* field) {
    const Value* tasks = by == nullptr ? nullptr : by->field(field);
    if (tasks == nullptr || !tasks->is(Value::Kind::tasks)) return;
    for (const SuiteTask* task : tasks->tasks) {
      UsedSuite& suite = suites[task->suite];
      suite.tasks.insert(task);
      if (suite.places.empty() || suite.places.back() != tasks)
        suite.places.push_back(tasks), suite.users.push_back(by);
    }
  };
  add(inspection.evaluation(), "split");
  add(inspection.dev(), "split");
  for (const auto& stage : inspection.stages()) add(stage.train, "tasks");
  return suites;
}

trl::tasks::Footprints footprints_of(const UsedSuite& suite) {
  trl::tasks::Footprints out;
  for (const SuiteTask* task : suite.tasks)
    if (const auto* typed = task->typed())
      out.add(fmt::format("{} ({})", task->text(), task->name), trl::tasks::footprint_of(*typed));
  return out;
}

void check_large_tasks(Inspection& inspection) {
  const Resolved* machine = inspection.machine();
  const Value* memory = machine == nullptr ? nullptr : machine->field("memory");
  if (machine != nullptr && memory == nullptr) return;
  const Value* language = inspection.experiment.field("language");
  const bool cuda = language != nullptr && language->string() == "cuda";
  for (const auto& [name, suite] : used_suites(inspection)) {
    const auto footprints = footprints_of(suite);
    const std::size_t found_here =
        memory == nullptr ? footprints.larger() : footprints.beyond(memory->number());
    if (found_here == 0) continue;
    const std::string which =
        suite.tasks.size() == 1
            ? fmt::format("the task of `{}` that is used", name)
            : fmt::format("{} of the {} tasks of `{}` that are used", found_here, suite.tasks.size(), name);
    const char* verb = found_here == 1 ? "is" : "are";
    auto d =
        found(rules::large_tasks, suite.places.front()->range,
              memory == nullptr
                  ? fmt::format("{} {} larger than {}, the most that is executed completely without a GPU{}",
                                which, verb, trl::tasks::memory_text(trl::tasks::most_executed_bytes),
                                footprints.by_module() > 0 ? ", or judged by a module alone" : "")
                  : fmt::format("{} {} too large for a GPU of `{}`, which has {}", which, verb, machine->name,
                                trl::tasks::memory_text(memory->number())));
    d.note(footprints.where_judged(cuda));
    if (memory != nullptr) d.note("the memory of a GPU", memory->range);
    for (std::size_t i = 1; i < suite.places.size(); ++i)
      if (suite.places[i]->range != suite.places.front()->range)
        d.note(fmt::format("`{}` uses it, too", suite.users[i]->name), suite.places[i]->range);
    d.helped(memory == nullptr
                 ? "give the experiment a `machine` whose GPU has that memory, and run it there with "
                   "--kernel-times measured; or use smaller sizes, as by kernelbench(…, largest = 4096)"
                 : "use a machine with more memory, or smaller sizes, as by kernelbench(…, largest = 4096)");
    inspection.report(std::move(d), {suite.users.begin(), suite.users.end()});
  }
}

}  // namespace

const Rule rules::large_tasks{
    "large_tasks",
    Severity::warning,
    true,
    "Without a GPU answers to a task of that size are judged at smaller sizes, with a sample of programs at "
    "its "
    "own, which is weaker evidence than all of them; a GPU with too little memory judges nothing of it.",
    R"(import example
suite sums { task tanh_sums[M = 2048, N = 2048](x: f32[M, N]) = sum(tanh(x), axis = 1) }
evaluation x : example.exam { split = sums }
experiment e : example.study { evaluate = x }
)",
    R"(import example
suite sums { task tanh_sums[M = 8192, N = 8192](x: f32[M, N]) = sum(tanh(x), axis = 1) }
evaluation x : example.exam { split = sums }
experiment e : example.study { evaluate = x }
)",
    check_large_tasks};

}  // namespace trl::language
