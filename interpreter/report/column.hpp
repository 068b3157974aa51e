// The columns of a table as a file asks for them. base/contract/columns.def has what is known of each;
// column_parts.cpp finds their figures.
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

/// A verdict among those of all answers to its task.
struct Judged {
  const Column& column;
  const Verdict& verdict;
  int samples = 0, correct = 0;  ///< of the task's answers
  bool first = true;             ///< whether it is the first of them that is asked about
};

/// What a verdict adds to a column: nothing if the column doesn't count it. Of a geometric mean, a logarithm.
using OfVerdict = std::optional<double> (*)(const Judged&);
/// What a stage as a whole adds to a column: nothing if it isn't of a kind that counts.
using OfStage = std::optional<double> (*)(const Evidence&, const std::string& key);

struct Column : contract::ColumnFacts {
  using Unit = contract::ColumnUnit;
  std::string id;       ///< as files write it: "pass_at(1)"
  std::string title;    ///< "pass@1"
  std::string meaning;  ///< one line for the legend
  double argument = 0;
  std::variant<OfVerdict, OfStage> adds;
};

/// "share", "factor", "seconds", "count", "usd", as a table's JSON says it; share for another name.
std::string_view name_of(Column::Unit unit);
Column::Unit unit_named(std::string_view name);

/// A column without an argument, or with this one.
Column column_of(ColumnName which, double argument = 1);

/// Reads a column of a table: a name, or {"call", "args"}. Throws UserError, listing the columns that exist.
Column parse_column(const nlohmann::json& column);

/// The chance that one of k samples is correct, from n samples of which c are correct: 1 − C(n−c, k) / C(n,
/// k) (Chen et al. 2021). Nothing if k > n.
std::optional<double> pass_at(int k, int n, int c);

}  // namespace trl::interpreter
