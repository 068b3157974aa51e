#include <algorithm>
#include <map>

#include "language/check/free_tasks.hpp"

namespace trl::language {
DECLARE_RULE(exam_overlap)
namespace {

/// Whether `exclude`, the tasks that a corpus leaves out, has all tasks of some stage of training but none of
/// the exam's tasks.
bool names_training(const Inspection& inspection, const Resolved& exam, const Value& exclude) {
  if (!overlapping(exam.field("split")->tasks, exclude.tasks).empty()) return false;
  return std::any_of(inspection.stages().begin(), inspection.stages().end(), [&](const auto& stage) {
    const Value* tasks = stage.train->field("tasks");
    return tasks != nullptr && !tasks->tasks.empty() &&
           overlapping(tasks->tasks, exclude.tasks).size() == tasks->tasks.size();
  });
}

/// Returns the tasks of an evaluation to which a corpus may contain answers.
std::vector<const SuiteTask*> answered(const Inspection& inspection, const Value& split,
                                       const Value& corpus) {
  const CorpusTasks of = corpus_tasks(corpus, inspection.suites);
  auto same = overlapping(split.tasks, of.any ? split.tasks : of.tasks);
  if (of.any) std::erase_if(same, [&](const SuiteTask* t) { return of.excluded.contains(t->overlap); });
  return same;
}

/// Returns the task sets that a corpus should also exclude, by the names of the evaluations that have them:
/// `exam.split + tuning.split`. Empty if `exam` has no name in the file of the corpus.
std::string left_to_exclude(const Inspection& inspection, const Resolved& exam, const Value& corpus) {
  const auto named = [&](const Resolved& one) {
    const Value* split = one.field("split");
    return split != nullptr && split->is(Value::Kind::tasks) && split->given &&
           split->range.file == corpus.range.file && corpus.range.file == inspection.experiment.range.file;
  };
  if (!named(exam)) return "";
  std::string out;
  for (const Resolved* one : inspection.evaluations())
    if (one == &exam || (named(*one) && one->name != exam.name &&
                         !answered(inspection, *one->field("split"), corpus).empty()))
      out += (out.empty() ? "" : " + ") + one->name + ".split";
  return out;
}

/// Adds advice on how the corpus can exclude the tasks of the exam, by the exam's name in the file, and the
/// tasks of the experiment's other evaluation.
void suggest_exclusion(Diagnostic& d, const Inspection& inspection, const Resolved& exam, const Value& corpus,
                       const Value* exclude) {
  const std::string split = left_to_exclude(inspection, exam, corpus);
  if (exclude != nullptr && !exclude->given) exclude = nullptr;
  if (split.empty()) {
    d.helped("`exclude = …` names tasks that the data must not have: write the split of `" + exam.name +
             "` there");
  } else if (exclude == nullptr) {
    d.helped("add `exclude = " + split + "`");
    d.suggest("add `exclude = " + split + "`", {corpus.range.file, corpus.range.end - 1, corpus.range.end},
              ", exclude = " + split + ")");
  } else if (names_training(inspection, exam, *exclude)) {
    d.helped(
        "`exclude` names tasks that the data must not have: the exam's, not those of training; write "
        "`exclude = " +
        split + "`");
    d.suggest("write `" + split + "`", exclude->range, split);
  } else {
    d.helped("`exclude` names tasks that the data must not have: add those of `" + exam.name + "`, `+ " +
             split + "`");
    d.suggest("add `+ " + split + "`", {corpus.range.file, exclude->range.end, exclude->range.end},
              " + " + split);
  }
}

/// Whether a stage trains by rewards on tasks of an evaluation. Then it isn't the mistake that written
/// answers have these tasks, too.
bool trained_on(const Inspection& inspection, const Value& split) {
  return std::any_of(inspection.stages().begin(), inspection.stages().end(), [&](const auto& stage) {
    return std::any_of(stage.train->fields.begin(), stage.train->fields.end(), [&](const auto& field) {
      return field.second.is(Value::Kind::tasks) && !overlapping(split.tasks, field.second.tasks).empty();
    });
  });
}

/// Whether a stage trains by rewards on all tasks of an evaluation, so that the exam is the one to change.
bool trained_on_all(const Inspection& inspection, const Value& split) {
  return std::any_of(inspection.stages().begin(), inspection.stages().end(), [&](const auto& stage) {
    const Value* tasks = stage.train->field("tasks");
    return tasks != nullptr && overlapping(split.tasks, tasks->tasks).size() == split.tasks.size();
  });
}

/// Says how training and an exam come apart: training leaves the exam's tasks out, if it has others; or the
/// exam gets others. `same` are tasks of the exam.
void suggest_parting(Diagnostic& d, Inspection& inspection, const Resolved& exam, const Value& split,
                     const Value& trained, const std::vector<const SuiteTask*>& same) {
  const bool identical = std::all_of(same.begin(), same.end(), [&](const SuiteTask* task) {
    return std::find(trained.tasks.begin(), trained.tasks.end(), task) != trained.tasks.end();
  });
  const FileId file = inspection.experiment.range.file;
  if (same.size() == split.tasks.size() && trained_on_all(inspection, split)) {
    const std::string free = tasks_for_exam(inspection, exam);
    d.helped(free.empty() ? "give `" + exam.name + "` tasks that training doesn't have"
                          : "`" + free + "` is in no training: write `split = " + free + "`");
    if (!free.empty() && split.given && split.range.file == file)
      d.suggest("write `" + free + "`", split.range, free);
  } else if (identical && same.size() < trained.tasks.size() && trained.given && split.given &&
             trained.range.file == file && split.range.file == file) {
    d.helped("train on the others: `tasks = … - " + exam.name + ".split`");
    d.suggest("leave them out", {file, trained.range.end, trained.range.end}, " - " + exam.name + ".split");
  } else {
    d.helped("take them out of one of the two");
  }
}

void examine(Inspection& inspection, const Resolved* exam) {
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  if (split == nullptr || !split->is(Value::Kind::tasks)) return;
  const bool is_dev = exam == inspection.dev() && exam != inspection.evaluation();
  const std::string free = is_dev && inspection.evaluation() != nullptr && trained_on(inspection, *split)
                               ? advice_for_dev(inspection, *inspection.evaluation())
                               : "";
  // What `dev` shares with the exam is told of the exam, and that it shares it by another rule.
  const Value* asked =
      is_dev && inspection.evaluation() != nullptr ? inspection.evaluation()->field("split") : nullptr;
  const auto without_asked = [&](std::vector<const SuiteTask*> tasks) {
    if (asked != nullptr && asked->is(Value::Kind::tasks))
      for (const SuiteTask* both : overlapping(tasks, asked->tasks)) std::erase(tasks, both);
    return tasks;
  };
  const bool all = !is_dev && trained_on_all(inspection, *split);
  for (const auto& stage : inspection.stages()) {
    for (const auto& [name, value] : stage.train->fields) {
      if (value.is(Value::Kind::tasks)) {
        std::map<std::string, const SuiteTask*> trained;
        for (const SuiteTask* t : value.tasks) trained.emplace(t->overlap, t);
        const auto same = without_asked(overlapping(split->tasks, value.tasks));
        if (same.empty()) continue;
        const auto of = std::find_if(same.begin(), same.end(),
                                     [&](const SuiteTask* t) { return trained.at(t->overlap) != t; });
        auto d = found(
            rules::exam_overlap, split->range,
            "`" + exam->name + "` examines what `" + stage.train->name + "` trains on: " + task_list(same));
        d.note("the tasks of training", value.range);
        if (of != same.end()) {
          const SuiteTask* twin = trained.at((*of)->overlap);
          d.note("`" + (*of)->text() + "` is `" + twin->text() +
                     ((*of)->key == twin->key ? "` with other sizes or constants"
                                              : "` in another spelling: `" + (*of)->overlap + "`"),
                 twin->range);
        }
        if (free.empty())
          suggest_parting(d, inspection, *exam, *split, value, same);
        else
          d.helped(free);
        inspection.report(std::move(d), {stage.train, exam});
      } else if (value.is(Value::Kind::call) && free.empty() && !all) {
        const auto same = without_asked(answered(inspection, *split, value));
        if (same.empty()) continue;
        auto d = found(rules::exam_overlap, value.range,
                       "the data of `" + stage.train->name + "` may answer what `" + exam->name +
                           "` asks: " + task_list(same));
        d.note("the tasks of `" + exam->name + "`", split->range);
        const Value* exclude = value.entry("exclude");
        if (exclude != nullptr) d.note("the tasks that are left out", exclude->range);
        suggest_exclusion(d, inspection, *exam, value, exclude);
        inspection.report(std::move(d), {stage.train, exam});
      }
    }
  }
}

void check_exam_overlap(Inspection& inspection) {
  examine(inspection, inspection.evaluation());
  examine(inspection, inspection.dev());
}

}  // namespace

const Rule rules::exam_overlap{
    "exam_overlap",
    Severity::error,
    true,
    "A task that training has seen, in whatever sizes and spelling, measures memory instead of skill.",
    R"(import example
evaluation x : example.exam { split = example.hard[3..4] }
experiment e : example.study { evaluate = x }
)",
    R"(import example
evaluation x : example.exam { split = example.hard[2..4] }
experiment e : example.study { evaluate = x }
)",
    check_exam_overlap};

}  // namespace trl::language
