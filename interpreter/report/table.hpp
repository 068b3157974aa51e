#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/column.hpp"

namespace trl::interpreter {

/// One figure: value, interval, and how many things it is over. No value where nothing could be measured.
struct Figure {
  std::optional<double> value;
  std::optional<Interval> interval;
  int n = 0;
};

struct TableRow {
  const Row* row = nullptr;
  std::vector<Figure> figures;  ///< one a column
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
Table make_table(const TableLayout& layout, const Plan& plan, const Store& store);

/// Throws UserError where `rows` asks for rows that this version doesn't make.
void check_rows(const TableLayout& layout);

/// "The model as it came, by the same exam: valid 93.3 [86.7, 98.3], …", the last line of a page.
std::string reference_line(const Table& table);

/// "inputs + stages", with "(= …)" for each folded cell.
std::string row_title(const Row& row);

/// Value alone and interval, in the column's unit: "41.7", "[33.3, 50.0]".
std::string value_text(const Column& column, double value);

/// One line a row: row, kind, extensions, same_as, and of each column value, n, low, high.
/// Without `measured_seconds` columns that a re-run may change are left out.
std::string as_csv(const Table& table, bool measured_seconds);
nlohmann::json as_json(const Table& table);
/// Markdown tables of at most 80 columns where the labels allow it: as many columns side by side as fit.
std::string as_markdown(const Table& table);

}  // namespace trl::interpreter
