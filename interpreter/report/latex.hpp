// Writes a table for a paper: LaTeX with booktabs, to be included by \input.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// The text around the figures.
struct LatexText {
  std::string label;    ///< "ablation-main", for \ref{tab:ablation-main}
  std::string caption;  ///< plain text
  LatexForm form = LatexForm::table;
  std::vector<std::string> notes;  ///< below the table; names between backticks
};

/// A `table` environment no wider than an article's text, or the form that is asked for. Columns that don't
/// fit stand in a second block below, columns that measure the same kind of thing together, or, if there are
/// many rows, in a second environment ("continued") with the same number. Every interval stands under its
/// figure.
std::string as_latex(const Table& table, const LatexText& text);

/// Text as LaTeX that pdfTeX sets without further packages: special characters are escaped, names between
/// backticks are set in typewriter, and characters that it lacks become "?".
std::string latex_escaped(const std::string& text);

}  // namespace trl::interpreter
