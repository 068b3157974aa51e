// Writes a paper for pdfTeX.
#include "interpreter/report/latex.hpp"
#include "interpreter/paper/document.hpp"
#include "interpreter/report/typeset.hpp"
#include "interpreter/wrap.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <fmt/format.h>

namespace trl::interpreter::paper {
namespace {

constexpr const char* preamble = R"(\documentclass[10pt,twocolumn]{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,booktabs,graphicx}
\usepackage[font=small,labelfont=bf]{caption}
\usepackage[letterpaper,textwidth=7in,textheight=9.3in,columnsep=0.25in]{geometry}
\setlength{\emergencystretch}{3em}\setlength{\parskip}{0pt}
\setlength{\textfloatsep}{10pt plus 4pt}\setlength{\dbltextfloatsep}{10pt plus 4pt}
\renewcommand{\topfraction}{0.9}\renewcommand{\dbltopfraction}{0.9}
\renewcommand{\textfraction}{0.07}\renewcommand{\floatpagefraction}{0.8}\renewcommand{\dblfloatpagefraction}{0.8}
\renewcommand{\labelitemi}{$\bullet$}
\newcommand{\trlcolumn}{\columnwidth}
\newcommand{\lead}[1]{\smallskip\noindent\textbf{#1}\enspace}
\newcommand{\codeline}[1]{\noindent\hangindent=2em\texttt{#1}\par}
)";

/// Begins pages of one column. After a page of wide floats alone, LaTeX would keep the small height that they
/// have left.
constexpr const char* begin_one_column =
    "\n\\onecolumn\\makeatletter\\global\\@colht\\textheight\\global\\@colroom\\textheight"
    "\\global\\vsize\\textheight\\makeatother\n";

/// Returns the character at `at` in typewriter letters, and moves `at` to its last byte. In this font every
/// ASCII character has its own code, except straight quotes.
std::string typewritten(const std::string& text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at]);
  if (std::isalnum(byte) != 0 || std::string_view(".,:;/()[]=+*-").find(text[at]) != std::string_view::npos)
    return {text[at]};
  if (byte < 0x80)
    return fmt::format("{{\\char{}}}", byte == '\'' ? 13 : byte == '`' ? 18 : byte < 0x20 ? ' ' : byte);
  const auto begin = at;
  while (at + 1 < text.size() && (static_cast<unsigned char>(text[at + 1]) & 0xC0) == 0x80) ++at;
  return latex_escaped(text.substr(begin, at + 1 - begin));
}

/// Returns a name in typewriter letters. It may be broken at blanks and behind some punctuation, but not
/// within a number, and not if fewer than four letters would follow on the next line. A digest may be broken
/// behind every eight digits.
std::string code_in_latex(const std::string& text) {
  const bool digest = text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  std::string out = "\\texttt{";
  const auto is_digit = [&](std::size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i])) != 0;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool in_number = c == '.' && is_digit(i + 1);
    const bool last = std::min(text.find(' ', i + 1), text.size()) < i + 5;
    out += c == ' ' ? " " : typewritten(text, i);
    if (digest ? i % 8 == 7
               : !in_number && !last && std::string_view("._/(=,").find(c) != std::string_view::npos)
      out += "\\allowbreak{}";
  }
  return out + "}";
}

/// Returns a text with its names in typewriter letters and its references as LaTeX's references.
std::string in_latex(const std::string& text, const std::map<std::string, std::string>& names) {
  std::string out;
  each_span(text, [&](Span kind, const std::string& part) {
    if (kind == Span::code) {
      out += code_in_latex(part);
    } else if (kind == Span::label && names.contains(part)) {
      const auto& name = names.at(part);
      out += fmt::format("{}~\\ref{{{}}}", name.substr(0, name.find(' ')), part);
    } else {
      out += latex_escaped(typeset(part));
    }
  });
  return out;
}

/// Returns a line of a listing; its blanks are kept.
std::string code_line(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) out += line[i] == ' ' ? "\\ " : typewritten(line, i);
  return out;
}

/// The widths of a column and of the page's text in points, as the preamble has them.
constexpr double column_width = 243, page_width = 505;
/// The characters of typewriter letters of 8 pt that fit into a page's text of 7 in.
constexpr std::size_t listing_width = 112;
/// The height in points of a listing's blank line.
constexpr int blank_line = 3;

/// Whether a picture is a figure over both columns.
bool is_wide(const Picture& picture) { return picture.graphic.width() > narrow_picture; }
/// Whether a table is.
bool is_wide(const Table& table) { return narrowest_form(table, column_width) == LatexForm::wide; }

struct BlockInLatex {
  const std::map<std::string, std::string>& names;
  bool with_figures;
  std::string end_font;  ///< of the sections over the whole page

  /// The beginning of a section in small letters over the whole page; `}` ends it.
  std::string small_section(const std::string& title) const {
    return "\n\\section{" + in_latex(title, names) + "}\n{\\raggedbottom" + end_font +
           "\\selectfont\\setlength{\\parindent}{0pt}\n";
  }
  std::string text(const std::string& plain) const { return wrapped(in_latex(plain, names), 0, 100); }
  std::string operator()(const Section& section) const {
    return "\n\\section{" + in_latex(section.title, names) + "}\n";
  }
  std::string operator()(const Paragraph& paragraph) const {
    return "\n" + (paragraph.lead.empty() ? "" : "\\lead{" + in_latex(paragraph.lead, names) + "}\n") +
           text(paragraph.text) + "\n";
  }
  std::string operator()(const Items& items) const {
    std::string out =
        "\n\\begin{itemize}\\setlength{\\itemsep}{0pt}\\setlength{\\parsep}{0pt}\\raggedright\n";
    // `{}` is needed, since LaTeX would take a bracket directly behind the command for its argument.
    for (const auto& one : items.texts) out += "\\item{} " + text(one) + "\n";
    return out + "\\end{itemize}\n";
  }
  std::string operator()(const Equations& equations) const {
    std::string out;
    for (const auto& equation : equations.all) {
      if (const auto math = math_of(equation))
        out += "\\begin{equation*}\n" + *math + "\n\\end{equation*}\n";
      else
        out += "\\begin{quote}\\footnotesize\\raggedright\n" + code_in_latex(code_of(equation)) +
               "\n\\end{quote}\n";
    }
    return out;
  }
  std::string operator()(const TableFloat& table) const {
    LatexText written;
    written.label = table.label, written.caption = table.caption, written.notes = table.notes;
    written.form = narrowest_form(table.table, column_width);
    written.width = written.form == LatexForm::wide ? page_width : column_width;
    return "\n" + as_latex(table.table, written);
  }
  /// Returns the floats of the figures over one column or, with `wide`, over both.
  std::string floats(const Figures& figures, bool wide) const {
    std::string out;
    for (const auto& picture : figures.pictures)
      if (with_figures && is_wide(picture) == wide) out += "\n" + latex_figure(picture);
    return out;
  }
  std::string operator()(const Figures& figures) const {
    if (!with_figures && !figures.pictures.empty()) return {};
    return floats(figures, false) + "\n" + text(figures.text()) + "\n";
  }
  std::string operator()(const Digests& digests) const {
    auto out = small_section(digests.title);
    for (const auto& [what, digest] : digests.of)
      // The digest is put at the right end; if the name is long, on a line of its own.
      out += "\\noindent " + in_latex(what, names) +
             "\\unskip\\nobreak\\hfil\\penalty50\\hskip1em\\hbox{}\\nobreak\\hfil\\texttt{" + digest +
             "}{\\parfillskip=0pt\\par}\n";
    return out + "}\n";
  }
  std::string operator()(const Listing& listing) const {
    auto out = small_section(listing.title);
    std::size_t at = 0;
    while (at < listing.text.size()) {
      const auto end = std::min(listing.text.find('\n', at), listing.text.size());
      const auto line = listing.text.substr(at, end - at);
      at = end + 1;
      if (line.find_first_not_of(" \t") == std::string::npos) {
        out += fmt::format("\\vspace{{{}pt}}\n", blank_line);
        continue;
      }
      const auto indent = line.find_first_not_of(' ');
      const auto broken = std::string(indent, ' ') + wrapped(line.substr(indent), indent + 2, listing_width);
      for (std::size_t from = 0; from <= broken.size();) {
        const auto to = std::min(broken.find('\n', from), broken.size());
        out += "\\codeline{" + code_line(broken.substr(from, to - from)) + "}\n";
        from = to + 1;
      }
    }
    return out + "}\n";
  }
};

/// Estimates the height of a document's parts in points, from the number of lines that their letters fill in
/// the classes of the preamble.
struct BlockHeight {
  static constexpr double page = 672, line = 12, column_letters = 52, small_line = 9;

  static double lines(const std::string& text, double letters = column_letters) {
    return line * std::ceil(static_cast<double>(display_width(text)) / letters);
  }
  double operator()(const Section&) const { return 40; }
  double operator()(const Paragraph& paragraph) const { return 3 + lines(paragraph.lead + paragraph.text); }
  double operator()(const Items& items) const {
    double height = 16;
    for (const auto& text : items.texts) height += 6 + lines(text, column_letters - 5);
    return height;
  }
  double operator()(const Equations& equations) const {
    double height = 0;
    for (const auto& equation : equations.all) height += 24 + lines(code_of(equation));
    return height;
  }
  double operator()(const TableFloat& table) const {
    const bool wide = is_wide(table.table);
    double height = static_cast<double>(blocks_within(table.table, wide ? page_width : column_width)) *
                    (60 + 19.0 * static_cast<double>(table.table.rows.size()));
    for (const auto& note : table.notes) height += 2.0 / 3 * lines(note, (wide ? 2 : 1) * 75.0);
    // A float that leaves little room for text gets a page of its own.
    if (height > 0.7 * page) height = page * std::ceil(height / page);
    return (wide ? 2 : 1) * height;
  }
  double operator()(const Figures& figures) const {
    double height = lines(figures.text());
    for (const auto& picture : figures.pictures) {
      const bool wide = is_wide(picture);
      height += (wide ? 2 : 1) *
                (picture.graphic.height() + 30 + lines(picture.caption, (wide ? 2 : 1) * column_letters));
    }
    return height;
  }
  // Digests and listings are set over the whole page.
  double operator()(const Digests& digests) const {
    return 28 + small_line * static_cast<double>(digests.of.size());
  }
  double operator()(const Listing& listing) const {
    double height = 28;
    std::istringstream text(listing.text);
    for (std::string code; std::getline(text, code);)
      height += code.find_first_not_of(" \t") == std::string::npos
                    ? blank_line
                    : small_line * std::ceil(static_cast<double>(display_width(code)) / listing_width);
    return height;
  }
};

/// The number of pages that a document fills: pages of two columns, then pages in letters of 8 pt, or of 7 pt
/// if that saves a page.
struct Pages {
  int all = 0;
  const char* end_font = "";
};
Pages pages_of(const Document& document) {
  double columns = 180 + BlockHeight::lines(document.summary), at_end = 0;
  for (const auto& block : document.blocks) {
    const bool over_page = std::holds_alternative<Digests>(block) || std::holds_alternative<Listing>(block);
    (over_page ? at_end : columns) += std::visit(BlockHeight{}, block);
  }
  // Pages with floats aren't filled completely.
  constexpr double filled = 0.98, in_small_letters = 8.0 / 9;
  const double of_end = at_end / (filled * BlockHeight::page);
  const bool small = std::ceil(in_small_letters * of_end) < std::ceil(of_end);
  return {static_cast<int>(std::ceil(columns / (2 * filled * BlockHeight::page)) +
                           std::ceil((small ? in_small_letters : 1) * of_end)),
          small ? "\\fontsize{7}{8}" : "\\fontsize{8}{9}"};
}

}  // namespace

void fit(Document& document, int pages) {
  for (auto& block : document.blocks) {
    auto* figures = std::get_if<Figures>(&block);
    if (!figures) continue;
    while (!figures->pictures.empty() && pages_of(document).all > pages) {
      figures->left_out.insert(figures->left_out.begin(), figures->pictures.back().name);
      figures->pictures.pop_back(), figures->about.pop_back();
    }
    // LaTeX keeps the order of floats, so a wide float after a narrow one could move to a later page.
    Figures sorted;
    for (const bool wide : {true, false})
      for (std::size_t i = 0; i < figures->pictures.size(); ++i)
        if (is_wide(figures->pictures[i]) == wide)
          sorted.pictures.push_back(figures->pictures[i]), sorted.about.push_back(figures->about[i]);
    sorted.left_out = std::move(figures->left_out);
    *figures = std::move(sorted);
  }
}

std::string latex_document(const Document& document, bool with_figures) {
  const auto names = numbered(document);
  const BlockInLatex write{names, with_figures, pages_of(document).end_font};
  std::string out =
      std::string("% Written by `trl paper` from the store; the same results give the same bytes.\n") +
      preamble + "\\begin{document}\n\\twocolumn[\\begin{center}\n{\\LARGE\\bfseries " +
      in_latex(document.title, names) + "\\par}\n\\end{center}\\medskip]\n";
  if (!document.summary.empty())
    out += "\n\\begin{abstract}\n" + write.text(document.summary) + "\n\\end{abstract}\n";
  // LaTeX sets a float over both columns on a later page than its source's, so that wide ones stand first:
  // further back, a setting that fills the first page would move them to pages of their own.
  const auto is_wide_table = [](const Block& block) {
    const auto* table = std::get_if<TableFloat>(&block);
    return table && is_wide(table->table);
  };
  for (const auto& block : document.blocks) {
    if (is_wide_table(block)) out += std::visit(write, block);
    if (const auto* figures = std::get_if<Figures>(&block)) out += write.floats(*figures, true);
  }
  bool one_column = false;
  for (const auto& block : document.blocks) {
    const bool whole_page = std::holds_alternative<Digests>(block) || std::holds_alternative<Listing>(block);
    if (whole_page && !std::exchange(one_column, true)) out += begin_one_column;
    if (!is_wide_table(block)) out += std::visit(write, block);
  }
  return out + "\n\\end{document}\n";
}

}  // namespace trl::interpreter::paper
