// Writes a table for a paper: LaTeX with booktabs, to be included by \input.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/graphic.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// The text around a table in LaTeX.
struct LatexText {
  std::string label;    ///< "tab:ablation-main", of letters, digits and ":.-"
  std::string caption;  ///< plain text
  LatexForm form = LatexForm::table;
  std::vector<std::string> notes;  ///< sentences below the table, with names between backticks
  double width = 0;  ///< the width of the text around a float, in points; 0: the least of papers of the form
};

/// The table as LaTeX in the environment `text.form`; a `table` is no wider than an article's text. Columns
/// that don't fit are dealt out evenly to blocks below each other or, if there are many rows, in a second
/// environment
/// ("continued") with the same number. Columns that measure the same kind of quantity stay together. Shares
/// of the same things have a head over them. Every interval is printed under its figure.
std::string as_latex(const Table& table, const LatexText& text);

/// Returns the narrowest form of a float, in a paper of two columns that are `column_width` points wide, in
/// which all columns of the table fit beside each other. Returns `wide` if no form is wide enough and the
/// table has to be split.
LatexForm narrowest_form(const Table& table, double column_width);
/// Returns the number of blocks into which the columns of a table are split, one below the other, if the
/// table may be `width` points wide.
std::size_t blocks_within(const Table& table, double width);

/// A figure that includes NAME.pdf as wide as a column or, for wide pictures, over both.
std::string latex_figure(const Picture& picture);

/// A text as LaTeX that pdfTeX sets without further packages. Special characters are escaped, names between
/// backticks are set in typewriter, and characters that pdfTeX lacks become "?".
std::string latex_escaped(const std::string& text);

}  // namespace trl::interpreter
