// The columns that a table can have. evidence.hpp measures them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::interpreter {

struct Column {
  enum class Unit { percent, factor, seconds, count, usd };
  std::string id;       ///< as files write it: "pass_at(1)"
  std::string title;    ///< "pass@1"
  std::string counted;  ///< what n counts: "exam samples"
  std::string meaning;  ///< one line for the legend
  Unit unit = Unit::percent;
  bool measured_seconds = false;  ///< whether another run may give another figure
  std::string name;               ///< "pass_at"
  double argument = 0;
};

/// "share", "factor", "seconds", "count", "usd", as a table's JSON says it; share for another name.
std::string_view name_of(Column::Unit unit);
Column::Unit unit_named(std::string_view name);

/// Reads a column of a table: a name, or {"call", "args"}. Throws UserError, listing the columns that exist.
Column parse_column(const nlohmann::json& column);

/// Whether a column is of the answers of training instead of an exam's: purity, kernel_share.
bool of_training(const Column& column);

/// Whether a column of this name depends on kernel times.
bool of_times(std::string_view name);

/// What has to be known of imported results for a column of this name.
enum class ImportedColumn {
  always,          ///< it is known of any
  by_protocol,     ///< that KernelBench's protocol judged
  times,           ///< references' times
  compiled_times,  ///< those by torch.compile
  never            ///< it needs what verification here finds
};
ImportedColumn imported_column(std::string_view name);

/// The chance that one of k samples is correct, from n samples of which c are correct: 1 − C(n−c, k) / C(n,
/// k) (Chen et al. 2021). Nothing if k > n.
std::optional<double> pass_at(int k, int n, int c);

}  // namespace trl::interpreter
