#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(missing_margin)
namespace {

void check_missing_margin(Inspection& inspection) {
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *expect = hypothesis->field("expect"), *effect = hypothesis->field("smallest_effect");
    if (expect == nullptr || effect == nullptr || expect->string() != "same" || !effect->absent()) continue;
    auto d = found(rules::missing_margin, expect->range,
                   "`" + hypothesis->name + "` expects no difference, but doesn't say how small is none");
    d.helped(
        "say the smallest difference that would matter, `smallest_effect = 25%`; `trl power` says which this "
        "design can exclude");
    inspection.report(std::move(d), {hypothesis});
  }
}

}  // namespace

const Rule rules::missing_margin{"missing_margin",
                                 Severity::error,
                                 true,
                                 "No experiment shows a difference of exactly zero: `same` can only mean "
                                 "smaller than the smallest effect that matters.",
                                 R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2, samples = 4 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..5 }
hypothesis pace_is_harmless { of = e, contrast = example.pace, expect = same, smallest_effect = 25% }
)",
                                 R"(import example
experiment e : example.study { vary = subsets(example.pace), seeds = 1..5 }
hypothesis pace_is_harmless { of = e, contrast = example.pace, expect = same }
)",
                                 check_missing_margin};

}  // namespace trl::language
