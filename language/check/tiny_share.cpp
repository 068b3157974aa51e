#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(tiny_share)
namespace {

/// A field whose share has no effect if it is below `least`, as in `0.05%` where 0.05 was meant, and the
/// usual values.
struct Limit {
  const char* field;
  double least;
  const char* usual;
};
constexpr Limit limits[] = {
    {"dropout", 0.01, "5% to 10%"}, {"warmup", 0.005, "3% to 10%"}, {"top_p", 0.05, "90% to 100%"}};

void examine_small_shares(Inspection& inspection, const Resolved& declared) {
  for (const Limit& limit : limits) {
    const Value* value = declared.field(limit.field);
    if (value == nullptr || !value->given || !value->plain.is_number()) continue;
    const double share = value->number();
    if (share <= 0 || share >= limit.least) continue;
    constexpr double percent = 100;
    auto d = found(rules::tiny_share, value->range,
                   fmt::format("`{}` is {:.6g}%, which is next to nothing", limit.field, percent * share));
    const double meant = percent * share;  // as a share: 0.05% is 0.0005, and 0.05 is 5%
    d.helped(fmt::format("{} is usual; {:.6g} is `{:.6g}%`", limit.usual, meant, percent * meant));
    if (meant <= 1)
      d.suggest(fmt::format("write `{:.6g}%`", percent * meant), value->range,
                fmt::format("{:.6g}%", percent * meant));
    inspection.report(std::move(d), {&declared});
  }
}

void check_tiny_share(Inspection& inspection) {
  if (const Resolved* adapter = inspection.adapter()) examine_small_shares(inspection, *adapter);
  for (const auto& stage : inspection.stages()) examine_small_shares(inspection, *stage.train);
  for (const Resolved* evaluation : inspection.evaluations()) examine_small_shares(inspection, *evaluation);
}

}  // namespace

const Rule rules::tiny_share{
    "tiny_share",
    Severity::warning,
    true,
    "`0.05%` is 0.0005: a share that is written both as a number below 1 and with a percent "
    "sign is a hundredth of what was meant.",
    R"(import example
lora l { rank = 8, dropout = 5% }
experiment e : example.study { adapter = l }
)",
    R"(import example
lora l { rank = 8, dropout = 0.05% }
experiment e : example.study { adapter = l }
)",
    check_tiny_share};

}  // namespace trl::language
