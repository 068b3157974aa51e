#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(second_baseline)
namespace {

void check_second_baseline(Inspection& inspection) {
  const Resolved* exam = inspection.evaluation();
  if (exam == nullptr || !exam->sound("second_baseline")) return;
  const Value* asked = exam->field("second_baseline");
  if (asked == nullptr || asked->string() != "none") return;
  for (const auto& [claim, column] : inspection.measures()) {
    if (!needs(*column, contract::ColumnNeeds::compiled_times)) continue;
    auto d = found(rules::second_baseline, column->range,
                   fmt::format("`{}` is over torch.compile's reference, which `{}` doesn't time",
                               called(*column), exam->name));
    d.helped(fmt::format("give `{}` the field `second_baseline = compiled`", exam->name));
    inspection.report(std::move(d), {claim, exam});
  }
}

}  // namespace

const Rule rules::second_baseline{"second_baseline",
                                  Severity::error,
                                  false,
                                  "A speed-up over a reference that no exam times is an empty column.",
                                  R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, speedup] }
)",
                                  R"(import example
experiment e : example.study { allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct, speedup_over_compiled] }
)",
                                  check_second_baseline};

}  // namespace trl::language
