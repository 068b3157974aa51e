#include "language/check/free_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace trl::language {
namespace {

/// The number of tasks that the advice offers for an evaluation during training, and the least number for
/// which advice is given.
constexpr std::size_t usual_tasks = 20, fewest_tasks = 5;

/// Returns tasks of a suite for an evaluation: the longest run of unused tasks, or the last `usual_tasks` of
/// it if it is longer. `used` has tasks by `SuiteTask::overlap`.
std::vector<const SuiteTask*> longest_run(const std::vector<SuiteTask>& suite,
                                          const std::set<std::string>& used) {
  std::vector<const SuiteTask*> best, run;
  for (const SuiteTask& task : suite) {
    if (used.contains(task.overlap))
      run.clear();
    else
      run.push_back(&task);
    if (run.size() > best.size()) best = run;
  }
  if (best.size() > usual_tasks) best.erase(best.begin(), best.end() - usual_tasks);
  return best;
}

void add_keys(std::set<std::string>& keys, const std::vector<const SuiteTask*>& tasks) {
  for (const SuiteTask* task : tasks) keys.insert(task->overlap);
}

/// Returns the longest of the runs that these suites offer (`longest_run`), without tasks in `used` and tasks
/// that the model has seen.
std::vector<const SuiteTask*> most_unused(Inspection& inspection, const std::set<std::string>& suites,
                                          const std::set<std::string>& used) {
  std::vector<const SuiteTask*> best;
  for (const std::string& name : suites) {
    const auto suite = inspection.suites.find(name);
    if (suite == inspection.suites.end()) continue;
    std::vector<const SuiteTask*> all;
    for (const SuiteTask& task : suite->second) all.push_back(&task);
    std::set<std::string> taken = used;
    if (const auto seen = seen_tasks(inspection, all); seen.keys != nullptr)
      for (const auto& [key, spelling] : *seen.keys) taken.insert(key);
    auto run = longest_run(suite->second, taken);
    if (run.size() >= best.size()) best = std::move(run);
  }
  return best;
}

/// Whether an evaluation has at least `fewest_tasks` tasks, none of which is in `used` (by
/// `SuiteTask::overlap`).
bool asks_others(const Resolved& evaluation, const std::set<std::string>& used) {
  const Value* split = evaluation.field("split");
  return split != nullptr && split->is(Value::Kind::tasks) && split->tasks.size() >= fewest_tasks &&
         std::none_of(split->tasks.begin(), split->tasks.end(),
                      [&](const SuiteTask* task) { return used.contains(task->overlap); });
}

/// A run of tasks of a suite as the program's file writes them; empty if the suite has no name there.
std::string written(const Inspection& inspection, const std::vector<const SuiteTask*>& run) {
  const auto prefix = inspection.prefixes.find(run.front()->range.file);
  if (prefix == inspection.prefixes.end()) return "";
  const std::string& suite = run.front()->suite;
  return fmt::format("{}{}[{}..{}]", prefix->second, suite.substr(suite.find('.') + 1), run.front()->id,
                     run.back()->id);
}

}  // namespace

SeenTasks seen_tasks(Inspection& inspection, const std::vector<const SuiteTask*>& tasks) {
  const Resolved* model = inspection.model();
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (weights == nullptr || !weights->is(Value::Kind::call)) return {};
  std::string path = model_file(*weights, "manifest.json", inspection.options, inspection.folder);
  if (path.empty()) return {};
  // All cells of a design ask for the same tasks, so the result is kept.
  const auto [kept, fresh] = inspection.answers.seen.try_emplace({path, tasks});
  if (fresh)
    if (const auto manifest = inspection.options.read(path)) kept->second = seen_keys(*manifest, tasks);
  return {std::move(path), &kept->second};
}

std::string tasks_for_exam(Inspection& inspection, const Resolved& exam) {
  const Value* split = exam.field("split");
  if (split == nullptr || !split->is(Value::Kind::tasks)) return "";
  std::set<std::string> suites, trained;
  for (const SuiteTask* task : split->tasks) suites.insert(task->suite);
  for (const auto& stage : inspection.stages())
    for (const auto& [name, value] : stage.train->fields)
      if (value.is(Value::Kind::tasks)) add_keys(trained, value.tasks);
  const auto free = most_unused(inspection, suites, trained);
  return free.size() < fewest_tasks ? "" : written(inspection, free);
}

std::string advice_for_dev(Inspection& inspection, const Resolved& exam) {
  const Value* split = exam.field("split");
  if (split == nullptr || !split->is(Value::Kind::tasks)) return "";
  std::set<std::string> asked, suites, trained;
  add_keys(asked, split->tasks);
  for (const SuiteTask* task : split->tasks) suites.insert(task->suite);
  trained = asked;
  const Resolved* trains = nullptr;  // a stage whose tasks are given, in the program's own file
  const Value* data = nullptr;       // a corpus, with answers to tasks that it doesn't leave out
  for (const auto& stage : inspection.stages())
    for (const auto& [name, value] : stage.train->fields) {
      if (value.is(Value::Kind::tasks)) {
        add_keys(trained, value.tasks);
        if (name == "tasks" && trains == nullptr && !stage.control) trains = stage.train;
      } else if (value.is(Value::Kind::call) && name == "data") {
        data = &value;
      }
    }
  for (const auto& declared : *inspection.declared_evaluations)
    if (asks_others(*declared, trained))
      return fmt::format("`{0}` asks tasks that are neither in the exam nor in training: write `dev = {0}`",
                         declared->name);
  auto free = most_unused(inspection, suites, trained);
  const bool taken = free.size() < fewest_tasks;  // from training
  if (taken) free = most_unused(inspection, suites, asked);
  if (free.size() < fewest_tasks || (taken && trains == nullptr)) return "";
  const std::string tasks = written(inspection, free);
  if (tasks.empty()) return "";
  // If the experiment already has an evaluation during training, the advice is to change only its tasks; its
  // other fields stay.
  const Resolved* dev = inspection.dev();
  if (!taken && dev != nullptr && dev->name != exam.name &&
      dev->range.file == inspection.experiment.range.file) {
    bool excluded = true;
    if (data != nullptr) {
      const auto corpus = corpus_tasks(*data, inspection.suites);
      for (const SuiteTask* task : free) excluded &= corpus.excluded.contains(task->overlap);
    }
    return fmt::format(
        "`{0}` is neither in the exam nor in training: let `{1}` ask it, `split = {0}`, in "
        "place of what it asks now{2}",
        tasks, dev->name, excluded ? "" : "; `exclude` of the written answers must then have it, too");
  }
  std::string out = taken ? fmt::format(
                                "every task is in the exam, in training or in pretraining: take `{0}` "
                                "out of `{1}`, `tasks = … - {0}`, and write ",
                                tasks, trains->name)
                          : fmt::format("`{}` is neither in the exam nor in training: write ", tasks);
  const auto of_exam = inspection.prefixes.find(exam.range.file);
  std::string name = "tuning";
  for (int i = 2; inspection.names->contains(name); ++i) name = fmt::format("tuning{}", i);
  out += fmt::format("`evaluation {0} : {1}{2} {{ split = {3} }}` and `dev = {0}`", name,
                     of_exam == inspection.prefixes.end() ? "" : of_exam->second, exam.name, tasks);
  if (data != nullptr) out += fmt::format("; add `+ {}` to `exclude` of the written answers, too", tasks);
  return out;
}

}  // namespace trl::language
