#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unequal_alpha)
namespace {

void check_unequal_alpha(Inspection& inspection) {
  const Resolved* first = nullptr;
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value* alpha = hypothesis->field("alpha");
    if (alpha == nullptr || !hypothesis->sound("alpha")) return;
    if (first == nullptr) first = hypothesis;
    const Value& other = *first->field("alpha");
    if (alpha->number() == other.number()) continue;
    auto d = found(rules::unequal_alpha, (alpha->given ? *alpha : other).range,
                   fmt::format("`{}` is judged at {:.4g}%, and `{}`, about the same experiment, at {:.4g}%",
                               hypothesis->name, 100 * alpha->number(), first->name, 100 * other.number()));
    if (alpha->given && other.given) d.note("the other", other.range);
    d.helped("`alpha` is the chance of any false claim among all hypotheses about `" +
             inspection.experiment.name + "`, and there is one: give them the same");
    return inspection.report(std::move(d), {hypothesis, first});
  }
}

}  // namespace

const Rule rules::unequal_alpha{"unequal_alpha",
                                Severity::warning,
                                true,
                                "Hypotheses about an experiment share one chance of a false claim, by Holm's "
                                "correction: with several nobody "
                                "can say which holds for them together.",
                                R"(import windtunnel
import example
extension inputs : multi_input {}
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace, inputs), seeds = 1..5 }
hypothesis pace_helps { of = e, contrast = example.pace, alpha = 1% }
hypothesis inputs_help { of = e, contrast = inputs, alpha = 1% }
)",
                                R"(import windtunnel
import example
extension inputs : multi_input {}
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace, inputs), seeds = 1..5 }
hypothesis pace_helps { of = e, contrast = example.pace, alpha = 1% }
hypothesis inputs_help { of = e, contrast = inputs, alpha = 5% }
)",
                                check_unequal_alpha};

}  // namespace trl::language
