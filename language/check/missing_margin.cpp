#include <fmt/format.h>

#include <cmath>
#include <string>

#include "language/check/planned.hpp"

namespace trl::language {
DECLARE_RULE(missing_margin)
namespace {

/// Suggests the smallest margin that the design can support, so that another rule doesn't report it
/// afterwards.
void suggest_margin(Diagnostic& d, Inspection& inspection, const Resolved& hypothesis) {
  d.helped("say the smallest difference that would matter, `smallest_effect = 25%`");
  auto planned = planned_for(inspection, hypothesis);
  if (!planned || !of_share(*hypothesis.field("metric"))) return;
  const bool one_seed = !planned->decidable();
  if (one_seed) planned->size.seeds = 3;
  const double* detected = inspection.options.slow->to<double>(
      power_question(std::string(rules::missing_margin.id), *planned, 0),
      [comparison = *planned] { return comparison.detectable().value_or(1); });
  if (detected == nullptr) return;
  const std::string margin = fmt::format("smallest_effect = {:.0f}%", std::ceil(100 * *detected - 1e-9));
  if (*detected >= 1) {
    d.helped(
        "say the smallest difference that would matter, `smallest_effect = 25%`; this design can exclude "
        "none, "
        "and `trl power` says which seeds and samples would");
  } else if (one_seed) {
    d.helped(
        "write `seeds = 1..3` in `" + inspection.experiment.name +
        "`, since one seed can't decide it, and the smallest difference that would matter: such a design "
        "can exclude one of `" +
        margin + "` or more");
  } else {
    d.helped("say the smallest difference that would matter: this design can exclude one of `" + margin +
             "` or more");
    if (const Value* expect = hypothesis.field("expect"); expect->given)
      d.suggest("write `" + margin + "`", {expect->range.file, expect->range.end, expect->range.end},
                ", " + margin);
  }
}

void check_missing_margin(Inspection& inspection) {
  for (const Resolved* hypothesis : inspection.hypotheses) {
    const Value *expect = hypothesis->field("expect"), *effect = hypothesis->field("smallest_effect");
    if (expect == nullptr || effect == nullptr || expect->string() != "same" || !effect->absent()) continue;
    auto d = found(rules::missing_margin, expect->range,
                   "`" + hypothesis->name + "` expects no difference, but doesn't say how small is none");
    suggest_margin(d, inspection, *hypothesis);
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
