#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(curriculum_saturated)
namespace {

void check_curriculum_saturated(Inspection& inspection) {
  constexpr double rounding = 1e-9;
  for (const Resolved* extension : inspection.extensions()) {
    const Value* share = extension->field("share");
    if (share == nullptr || !share->is(Value::Kind::map)) continue;
    for (const auto& [group, value] : share->entries) {
      if (!value.is(Value::Kind::formula) || names_asked(value.formula, "accuracy").empty()) continue;
      const formulas::Interval all = bound(value.formula, ranges_of(value, inspection.schema));
      if (all.high - all.low > rounding) continue;
      auto d = found(
          rules::curriculum_saturated, value.range,
          fmt::format("the share of `{}` is {:.6g} whatever the accuracy: it is saturated from the start",
                      group, all.low));
      d.helped(fmt::format(
          "write the constant `{:.6g}`, or let it move: `0.1 + 0.4 * min(accuracy(…) / 0.4, 1)`", all.low));
      d.suggest("write the constant", value.range, fmt::format("{:.6g}", all.low));
      inspection.report(std::move(d), {extension});
    }
  }
}

}  // namespace

const Rule rules::curriculum_saturated{
    "curriculum_saturated",
    Severity::warning,
    true,
    "A curriculum that is saturated from the start is a fixed mix, although it is reported as adaptive.",
    R"(import example
extension p : adaptive_curriculum { share { hard = 0.1 + 0.4 * min(accuracy(easy) / 0.4, 1), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
    R"(import example
extension p : adaptive_curriculum { share { hard = 0.4 * min((accuracy(easy) + 1) / 0.4, 1), easy = rest } }
experiment e : example.study { vary = subsets(p) }
)",
    check_curriculum_saturated};

}  // namespace trl::language
