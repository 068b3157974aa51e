// A table for a paper: LaTeX with booktabs, to be read in by \input.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// What stands around the figures.
struct LatexText {
  std::string label;               ///< "ablation-main", for \ref{tab:ablation-main}
  std::string caption;             ///< plain text
  std::vector<std::string> notes;  ///< below the table; names between backticks
};

/// A `table` environment no wider than the text of an article: columns that don't fit stand in a second block
/// below, of many rows in a second environment ("continued") with the same number. Every interval stands
/// under its figure.
std::string as_latex(const Table& table, const LatexText& text);

/// Any text as LaTeX that pdfTeX sets without further packages: special characters escaped, names between
/// backticks as typewriter, characters that it lacks as "?".
std::string latex_escaped(const std::string& text);

}  // namespace trl::interpreter
