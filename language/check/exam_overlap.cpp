#include <algorithm>
#include <map>
#include <set>

#include "language/check/inspection.hpp"

namespace trl::language {
namespace {

void examine(Inspection& inspection, const Resolved* exam) {
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  if (split == nullptr || !split->is(Value::Kind::tasks)) return;
  for (const auto& stage : inspection.stages()) {
    for (const auto& [name, value] : stage.train->fields) {
      if (value.is(Value::Kind::tasks)) {
        std::map<std::string, const SuiteTask*> trained;
        for (const SuiteTask* t : value.tasks) trained.emplace(t->overlap, t);
        std::vector<const SuiteTask*> same;
        const SuiteTask *twin = nullptr, *of = nullptr;
        for (const SuiteTask* t : split->tasks) {
          const auto at = trained.find(t->overlap);
          if (at == trained.end()) continue;
          same.push_back(t);
          if (at->second != t && twin == nullptr) {
            twin = at->second;
            of = t;
          }
        }
        if (same.empty()) continue;
        auto d = found(
            rules::exam_overlap, split->range,
            "`" + exam->name + "` examines what `" + stage.train->name + "` trains on: " + task_list(same));
        d.note("the tasks of training", value.range);
        if (twin != nullptr)
          d.note("`" + of->text() + "` is `" + twin->text() +
                     (of->key == twin->key ? "` with other sizes or constants"
                                           : "` in another spelling: `" + of->overlap + "`"),
                 twin->range);
        d.helped("take them out of one of the two");
        inspection.report(std::move(d), {stage.train, exam});
      } else if (value.is(Value::Kind::call)) {
        const CorpusTasks corpus = corpus_tasks(value, inspection.suites);
        std::set<std::string> keys;
        for (const SuiteTask* t : corpus.tasks) keys.insert(t->overlap);
        std::vector<const SuiteTask*> same;
        for (const SuiteTask* t : split->tasks) {
          if (corpus.any ? !corpus.excluded.contains(t->overlap) : keys.contains(t->overlap))
            same.push_back(t);
        }
        if (same.empty()) continue;
        auto d = found(rules::exam_overlap, value.range,
                       "the data of `" + stage.train->name + "` may answer what `" + exam->name +
                           "` asks: " + task_list(same));
        d.note("the tasks of `" + exam->name + "`", split->range);
        d.helped("add `exclude = …` with these tasks");
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
