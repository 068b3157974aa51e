#include <fmt/format.h>

#include <algorithm>

#include "language/check/inspection.hpp"

namespace trl::language {
DECLARE_RULE(speedup_alone)
namespace {

using contract::ColumnName;

/// Whether a column is a mean over correct answers alone.
bool of_correct_answers(const Value& column) {
  const auto* facts = column_of(column);
  return facts != nullptr && facts->mean == contract::Mean::geometric;
}

/// Whether a column tells how many answers are correct.
bool tells_correct(const Value& column) {
  const auto* facts = column_of(column);
  if (facts == nullptr) return true;  // its value has an error
  constexpr ColumnName telling[] = {ColumnName::correct, ColumnName::pass_at, ColumnName::fast,
                                    ColumnName::correct_after, ColumnName::fast_over_compiled};
  return std::find(std::begin(telling), std::end(telling), facts->which) != std::end(telling);
}

void check_speedup_alone(Inspection& inspection) {
  if (!inspection.claims_known || inspection.tables.empty()) return;  // a usual table shows both
  const auto measures = inspection.measures();
  const auto first = std::find_if(measures.begin(), measures.end(), [](const Inspection::Measure& measure) {
    return of_correct_answers(*measure.column);
  });
  if (first == measures.end() || !first->column->given ||
      std::any_of(measures.begin(), measures.end(),
                  [](const Inspection::Measure& measure) { return tells_correct(*measure.column); }))
    return;
  auto d = found(rules::speedup_alone, first->column->range,
                 fmt::format("`{}` is a mean over correct answers, and nothing says how many are correct: a "
                             "row that answers the easy tasks alone looks fast",
                             called(*first->column)));
  d.note("of", first->claim->range);
  d.helped(
      "add `correct` to `columns` of a table, or take `fast(1.0)`, the share of all answers that are "
      "correct and faster");
  if (first->claim->kind == "table")
    d.suggest("write `correct` before it",
              {first->column->range.file, first->column->range.begin, first->column->range.begin},
              "correct, ");
  inspection.report(std::move(d), {first->claim});
}

}  // namespace

const Rule rules::speedup_alone{
    "speedup_alone",
    Severity::warning,
    true,
    "Answers that fail have no speedup: a mean over the others rises where only easy tasks are still solved.",
    R"(import example
experiment e : example.study { seeds = 1..3, train = none, adapter = none }
table main { of = e, columns = [correct, speedup] }
)",
    R"(import example
experiment e : example.study { seeds = 1..3, train = none, adapter = none }
table main { of = e, columns = [valid, speedup] }
)",
    check_speedup_alone};

}  // namespace trl::language
