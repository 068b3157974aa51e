#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

struct TableRow {
  std::shared_ptr<const Row> row;  ///< a row of the plan, or such a row under one seed
  std::vector<Figure> figures;     ///< one for each column
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<TableRow> rows;
  /// The varied settings beside extensions, as rows' levels name them: "writer.rank".
  std::vector<std::string> settings;
  std::vector<std::vector<std::string>> same_answers;  ///< labels of rows that gave the same exam answers
  std::vector<std::string> imported;  ///< a sentence about each row whose results were made elsewhere
};

/// Which environment of LaTeX a table is.
enum class LatexForm {
  table,   ///< as wide as a column of text
  wide,    ///< table*, over two columns
  tabular  ///< no float; caption and notes are comments
};
LatexForm latex_form(const std::string& name);

/// A table's layout in the resolved document: `rows`, `columns`.
struct TableLayout {
  std::string name;
  nlohmann::json rows, columns;
  LatexForm latex = LatexForm::table;
  bool full_notes = false;  ///< in LaTeX
};

/// Measures a table. All its stages must be in the store. The baseline is always the last row.
Table make_table(const TableLayout& layout, const Inference& inference);

/// The rows of a table: cells and controls as its layout says, with `seeds` also under each seed and with
/// `suites` also on each of the exam's suites (or only so, if neither is named), then the imported
/// rows, and last the baseline.
std::vector<std::shared_ptr<const Row>> rows_of(const TableLayout& layout, const Plan& plan);

/// The level of a setting in a row; empty for controls and the baseline, which have none.
std::string level_of(const Row& row, const std::string& setting);

/// "The baseline (`base`), by the same exam: valid 93.3 [86.7, 98.3], …", the last line of a page.
std::string reference_line(const Table& table);

/// A row's name in a table: "inputs + stages", "base (baseline)".
std::string row_label(const Row& row);

/// A number for machines: the shortest text within 12 digits that parses to the same number; empty for none.
std::string number(const std::optional<double>& value);
/// A value in the column's unit, without the unit: "41.7".
std::string value_text(const Column& column, double value);
/// "[33.3, 50.0]", with † if it is about these training runs only; empty without an interval.
std::string interval_text(const Column& column, const Figure& figure);
/// "recipe", or "these runs" if an interval is about these training runs only: the words in files.
const char* scope_name(Scope scope);
/// "%", "s", or nothing.
std::string unit_text(const Column& column);
/// "41.7 % [33.3, 50.0]": a figure that has a value.
std::string figure_text(const Column& column, const Figure& figure);
/// The n that all figures of a column share; 0 if they differ.
int common_n(const Table& table, std::size_t column);
/// Sentences about rows that readers must know: the cells that rows stand for besides their own (one sentence
/// if all rows fold alike, else one for each row), rows whose answers came out the same, and the sources of
/// imported rows.
std::vector<std::string> row_sentences(const Table& table);

/// The column by which rows are compared: `correct` if the table has it, else its first share.
std::optional<std::size_t> primary_of(const std::vector<Column>& columns);
std::optional<std::size_t> primary_column(const Table& table);

/// CSV with a line for each row: row, kind, extensions, same_as, and for each column value, n, low, high.
/// Without `measured_seconds`, columns that another run may change are left out.
std::string as_csv(const Table& table, bool measured_seconds);
nlohmann::json as_json(const Table& table);
/// Markdown tables of at most 80 columns if the labels allow it, each with as many columns as fit. The labels
/// and each column begin with their heading.
std::string markdown_table(const std::vector<std::string>& labels,
                           const std::vector<std::vector<std::string>>& columns);
std::string as_markdown(const Table& table);
/// The meaning of each column and the units of its n, in a line each.
std::string markdown_legend(const Table& table);

}  // namespace trl::interpreter
