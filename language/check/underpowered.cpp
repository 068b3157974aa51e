#include <fmt/format.h>

#include <cmath>

#include "language/check/inspection.hpp"
#include "language/estimate/power.hpp"

namespace trl::language {
namespace {

void check(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  const Value* samples = exam == nullptr ? nullptr : exam->field("samples");
  const Value *seeds = inspection.experiment.field("seeds"), *vary = inspection.experiment.field("vary");
  if (split == nullptr || !split->is(Value::Kind::tasks) || samples == nullptr || seeds == nullptr ||
      vary == nullptr || vary->name != "subsets" || vary->items.empty())
    return;
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *effect = hypothesis->field("smallest_effect"), *alpha = hypothesis->field("alpha");
    const Value* metric = hypothesis->field("metric");
    if (effect == nullptr || effect->absent() || metric == nullptr || metric->string() == "speedup") continue;
    const double pairs = std::exp2(static_cast<double>(vary->items.size()) - 1);
    Design design;
    design.tasks = static_cast<double>(split->tasks.size());
    design.answers = samples->number() * static_cast<double>(seeds->items.size()) * pairs;
    if (alpha != nullptr) design.alpha = alpha->number(design.alpha);
    const double wanted = effect->number(), detected = design.detectable();
    if (detected <= wanted) continue;
    const auto answers = design.answers_for(wanted);
    auto d = found(rules::underpowered, effect->range,
                   fmt::format("`{}` is about {:.3g} points, and this design detects {:.3g} or more",
                               hypothesis->name, wanted * 100, detected * 100));
    d.note(fmt::format(
               "{} tasks × {} answers ({} sample{} × {} seed{} × {} pair{} of cells), which of one task "
               "correlate by {}, are worth {:.0f} independent ones; an answer of one cell is {:.3g} points",
               design.tasks, design.answers, samples->number(), samples->number() == 1 ? "" : "s",
               seeds->items.size(), seeds->items.size() == 1 ? "" : "s", pairs, pairs == 1 ? "" : "s",
               Design::intra_class_correlation, design.independent_answers(),
               100 / (design.tasks * samples->number() * static_cast<double>(seeds->items.size()))),
           split->range);
    d.note(fmt::format(
        "standard error √(2 · {0} · {0} · (1 − {1}) / {2:.0f}) = {3:.3g} points, at a share of {4:.0f}% "
        "and with half of it paired out by task; × {5:.3g} for alpha {6:.3g}% and power {7:.0f}%",
        Design::share, Design::pairing, design.independent_answers(), design.standard_error() * 100,
        Design::share * 100, design.deviations(), design.alpha * 100, design.power * 100));
    d.helped(fmt::format(
        "{:.0f} tasks of as many answers would do{}", design.tasks_for(wanted),
        answers ? fmt::format(", or {:.0f} answers to each of these {} (samples × seeds × pairs)", *answers,
                              design.tasks)
                : fmt::format("; no number of answers to {} tasks does, which are worth at most {:.0f}",
                              design.tasks, design.tasks / Design::intra_class_correlation)));
    inspection.report(std::move(d), {hypothesis, exam});
  }
}

}  // namespace

const Rule rules::underpowered{
    "underpowered",
    Severity::warning,
    true,
    "A design that cannot detect the smallest effect of interest decides nothing, whatever it costs.",
    R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..5 }
hypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = 15% }
)",
    R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2[1..20] }
experiment e : example.study { evaluate = x, vary = subsets(example.pace) }
hypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = 4% }
)",
    check};

}  // namespace trl::language
