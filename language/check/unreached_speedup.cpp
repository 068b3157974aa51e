#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(unreached_speedup)
namespace {

/// Papers report shares for speed-ups from half of PyTorch's speed on.
constexpr double out_of_reach = 20, far_slower = 0.3, percent = 100;

/// Reports a threshold far below 1, `fast(20%)`, where 20 % faster was meant.
void report_slower(Inspection& inspection, const Resolved& claim, const Value& column) {
  const Value& factor = column.items.front();
  const double meant = 1 + factor.number();
  auto d =
      found(rules::unreached_speedup, factor.range,
            fmt::format("`{}` counts kernels that take up to {:.3g} times as long as PyTorch: nearly every "
                        "correct one",
                        claim.name, 1 / factor.number()));
  d.helped(
      fmt::format("p is a factor: `{}({:.6g})` counts kernels that are {:.6g} % faster, and `correct` all "
                  "correct ones",
                  column.name, meant, 100 * factor.number()));
  d.suggest(fmt::format("write `{:.6g}`", meant), factor.range, fmt::format("{:.6g}", meant));
  inspection.report(std::move(d), {&claim});
}

void examine_threshold(Inspection& inspection, const Resolved& claim, const Value& column) {
  const auto* facts = column_of(column);
  if (facts == nullptr || column.items.empty() ||
      (facts->which != contract::ColumnName::fast &&
       facts->which != contract::ColumnName::fast_over_compiled))
    return;
  const Value& factor = column.items.front();
  if (!factor.given) return;
  if (factor.number() == 0) {
    auto every =
        found(rules::unreached_speedup, factor.range,
              fmt::format("every correct answer is faster than 0 times PyTorch: `{}(0)` is `correct`",
                          column.name));
    every.helped(fmt::format("`{}(1)` counts answers that are faster than PyTorch", column.name));
    every.suggest("write `1`", factor.range, "1");
    return inspection.report(std::move(every), {&claim});
  }
  if (factor.number() > 0 && factor.number() < far_slower) return report_slower(inspection, claim, column);
  if (!(factor.number() >= out_of_reach)) return;
  auto d = found(rules::unreached_speedup, factor.range,
                 fmt::format("`{}` counts kernels that are {:.6g} times as fast as PyTorch: there are hardly "
                             "any, so that `{}` is 0",
                             claim.name, factor.number(), column.name));
  const double meant = factor.number() > percent    ? factor.number() / percent
                       : factor.number() == percent ? 1
                                                    : 1 + factor.number() / percent;
  d.helped(fmt::format("p is a factor: `{}({:.6g})` counts kernels that are faster than {:.6g} times PyTorch",
                       column.name, meant, meant));
  d.suggest(fmt::format("write `{:.6g}`", meant), factor.range, fmt::format("{:.6g}", meant));
  inspection.report(std::move(d), {&claim});
}

void check_unreached_speedup(Inspection& inspection) {
  for (const auto& measure : inspection.measures())
    examine_threshold(inspection, *measure.claim, *measure.column);
  for (const Resolved* plot : inspection.plots)
    if (const Value* y = plot->field("y")) examine_threshold(inspection, *plot, *y);
}

}  // namespace

const Rule rules::unreached_speedup{"unreached_speedup",
                                    Severity::warning,
                                    true,
                                    "The thresholds of `fast` are factors, not percent: a threshold that no "
                                    "kernel reaches gives a column of zeros.",
                                    R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, fast(1.2)] }
)",
                                    R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, fast(120)] }
)",
                                    check_unreached_speedup};

}  // namespace trl::language
