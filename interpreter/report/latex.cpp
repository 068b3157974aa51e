#include "interpreter/report/latex.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr double text_width = 340, column_gap = 8;
constexpr std::size_t rows_beside_another_block = 8;

/// The width in points of text at a font size, for the average width of Computer Modern's characters.
double points_of(const std::string& text, double size) {
  return 0.53 * size * static_cast<double>(text.size());
}

const std::map<char, const char*>& special() {
  static const std::map<char, const char*> table = {{'\\', "\\textbackslash{}"},
                                                    {'{', "\\{"},
                                                    {'}', "\\}"},
                                                    {'$', "\\$"},
                                                    {'&', "\\&"},
                                                    {'#', "\\#"},
                                                    {'_', "\\_"},
                                                    {'%', "\\%"},
                                                    {'~', "\\textasciitilde{}"},
                                                    {'<', "\\textless{}"},
                                                    {'|', "\\textbar{}"},
                                                    {'>', "\\textgreater{}"},
                                                    {'^', "\\textasciicircum{}"},
                                                    {'"', "''"}};
  return table;
}

const std::map<std::uint32_t, const char*>& beyond_ascii() {
  static const std::map<std::uint32_t, const char*> table = {
      {0x2013, "--"},        {0x2014, "---"},       {0x2018, "`"},        {0x2019, "'"},
      {0x201C, "``"},        {0x201D, "''"},        {0x2026, "\\dots{}"}, {0x2192, "$\\to$"},
      {0x00D7, "$\\times$"}, {0x00B1, "$\\pm$"},    {0x2264, "$\\le$"},   {0x2265, "$\\ge$"},
      {0x2212, "$-$"},       {0x00B5, "$\\mu$"},    {0x03BC, "$\\mu$"},   {0x00A0, "~"},
      {0x2260, "$\\ne$"},    {0x2248, "$\\approx$"}};
  return table;
}

/// The code point at an offset of UTF-8 text, and its number of bytes; U+FFFD and 1 for invalid bytes.
std::pair<std::uint32_t, std::size_t> code_point(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(i < text.size() ? text[i] : 0); };
  const unsigned char first = byte(at);
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1;
  if (length == 1) return {0xFFFD, 1};
  std::uint32_t value = first & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {0xFFFD, 1};
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  return {value, length};
}

std::string heading(const Column& column) {
  const auto unit = unit_text(column);
  return latex_escaped(column.title + (unit.empty() ? "" : " (" + unit + ")"));
}

std::string value_cell(const Column& column, const Figure& figure, bool with_n) {
  if (!figure.value) return "--";
  auto text = value_text(column, *figure.value);
  if (text.starts_with('-')) text = "$-$" + text.substr(1);
  return with_n ? fmt::format("{} {{\\scriptsize({})}}", text, figure.n) : text;
}

std::string interval_cell(const Column& column, const Figure& figure) {
  return figure.value && figure.interval ? fmt::format("{{\\scriptsize {}}}", interval_text(column, figure))
                                         : "";
}

double points_of(const Table& table, std::size_t column) {
  double width = points_of(table.columns[column].title + " (%)", 8);
  for (const auto& row : table.rows) {
    const auto& figure = row.figures[column];
    width = std::max(width, points_of(interval_text(table.columns[column], figure), 7));
    if (figure.value)
      width = std::max(width, points_of(value_text(table.columns[column], *figure.value) + " (000)", 8));
  }
  return width + column_gap;
}

/// A block with some of the columns. Each row has two lines: figures, intervals.
std::string block(const Table& table, std::size_t begin, std::size_t end) {
  std::string text = "\\begin{tabular}{@{}l" + std::string(end - begin, 'c') + "@{}}\n\\toprule\nrow";
  std::vector<int> counts;
  for (std::size_t i = begin; i < end; ++i) text += " & " + heading(table.columns[i]);
  text += " \\\\\n";
  for (std::size_t i = begin; i < end; ++i) {
    counts.push_back(common_n(table, i));
    text +=
        counts.back() ? fmt::format(" & {{\\scriptsize $n={}$}}", counts.back()) : " & {\\scriptsize ($n$)}";
  }
  text += " \\\\\n\\midrule\n";
  for (const auto& row : table.rows) {
    if (row.row->kind != Row::Kind::cell && &row != &table.rows.front() &&
        (&row - 1)->row->kind == Row::Kind::cell)
      text += "\\midrule\n";
    auto label = row_label(*row.row);
    for (std::size_t at; (at = label.find("->")) != std::string::npos;) label.replace(at, 2, "\u2192");
    text += latex_escaped(label);
    std::string below;
    for (std::size_t i = begin; i < end; ++i) {
      text += " & " + value_cell(table.columns[i], row.figures[i], counts[i - begin] == 0);
      below += " & " + interval_cell(table.columns[i], row.figures[i]);
    }
    text += " \\\\[-2pt]\n" + below + " \\\\\n";
  }
  return text + "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace

std::string latex_escaped(const std::string& text) {
  std::string out;
  bool typewriter = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<unsigned char>(c) >= 0x80) {
      const auto [point, length] = code_point(text, i);
      if (const auto found = beyond_ascii().find(point); found != beyond_ascii().end())
        out += found->second;
      else if (point >= 0xC0 && point <= 0xFF && point != 0xD0 && point != 0xF0 && point != 0xDE &&
               point != 0xFE)
        out += text.substr(i, length);
      else
        out += '?';
      i += length;
      continue;
    }
    ++i;
    if (c == '`') {
      const bool closes = typewriter || text.find('`', i) != std::string::npos;
      out += !closes ? "\\textasciigrave{}" : typewriter ? "}" : "\\texttt{";
      if (closes) typewriter = !typewriter;
    } else if (const auto found = special().find(c); found != special().end()) {
      out += found->second;
    } else {
      out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
  }
  return out;
}

std::string as_latex(const Table& table, const LatexText& text) {
  double label_width = 0;
  for (const auto& row : table.rows) label_width = std::max(label_width, points_of(row_label(*row.row), 8));
  std::string out =
      "% Needs \\usepackage{booktabs}. Written by trl from the store; `trl table` writes it again.\n";
  const auto begin_table = [&](const std::string& caption) {
    out += "\\begin{table}[tbp]\n\\centering\\footnotesize\\setlength{\\tabcolsep}{4pt}\n";
    out += fmt::format("\\caption{{{}}}\n", latex_escaped(caption));
  };
  begin_table(text.caption);
  out += fmt::format("\\label{{tab:{}}}\n", text.label);
  for (std::size_t begin = 0; begin < table.columns.size();) {
    std::size_t end = begin;
    double width = label_width + column_gap;
    while (end < table.columns.size() && (end == begin || width + points_of(table, end) <= text_width))
      width += points_of(table, end++);
    // Two long blocks with the notes don't fit on one page.
    if (begin > 0 && table.rows.size() > rows_beside_another_block) {
      out += "\\end{table}\n\\addtocounter{table}{-1}\n";
      begin_table(text.caption + " (continued)");
    } else if (begin > 0) {
      out += "\\par\\medskip\n";
    }
    out += block(table, begin, end);
    begin = end;
  }
  out += "\\par\\smallskip\n\\begin{minipage}{\\linewidth}\\raggedright\\scriptsize\n";
  for (const auto& note : text.notes) out += wrapped(latex_escaped(note), 0, 100) + "\\par\n";
  return out + "\\end{minipage}\n\\end{table}\n";
}

}  // namespace trl::interpreter
