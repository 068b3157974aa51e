// Writes a paper for pdfTeX.
#include "interpreter/report/latex.hpp"
#include "interpreter/paper/document.hpp"
#include "interpreter/wrap.hpp"

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

/// The character of typewriter letters that begins at `at`, which is moved to its last byte. The font has
/// every character of ASCII at its own place, but for straight quotes.
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

/// A name in typewriter, which may be broken at its blanks and behind some punctuation, and a digest behind
/// any eight digits.
std::string code_in_latex(const std::string& text) {
  const bool digest = text.size() >= 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  std::string out = "\\texttt{";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c == ' ' ? " " : typewritten(text, i);
    if (digest ? i % 8 == 7 : c == '.' || c == '_' || c == '/' || c == '(') out += "\\allowbreak{}";
  }
  return out + "}";
}

/// A text with its names in typewriter and its references resolved by LaTeX.
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

/// A line of a listing, with its blanks.
std::string code_line(const std::string& line) {
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) out += line[i] == ' ' ? "\\ " : typewritten(line, i);
  return out;
}

/// The characters of typewriter letters of 8 pt that fit into a page's text of 7 in.
constexpr std::size_t listing_width = 112;

struct BlockInLatex {
  const std::map<std::string, std::string>& names;
  bool with_figures;

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
    for (const auto& one : items.texts) out += "\\item " + text(one) + "\n";
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
    written.form = narrowest_form(table.table);
    return "\n" + as_latex(table.table, written);
  }
  std::string operator()(const Figures& figures) const {
    if (!with_figures) return {};
    std::string out;
    for (const auto& picture : figures.pictures) out += "\n" + latex_figure(picture);
    return out + "\n" + text(figures.text) + "\n";
  }
  std::string operator()(const Listing& listing) const {
    std::string out = "\n\\onecolumn\n\\section{" + in_latex(listing.title, names) +
                      "}\n{\\raggedbottom\\fontsize{8}{9}\\selectfont\\setlength{\\parindent}{0pt}\n";
    std::size_t at = 0;
    while (at < listing.text.size()) {
      const auto end = std::min(listing.text.find('\n', at), listing.text.size());
      const auto line = listing.text.substr(at, end - at);
      at = end + 1;
      if (line.find_first_not_of(" \t") == std::string::npos) {
        out += "\\vspace{3pt}\n";
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

}  // namespace

std::string latex_document(const Document& document, bool with_figures) {
  const auto names = numbered(document);
  const BlockInLatex write{names, with_figures};
  std::string out =
      std::string("% Written by `trl paper` from the store; the same results give the same bytes.\n") +
      preamble + "\\begin{document}\n\\twocolumn[\\begin{center}\n{\\LARGE\\bfseries " +
      in_latex(document.title, names) + "\\par}\n\\end{center}\\medskip]\n";
  if (!document.summary.empty())
    out += "\n\\begin{abstract}\n" + write.text(document.summary) + "\n\\end{abstract}\n";
  // LaTeX sets a float over both columns on a later page than its source's, so that wide tables stand early.
  const auto is_wide = [](const Block& block) {
    const auto* table = std::get_if<TableFloat>(&block);
    return table && narrowest_form(table->table) == LatexForm::wide;
  };
  std::string early;
  for (const auto& block : document.blocks)
    if (is_wide(block)) early += std::visit(write, block);
  int sections = 0;
  for (const auto& block : document.blocks) {
    if (std::holds_alternative<Section>(block) && ++sections == 2) out += std::exchange(early, "");
    if (!is_wide(block)) out += std::visit(write, block);
  }
  out += early;
  return out + "\n\\end{document}\n";
}

}  // namespace trl::interpreter::paper
