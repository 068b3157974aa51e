#include <fmt/format.h>

#include "base/support/counted.hpp"
#include "base/support/generations.hpp"
#include "base/support/kernelbench_results.hpp"
#include "base/support/named_path.hpp"
#include "language/check/endpoint.hpp"

namespace trl::language {
DECLARE_RULE(generations_absent)
namespace {

void check_generations_absent(Inspection& inspection) {
  const Value* weights = weights_called(inspection, "generations");
  const Resolved* evaluation = inspection.evaluation();
  if (weights == nullptr || weights->items.front().items.empty() || evaluation == nullptr) return;
  const auto report = [&](Severity severity, const Range& range, const std::string& what,
                          const std::string& help) {
    auto d = found(rules::generations_absent, range, what);
    d.severity = severity;
    d.note("the answers", weights->range);
    d.helped(help);
    inspection.report(std::move(d), {inspection.model(), evaluation});
  };
  if (const Value* turns = evaluation->field("turns"); turns != nullptr && turns->number() > 1)
    return report(Severity::error, turns->range,
                  fmt::format("`{}` has {} turns, and answers that were given can't be followed by others",
                              evaluation->name, turns->number()),
                  "leave `turns` out");
  const Value* split = evaluation->field("split");
  if (split == nullptr || !evaluation->sound("split")) return;
  if (report_trouble(inspection, rules::generations_absent, *weights)) return;
  const std::string written = weights->items.front().items.front().string();
  const auto folder = named_path(inspection.folder, written).lexically_normal();
  const Value* samples = evaluation->field("samples");
  const auto asked = samples == nullptr ? std::int64_t{1} : static_cast<std::int64_t>(samples->number(1));
  std::size_t absent = 0;
  std::string first;
  for (const SuiteTask* task : split->tasks) {
    const auto problem = problem_of(task->own, static_cast<std::int64_t>(task->id));
    if (!problem)
      return report(Severity::error, split->range,
                    fmt::format("`{}` is no task of KernelBench, and answers are found by level and problem",
                                task->text()),
                    "evaluate on suites whose `source` is kernelbench(…)");
    for (std::int64_t sample = 0; sample < asked; ++sample) {
      const auto file = folder / generation_file(problem->level, problem->number, sample);
      if (inspection.options.read(file.string())) continue;
      if (absent++ == 0) first = file.string();
    }
  }
  if (absent == 0) return;
  const std::size_t answers = split->tasks.size() * static_cast<std::size_t>(asked);
  const bool all = absent == answers;
  report(all ? Severity::error : Severity::warning, weights->items.front().range,
         all ? fmt::format("there is no answer to any task of `{}`", evaluation->name)
             : fmt::format("{} of the {} that `{}` asks for {} absent, and {}", absent,
                           counted(answers, "answer"), evaluation->name, absent == 1 ? "is" : "are",
                           absent == 1 ? "counts as a wrong one" : "count as wrong ones"),
         fmt::format("{} would be the first; name the folder of a run of KernelBench", first));
}

}  // namespace

const Rule rules::generations_absent{"generations_absent",
                                     Severity::error,
                                     true,
                                     "An answer that isn't there is judged as a wrong one, as KernelBench's "
                                     "own analysis does; a folder without "
                                     "any answer is another folder.",
                                     R"(import example
experiment e : example.study {}
)",
                                     R"(import example
model others { weights = generations(path("runs/others")) }
experiment e { model = others, evaluate = example.exam }
)",
                                     check_generations_absent};

}  // namespace trl::language
