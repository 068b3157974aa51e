#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

struct TableRow {
  std::shared_ptr<const Row> row;  ///< a row of the plan, or such a row under one seed or on one suite
  std::vector<Figure> figures;     ///< the figure in each column
};

struct Table {
  std::string name;
  std::vector<Column> columns;
  std::vector<TableRow> rows;
  /// For each column: the row that is marked as the best. Nothing if no row is clearly better than all others
  /// (best.cpp).
  std::vector<std::optional<std::size_t>> best{};
  /// The names of the varied settings that aren't extensions, as in `Row::levels`: "writer.rank".
  std::vector<std::string> settings;
  std::vector<std::vector<std::string>> same_answers;  ///< labels of rows that gave the same exam answers
  std::vector<std::string> without_text;  ///< a sentence about each server's model with answers without text
  std::vector<std::string> imported;      ///< a sentence about each row whose results were made elsewhere
  bool modelled = true;                   ///< whether kernel times are modelled instead of measured

  /// A column's title in a sentence, which says whether its times are modelled: "modelled speedup".
  std::string measure(std::size_t column) const {
    return (modelled && columns[column].of_times() ? "modelled " : "") + columns[column].title;
  }
};

/// The LaTeX environment of a table.
enum class LatexForm {
  table,   ///< `table`, for a paper of one column
  column,  ///< `table`, for a column of a paper of two
  wide,    ///< `table*`, over two columns of text
  tabular  ///< `tabular` without a float; caption and notes are comments in the source
};
LatexForm latex_form(const std::string& name);

/// A table's declaration in the resolved document: its `rows` and `columns`.
struct TableLayout {
  std::string name;
  nlohmann::json rows, columns;
  LatexForm latex = LatexForm::table;
  bool full_notes = false;         ///< whether the LaTeX table has all notes
  std::string caption{}, label{};  ///< empty: the default ones
};

/// Computes the figures of a table. All its stages must be in the store. The baseline is always the last row.
Table make_table(const TableLayout& layout, const Inference& inference);

/// The rows of a table: the cells and controls that its layout names, then the imported rows, and last the
/// baseline. If the layout names `seeds` or `suites`, the rows are also listed for each seed or each of the
/// exam's suites; only these are listed if it names neither cells nor controls.
std::vector<std::shared_ptr<const Row>> rows_of(const TableLayout& layout, const Plan& plan);

/// Returns the row of a table whose figure in a column is better than the figure of every other row, by the
/// paired 95 % intervals that findings use. Nothing if there is no such row, or in these cases: neither
/// direction of the column is better; an imported row, with which no row can be compared statistically, has a
/// figure that is as good; the intervals hold for these training runs only. Rows of single seeds or suites
/// are ignored.
///
/// The best of k rows is chosen by the figures that also test it, but it needs no adjustment for k: a test of
/// the highest row against each other row keeps its level for the selected row (Gutmann and Maymin 1987, "Is
/// the selected population the best?").
std::optional<std::size_t> clearly_best(const Table& table, std::size_t column, const Inference& inference);
bool is_best(const Table& table, const TableRow& row, std::size_t column);
/// A sentence that says which figures are marked, for the notes of a table; empty if none is.
std::string best_note(const Table& table, const char* mark);
/// Returns " ↓" for a column in which less is better, to stand behind the title. Returns an empty text for
/// other columns: in all of them that have a better direction, more is better.
std::string direction_mark(const Column& column);
/// A sentence that explains the arrow, for the notes of a table; empty if no column has an arrow.
std::string direction_note(const Table& table);

/// The level of a setting in a row; empty for controls and the baseline, which have no levels.
std::string level_of(const Row& row, const std::string& setting);

/// The last line of a page: "The baseline (`base`), by the same exam: valid 93.3 [86.7, 98.3], …".
std::string reference_line(const Table& table);

/// A row's name in a table: "inputs + stages", "base (baseline)".
std::string row_label(const Row& row);

/// A number for files that programs read: the shortest text of at most 12 digits that parses to the same
/// number. Empty if there is no value.
std::string number(const std::optional<double>& value);
/// A value in the column's unit, without the unit: "41.7".
std::string value_text(const Column& column, double value);
/// The interval of a figure: "[33.3, 50.0]", with † if it is about these training runs only. Empty if there
/// is no interval.
std::string interval_text(const Column& column, const Figure& figure);
/// The name of a scope in files: "recipe", or "these runs" for an interval that is about these training runs
/// only.
const char* scope_name(Scope scope);
/// The unit of a column's figures: "%", "s" or an empty text.
std::string unit_text(const Column& column);
/// A figure with its unit and interval: "41.7 % [33.3, 50.0]". The figure must have a value.
std::string figure_text(const Column& column, const Figure& figure);
/// The number of observations (`Figure::n`) behind each figure of a column, if all figures that have a value
/// share one number; otherwise 0.
int common_n(const Table& table, std::size_t column);
/// Sentences about rows that readers must know: other cells that were folded into a row (one sentence if all
/// rows fold alike, otherwise one for each row), rows whose answers are identical, and the sources of
/// imported rows.
std::vector<std::string> row_sentences(const Table& table);

/// The index of the primary column, by which rows are compared: `correct` if the table has this column,
/// otherwise the first column of shares.
std::optional<std::size_t> primary_of(const std::vector<Column>& columns);
std::optional<std::size_t> primary_column(const Table& table);

/// CSV with a line for each row. The fields are row, kind, extensions, same_as, and for each column: value,
/// n, low, high. If `measured_seconds` is false, columns of measured time are left out, since another run
/// would change them.
std::string as_csv(const Table& table, bool measured_seconds);
nlohmann::json as_json(const Table& table);
/// Markdown tables of at most 80 columns if the labels allow it, each with as many columns as fit. The first
/// text of `labels` and of each column is its heading.
std::string markdown_table(const std::vector<std::string>& labels,
                           const std::vector<std::vector<std::string>>& columns);
/// Returns the figures of a table in Markdown. With `set`, they are typeset for readers (`typeset`) and
/// arrows mark the columns in which less is better; otherwise names are written as programs and `trl trace`
/// write them. `as_markdown` adds the notes below the table.
std::string markdown_cells(const Table& table, bool set = false);
std::string as_markdown(const Table& table);
/// A line for each column with its meaning and the unit of its `n`.
std::string markdown_legend(const Table& table);

}  // namespace trl::interpreter
