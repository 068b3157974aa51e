// The parts of a paper about a study, independent of the format in which it is written (LaTeX, Markdown,
// HTML).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/formulas/expression.hpp"
#include "interpreter/report/graphic.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter::paper {

// In the texts, names stand between backticks, as in all sentences of a report, and references to tables and
// figures are marked by `reference`.

struct Section {
  std::string title;
};
struct Paragraph {
  std::string lead;  ///< a heading within the paragraph's first line; empty: none
  std::string text;
};
struct Items {
  std::vector<std::string> texts;
};
/// A definition such as r(c) = 0.7 + 0.3 min(speedup, 1).
struct Equation {
  std::string name;                     ///< "r", or "s.level2" for an s with an index
  std::vector<std::string> parameters;  ///< "c", whose members are shown by their own names
  formulas::Expression body;
};
struct Equations {
  std::vector<Equation> all;
};
struct TableFloat {
  Table table;
  std::string label;  ///< as LaTeX has it: "tab:ablation-main"
  std::string caption;
  std::vector<std::string> notes;
};
/// Figures, each with the clause of the text that refers to it. Both are left out together.
struct Figures {
  std::vector<Picture> pictures;
  std::vector<std::string> about;     ///< each picture's subject: "the effects with their intervals"
  std::vector<std::string> left_out;  ///< the names of pictures for which there is no room

  /// The sentences that refer to the figures and name the figures that are left out.
  std::string text() const;
};
/// A section with the digests of files, at the end of a document.
struct Digests {
  std::string title;
  std::vector<std::pair<std::string, std::string>> of;  ///< digests by the names of the digested things
};
struct Listing {
  std::string title, text;
};
using Block = std::variant<Section, Paragraph, Items, Equations, TableFloat, Figures, Digests, Listing>;

struct Document {
  std::string title;
  std::string summary;
  std::vector<Block> blocks;
};

/// Marks the place in a text where a table or a figure is referred to by its label.
std::string reference(const std::string& label);
/// The label of a picture's figure: "fig:main.effects".
std::string figure_label(const Picture& picture);

/// Leaves out figures, the last one first, until the document's LaTeX has at most `pages` pages, or until no
/// figure is left. The pages are estimated from the number of letters. Puts the figures that span both
/// columns first.
void fit(Document& document, int pages);

/// The tables and figures of a document by their labels, as a reader sees them: "Table 1", "Figure 2".
std::map<std::string, std::string> numbered(const Document& document);

/// A whole document for pdfTeX, in two columns, that needs amsmath, booktabs, caption, geometry and graphicx.
/// Figures are included as NAME.pdf from the document's folder, or left out without `with_figures`.
std::string latex_document(const Document& document, bool with_figures);
/// Markdown of at most 80 columns, as far as tables allow; pictures are NAME.svg in its folder.
std::string markdown_document(const Document& document);
/// One HTML page without scripts or external resources; pictures are inside.
std::string html_document(const Document& document);

/// Returns an equation in LaTeX's mathematics and its number of lines. Nothing if a line would be wider than
/// a column: the equation should then be printed as code.
std::optional<std::string> math_of(const Equation& equation);
/// An equation as the file's language writes it: "r(c) = if c.correct then 1 else 0".
std::string code_of(const Equation& equation);

/// Visits the parts of a text: plain text, a name that stood between backticks, or the label of a reference.
enum class Span { plain, code, label };
template <typename Visit>
void each_span(const std::string& text, Visit visit) {
  constexpr const char* marks = "`\x02\x03";
  for (std::size_t at = 0; at < text.size();) {
    const char mark = text[at];
    const char closing = mark == '`' ? '`' : '\x03';
    const auto end = mark == '`' || mark == '\x02' ? text.find(closing, at + 1) : std::string::npos;
    if (end != std::string::npos) {
      visit(mark == '`' ? Span::code : Span::label, text.substr(at + 1, end - at - 1));
      at = end + 1;
      continue;
    }
    const auto next = text.find_first_of(marks, at + 1);
    visit(Span::plain, text.substr(at, next - at));
    at = next == std::string::npos ? text.size() : next;
  }
}

}  // namespace trl::interpreter::paper
