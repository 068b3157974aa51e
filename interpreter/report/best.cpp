// Finds the best row of each column of a table, if it is clearly better than all others.
#include <algorithm>

#include "interpreter/report/table.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

using contract::Better;

/// Returns the number of a table's row in the plan; nothing for a row that isn't in the plan: a part of a
/// row, or an imported one.
std::optional<std::size_t> number_in(const Plan& plan, const Row& row) {
  if (!row.part.empty()) return std::nullopt;
  for (std::size_t i = 0; i < plan.rows.size(); ++i)
    if (plan.rows[i].kind == row.kind && plan.rows[i].label == row.label) return i;
  return std::nullopt;
}

/// Whether the first row is clearly better than the second in the column.
bool beats(std::size_t first, std::size_t second, const Column& column, const Inference& inference) {
  Comparison comparison;
  comparison.pairs.push_back({first, second});
  const auto difference = inference.difference(comparison, column);
  if (!difference || !difference->clear() || difference->estimate.scope != Scope::recipe) return false;
  const double none = difference->common_tasks ? 1 : 0;
  return (difference->value > none) == (column.better == Better::higher);
}

}  // namespace

std::optional<std::size_t> clearly_best(const Table& table, std::size_t column, const Inference& inference) {
  const auto& facts = table.columns[column];
  if (facts.better == Better::unknown) return std::nullopt;
  const double sign = facts.better == Better::higher ? 1 : -1;
  struct Rival {
    std::size_t row;
    std::optional<std::size_t> in_plan;
    double merit;
  };
  std::vector<Rival> rivals;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto& row = *table.rows[i].row;
    if (const auto& value = table.rows[i].figures[column].value; value && row.part.empty())
      rivals.push_back({i, number_in(inference.evidence().plan(), row), sign * *value});
  }
  // The closest rival comes first, since it is the likeliest one that isn't clearly worse.
  std::stable_sort(rivals.begin(), rivals.end(),
                   [](const auto& a, const auto& b) { return a.merit > b.merit; });
  if (rivals.size() < 2 || !rivals.front().in_plan) return std::nullopt;
  const auto& best = rivals.front();
  const bool clear = std::all_of(rivals.begin() + 1, rivals.end(), [&](const Rival& rival) {
    return rival.in_plan ? beats(*best.in_plan, *rival.in_plan, facts, inference) : rival.merit < best.merit;
  });
  return clear ? std::optional(best.row) : std::nullopt;
}

bool is_best(const Table& table, const TableRow& row, std::size_t column) {
  return column < table.best.size() && table.best[column] && &table.rows[*table.best[column]] == &row;
}

std::string best_note(const Table& table, const char* mark) {
  const bool any =
      std::any_of(table.best.begin(), table.best.end(), [](const auto& row) { return row.has_value(); });
  return any ? fmt::format(
                   "{}: the best figure of its column, clear of every other row by the paired 95 % "
                   "interval of their difference.",
                   mark)
             : "";
}

std::string direction_mark(const Column& column) { return column.better == Better::lower ? " ↓" : ""; }

std::string direction_note(const Table& table) {
  const bool any = std::any_of(table.columns.begin(), table.columns.end(),
                               [](const Column& column) { return column.better == Better::lower; });
  return any ? "↓: less is better." : "";
}

}  // namespace trl::interpreter
