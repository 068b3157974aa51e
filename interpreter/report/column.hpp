// The columns of a table as a .trl file names them. base/contract/columns.def lists the facts about each
// column; column_parts.cpp computes the figures.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/contract/columns.hpp"

namespace trl::interpreter {

using contract::ColumnName;
using contract::ColumnNeeds;
using contract::Mean;
using contract::MeasuredOn;

class Evidence;
struct Column;
struct Verdict;

/// A verdict together with counts over all answers to the same task.
struct Judged {
  const Column& column;
  const Verdict& verdict;
  int samples = 0, correct = 0;  ///< the number of the task's answers, and of its correct answers
  bool first = true;             ///< whether this is the first of the task's verdicts that the figure visits
};

/// Returns the number that a verdict adds to a column's figure, or nothing if the column doesn't count the
/// verdict. For a geometric mean, the number is a logarithm.
using OfVerdict = std::optional<double> (*)(const Judged&);
/// Returns the number that a whole stage adds to a column's figure, or nothing if the column doesn't count
/// stages of this kind.
using OfStage = std::optional<double> (*)(const Evidence&, const std::string& key);

struct Column : contract::ColumnFacts {
  using Unit = contract::ColumnUnit;
  std::string id;       ///< the column as files write it: "pass_at(1)"
  std::string title;    ///< the heading in tables: "pass@1"
  std::string meaning;  ///< a description of the column for the table's legend, on one line
  double argument = 0;
  std::variant<OfVerdict, OfStage> adds;
};

/// The unit's name in a table's JSON: "share", "factor", "seconds", "count" or "usd".
std::string_view name_of(Column::Unit unit);
Column::Unit unit_named(std::string_view name);

/// The column of this name. `argument` counts only if the column takes one, such as k of `pass_at(k)`.
Column column_of(ColumnName which, double argument = 1);

/// Reads a column of a table: a name, {"call", "args"}, or a call of `titled` that gives either of them
/// another title. Throws UserError, which lists all columns.
Column parse_column(const nlohmann::json& column);

/// The chance that one of k samples is correct, from n samples of which c are correct: 1 − C(n−c, k) / C(n,
/// k) (Chen et al. 2021). Nothing if k > n.
std::optional<double> pass_at(int k, int n, int c);

}  // namespace trl::interpreter
