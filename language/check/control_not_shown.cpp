#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(control_not_shown)
namespace {

/// Whether a table has a row for each control: `rows = cells + controls`.
bool shows_controls(const Resolved& table) {
  const Value* rows = table.field("rows");
  if (rows == nullptr) return true;  // the value of `rows` has an error
  return called(*rows) == "controls" ||
         std::any_of(rows->items.begin(), rows->items.end(),
                     [](const Value& part) { return called(part) == "controls"; });
}

void check_control_not_shown(Inspection& inspection) {
  const auto& experiment = inspection.experiment;
  const Value* controls = experiment.field("controls");
  if (controls == nullptr || controls->items.empty()) return;
  // An experiment without a table of its own is shown by the tables of others, or by a usual table.
  if (inspection.tables.empty() || !inspection.claims_known) return;
  const auto& tables = inspection.tables;
  if (std::any_of(tables.begin(), tables.end(), [](const Resolved* table) { return shows_controls(*table); }))
    return;
  const auto* shown = tables.front()->field("rows");
  auto d = found(rules::control_not_shown, shown->given ? shown->range : tables.front()->range,
                 "no table shows the controls of `" + experiment.name +
                     "`, which are trained and examined all the same");
  d.note("the controls", controls->range);
  for (const Resolved* hypothesis : inspection.hypotheses)
    if (const Value* against = hypothesis->field("against"); against != nullptr && !against->absent()) {
      d.note("what this hypothesis compares with isn't among the rows that readers see", against->range);
      break;
    }
  d.helped("write `rows = cells + controls`, or leave the controls out");
  inspection.report(std::move(d), {tables.front()});
}

}  // namespace

const Rule rules::control_not_shown{"control_not_shown",
                                    Severity::warning,
                                    true,
                                    "A control costs as much as a row, and tells readers something only "
                                    "beside the rows that it is a control of.",
                                    R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { controls = [unfiltered], seeds = 1..3 }
table main { of = e, rows = cells + controls }
)",
                                    R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study { controls = [unfiltered], seeds = 1..3 }
table main { of = e, rows = cells }
)",
                                    check_control_not_shown};

}  // namespace trl::language
