#include <fmt/format.h>

#include <algorithm>

#include "language/check/inspection.hpp"
#include "language/estimate/power.hpp"

namespace trl::language {
namespace {

/// The number of cells on each side of a hypothesis' comparison; 0 where it compares nothing that is varied.
double cells_a_side(const Resolved& hypothesis, const Design* design) {
  const Value* contrast = hypothesis.field("contrast");
  if (contrast == nullptr || contrast->absent()) return 1;  // it compares with one control
  if (design == nullptr) return 0;
  const std::string whole = contrast->string(), last = whole.substr(whole.rfind('.') + 1);
  for (std::size_t i = 0; i < design->factors.size(); ++i) {
    const Factor& factor = design->factors[i];
    const bool this_one = factor.extension != nullptr ? factor.extension->name == last
                                                      : std::find(factor.paths.begin(), factor.paths.end(),
                                                                  whole) != factor.paths.end();
    if (!this_one) continue;
    double first = 0, other = 0;
    for (const auto& cell : design->cells) {
      first += cell[i] == 0;
      other += cell[i] + 1 == factor.levels.size();
    }
    return std::min(first, other);
  }
  return 0;
}

void check_underpowered(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  const Value* split = exam == nullptr ? nullptr : exam->field("split");
  const Value* samples = exam == nullptr ? nullptr : exam->field("samples");
  const Value* seeds = inspection.experiment.field("seeds");
  if (split == nullptr || !split->is(Value::Kind::tasks) || samples == nullptr || seeds == nullptr) return;
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *effect = hypothesis->field("smallest_effect"), *alpha = hypothesis->field("alpha");
    const Value* metric = hypothesis->field("metric");
    if (effect == nullptr || effect->absent() || metric == nullptr || metric->string() == "speedup") continue;
    const double cells = cells_a_side(*hypothesis, inspection.design);
    if (cells < 1) continue;
    Comparison design;
    design.tasks = static_cast<double>(split->tasks.size());
    design.answers = samples->number() * static_cast<double>(seeds->items.size()) * cells;
    if (alpha != nullptr) design.alpha = alpha->number(design.alpha);
    const double wanted = effect->number(), detected = design.detectable();
    if (detected <= wanted) continue;
    const auto answers = design.answers_for(wanted);
    auto d = found(rules::underpowered, effect->range,
                   fmt::format("`{}` is about {:.3g} points, but this design detects only {:.3g} or more",
                               hypothesis->name, wanted * 100, detected * 100));
    d.note(fmt::format(
               "{} tasks × {} answers ({} sample{} × {} seed{} × {} cell{} a side), which within one task "
               "correlate by {}, are worth {:.0f} independent ones; an answer of one cell is {:.3g} points",
               design.tasks, design.answers, samples->number(), samples->number() == 1 ? "" : "s",
               seeds->items.size(), seeds->items.size() == 1 ? "" : "s", cells, cells == 1 ? "" : "s",
               Comparison::intra_class_correlation, design.independent_answers(),
               100 / (design.tasks * samples->number() * static_cast<double>(seeds->items.size()))),
           split->range);
    d.note(fmt::format(
        "standard error √(2 · {0} · {0} · (1 − {1}) / {2:.0f}) = {3:.3g} points, at a share of {4:.0f}% "
        "and with half of it paired out by task; × {5:.3g} for alpha {6:.3g}% and power {7:.0f}%",
        Comparison::share, Comparison::pairing, design.independent_answers(), design.standard_error() * 100,
        Comparison::share * 100, design.deviations(), design.alpha * 100, design.power * 100));
    d.helped(fmt::format(
        "{:.0f} tasks of as many answers would do{}", design.tasks_for(wanted),
        answers ? fmt::format(", or {:.0f} answers to each of these {} (samples × seeds × cells)", *answers,
                              design.tasks)
                : fmt::format("; no number of answers to {} tasks does, which are worth at most {:.0f}",
                              design.tasks, design.tasks / Comparison::intra_class_correlation)));
    inspection.report(std::move(d), {hypothesis, exam});
  }
}

}  // namespace

const Rule rules::underpowered{
    "underpowered",
    Severity::warning,
    true,
    "A design that cannot detect the smallest effect of interest cannot decide the hypothesis.",
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
    check_underpowered};

}  // namespace trl::language
