#include <fmt/format.h>

#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(other_protocol)
namespace {

/// Whether a task is a file of KernelBench's form, which its protocol judges.
bool is_a_file(const SuiteTask* task) {
  return task->is_lowered() && task->lowered().contains("module") && !task->lowered().contains("source");
}

void check_other_protocol(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  if (exam == nullptr || !exam->sound("also_by") || !exam->sound("split")) return;
  const Value* asked = exam->field("also_by");
  const Value* split = exam->field("split");
  if (asked == nullptr || split == nullptr || !split->is(Value::Kind::tasks)) return;
  if (asked->string() != "none") {
    if (std::none_of(split->tasks.begin(), split->tasks.end(), is_a_file)) {
      auto d = found(
          rules::other_protocol, asked->range,
          fmt::format("no task of `{}` is a file of KernelBench's, so its protocol judges none", exam->name));
      d.note("the exam's tasks", split->range);
      d.helped("leave `also_by` out, or take tasks of `kernelbench(path(…), level = …)`");
      inspection.report(std::move(d), {exam});
    }
    return;
  }
  for (const auto& [claim, column] : inspection.measures()) {
    if (!needs(*column, contract::ColumnNeeds::kernelbench_verdicts)) continue;
    auto d = found(rules::other_protocol, column->range,
                   fmt::format("`{}` shows KernelBench's verdicts, for which `{}` doesn't ask",
                               called(*column), exam->name));
    d.helped(fmt::format("give `{}` the field `also_by = kernelbench`", exam->name));
    inspection.report(std::move(d), {claim, exam});
  }
}

}  // namespace

const Rule rules::other_protocol{
    "other_protocol",
    Severity::error,
    false,
    "A column of another protocol's verdicts is empty where that protocol judges no answer.",
    R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, values] }
)",
    R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, kernelbench] }
)",
    check_other_protocol};

}  // namespace trl::language
