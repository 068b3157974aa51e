#include <fmt/format.h>

#include <algorithm>

#include "language/check/free_tasks.hpp"

namespace trl::language {
DECLARE_RULE(tuned_on_exam)
namespace {

bool has_hypothesis(const Factor& factor, const Inspection& inspection) {
  return std::any_of(inspection.hypotheses.begin(), inspection.hypotheses.end(), [&](const Resolved* one) {
    const Value* contrast = one->field("contrast");
    if (!one->sound("contrast")) return true;  // the contrast with an error may be this one
    return contrast != nullptr &&
           std::find(factor.paths.begin(), factor.paths.end(), contrast->string()) != factor.paths.end();
  });
}

/// Reports rows that differ in settings about which no hypothesis claims anything: they only serve to choose
/// the best row, which must not be done on the exam.
void check_sweep(Inspection& inspection, const Resolved& exam) {
  if (inspection.design == nullptr || !inspection.claims_known || inspection.tables.empty())
    return;  // without a table nothing is chosen
  std::size_t rows = 1;
  std::string settings;
  for (const Factor& factor : inspection.design->factors) {
    if (factor.extension != nullptr || has_hypothesis(factor, inspection)) continue;
    rows *= factor.levels.size();
    settings += (settings.empty() ? "`" : ", `") + factor.name + "`";
  }
  if (rows < 3) return;
  const Value* vary = inspection.experiment.field("vary");
  auto d = found(
      rules::tuned_on_exam, vary->range,
      fmt::format("the best of {} rows would be chosen on `{}`, which is to judge them", rows, exam.name));
  d.note(fmt::format("no hypothesis is about {}", settings), vary->range);
  d.helped("choose by an evaluation on other tasks, `dev = …`, or declare a hypothesis about what is varied");
  inspection.report(std::move(d), {&exam});
}

void check_dev(Inspection& inspection, const Resolved& exam, const Value& dev) {
  const Resolved* evaluation = dev.declaration.get();
  const Value *asked = exam.field("split"),
              *split = evaluation == nullptr ? nullptr : evaluation->field("split");
  if (split == nullptr || asked == nullptr || !split->is(Value::Kind::tasks) ||
      !asked->is(Value::Kind::tasks))
    return;
  const auto same = overlapping(split->tasks, asked->tasks);
  if (same.empty()) return;
  const bool itself = evaluation == &exam || evaluation->name == exam.name;
  auto d =
      found(rules::tuned_on_exam, itself ? dev.range : split->range,
            itself ? "`dev` is the exam itself"
                   : "`" + evaluation->name + "` asks what `" + exam.name + "` asks: " + task_list(same));
  if (!itself) d.note("the tasks of the exam", asked->range);
  const std::string free = advice_for_dev(inspection, exam);
  d.helped(!free.empty()
               ? free
               : "give `dev` tasks that neither the exam nor training has, and name them in `exclude` of "
                 "written answers, too");
  inspection.report(std::move(d), {evaluation, &exam});
}

void check_tuned_on_exam(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  if (exam == nullptr) return;
  if (!inspection.experiment.sound("dev")) return;
  const Value* dev = inspection.experiment.field("dev");
  if (dev == nullptr || dev->absent())
    check_sweep(inspection, *exam);
  else
    check_dev(inspection, *exam, *dev);
}

}  // namespace

const Rule rules::tuned_on_exam{
    "tuned_on_exam",
    Severity::warning,
    true,
    "The best of many rows is partly the luckiest: the exam that chose it says too much of it.",
    R"(import windtunnel
import example
evaluation tuning : example.exam { split = windtunnel.level2[41..60] }
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { vary = grid(example.reinforce.epochs = [1, 2, 4]), dev = tuning, controls = [unfiltered] }
table t { of = e, rows = cells + controls }
)",
    R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { vary = grid(example.reinforce.epochs = [1, 2, 4]), controls = [unfiltered] }
table t { of = e, rows = cells + controls }
)",
    check_tuned_on_exam};

}  // namespace trl::language
