#include <fmt/format.h>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(turn_not_taken)
namespace {

void examine(Inspection& inspection, const Resolved& claim, const Value& column) {
  const Resolved* exam = inspection.evaluation();
  const Value* turns = exam->field("turns");
  if (turns == nullptr || !exam->sound("turns")) return;
  if (!asks_for(column, contract::ColumnName::correct_after) || column.items.empty()) return;
  const Value& wanted = column.items.front();
  if (wanted.number() <= turns->number()) return;
  auto d =
      found(rules::turn_not_taken, wanted.range,
            fmt::format("`correct_after({})` asks for a turn that no episode of `{}` comes to: it has {}",
                        wanted.number(), exam->name, turns->number()));
  if (turns->given) d.note("the exam's turns", turns->range);
  d.helped(fmt::format("give the exam `turns = {}`, or ask for `correct_after({})`", wanted.number(),
                       turns->number()));
  inspection.report(std::move(d), {&claim, exam});
}

void check_turn_not_taken(Inspection& inspection) {
  if (inspection.evaluation() == nullptr) return;
  for (const auto& [claim, column] : inspection.measures()) examine(inspection, *claim, *column);
}

}  // namespace

const Rule rules::turn_not_taken{
    "turn_not_taken",
    Severity::error,
    false,
    "A column about a turn that the exam never takes would repeat the column of its last turn.",
    R"(import example
evaluation x : example.exam { turns = 3 }
experiment e : example.study { evaluate = x, allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct_after(1), correct_after(3)] }
)",
    R"(import example
evaluation x : example.exam { turns = 2 }
experiment e : example.study { evaluate = x, allow(no_filter_control, "no claim is made here") }
table t { of = e, columns = [correct_after(1), correct_after(3)] }
)",
    check_turn_not_taken};

}  // namespace trl::language
