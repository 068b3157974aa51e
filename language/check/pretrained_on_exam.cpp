#include "language/check/free_tasks.hpp"

namespace trl::language {
DECLARE_RULE(pretrained_on_exam)
namespace {

void examine(Inspection& inspection, const Resolved* exam) {
  const Resolved* model = inspection.model();
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  const Value* weights = model == nullptr ? nullptr : model->field("weights");
  if (split == nullptr || !split->is(Value::Kind::tasks) || weights == nullptr ||
      !weights->is(Value::Kind::call))
    return;
  const auto [path, keys] = seen_tasks(inspection, split->tasks);
  if (keys == nullptr) return;
  const SeenKeys& seen = *keys;
  std::vector<const SuiteTask*> same;
  const SuiteTask* respelt = nullptr;
  for (const SuiteTask* t : split->tasks)
    if (const auto at = seen.find(t->overlap); at != seen.end()) {
      same.push_back(t);
      if (respelt == nullptr && at->second != t->key) respelt = t;
    }
  if (same.empty()) return;
  auto d = found(
      rules::pretrained_on_exam, split->range,
      "the weights of `" + model->name + "` have seen tasks of `" + exam->name + "`: " + task_list(same));
  d.note("by the manifest `" + path + "`", weights->range);
  if (respelt != nullptr)
    d.note("`" + respelt->text() + "` is there as `" + seen.at(respelt->overlap) + "`", respelt->range);
  d.helped("take them out of `" + exam->name +
           "`: \"keys\" of that manifest are all tasks that the weights have seen, and a task with another "
           "operator is new to them");
  inspection.report(std::move(d), {model, exam});
}

void check_pretrained_on_exam(Inspection& inspection) {
  examine(inspection, inspection.evaluation());
  examine(inspection, inspection.dev());
}

}  // namespace

const Rule rules::pretrained_on_exam{
    "pretrained_on_exam",
    Severity::error,
    true,
    "An exam of what the model was pretrained on, in whatever spelling, measures memory, not skill.",
    R"(import windtunnel
import example
suite mine { task t[M = 64, N = 256](x: f32[M, N]) = sinh(elu(x)) }
model small { weights = windtunnel.base }
evaluation x : example.exam { split = mine }
experiment e : example.study { model = small, evaluate = x }
)",
    R"(import windtunnel
import example
suite mine { task t[M = 64, N = 256](x: f32[M, N]) = cos(elu(x)) }
model small { weights = windtunnel.base }
evaluation x : example.exam { split = mine }
experiment e : example.study { model = small, evaluate = x }
)",
    check_pretrained_on_exam};

}  // namespace trl::language
