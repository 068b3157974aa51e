#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// One figure: value, interval, and how many things it is over. No value where nothing could be measured.
struct Figure {
  std::optional<double> value;
  std::optional<Interval> interval;
  int n = 0;
};

struct TableRow {
  std::shared_ptr<const Row> row;  ///< of the plan, or one of its rows under one seed
  std::vector<Figure> figures;     ///< one a column
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<TableRow> rows;
};

/// A table's layout in the resolved document: `rows`, `columns`.
struct TableLayout {
  std::string name;
  nlohmann::json rows, columns;
};

/// Measures a table. All its stages must be in the store. The model as it came is always the last row.
Table make_table(const TableLayout& layout, const Evidence& evidence);

/// One figure of a row.
Figure figure_of(const Column& column, const Row& row, const Evidence& evidence);

/// The rows of a table: cells and controls as its layout says, with `seeds` under each seed too (or only so,
/// where neither is named), last the model as it came.
std::vector<std::shared_ptr<const Row>> rows_of(const TableLayout& layout, const Plan& plan);

/// "The model as it came, by the same exam: valid 93.3 [86.7, 98.3], …", the last line of a page.
std::string reference_line(const Table& table);

/// "inputs + stages", with "(= …)" for each folded cell.
std::string row_title(const Row& row);
/// What a row is called in a table: "inputs + stages", "base, as it came".
std::string row_label(const Row& row);

/// Value alone in the column's unit: "41.7".
std::string value_text(const Column& column, double value);
/// "[33.3, 50.0]", or nothing.
std::string interval_text(const Column& column, const std::optional<Interval>& interval);
/// "%", "s", or nothing.
std::string unit_text(const Column& column);
/// The n that all figures of a column share, 0 when they differ.
int common_n(const Table& table, std::size_t column);
/// Which cells a row stands for besides its own: one sentence where all rows fold alike, else one a row.
std::vector<std::string> folded_sentences(const Table& table);

/// The column by which rows are compared: correct where the table has it, else its first share.
std::optional<std::size_t> primary_column(const Table& table);

/// One line a row: row, kind, extensions, same_as, and of each column value, n, low, high.
/// Without `measured_seconds` columns that a re-run may change are left out.
std::string as_csv(const Table& table, bool measured_seconds);
nlohmann::json as_json(const Table& table);
/// Markdown tables of at most 80 columns where the labels allow it: as many columns side by side as fit.
std::string as_markdown(const Table& table);
/// What the columns mean and what their n counts, a line each.
std::string markdown_legend(const Table& table);

}  // namespace trl::interpreter
