// Tables for people: narrow enough for a terminal, denominators stated.
#include <algorithm>
#include <set>

#include "interpreter/report/table.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t page_width = 80;

/// The n that all figures of a column share, 0 when they differ.
int common_n(const Table& table, std::size_t column) {
  int n = 0;
  for (const auto& row : table.rows) {
    if (!row.figures[column].value) continue;
    if (n != 0 && row.figures[column].n != n) return 0;
    n = row.figures[column].n;
  }
  return n;
}

std::string cell_text(const Column& column, const Figure& figure, bool with_n) {
  if (!figure.value) return "-";
  std::string text = value_text(column, *figure.value);
  if (figure.interval)
    text += fmt::format(" [{}, {}]", value_text(column, figure.interval->low),
                        value_text(column, figure.interval->high));
  if (with_n) text += fmt::format(" ({})", figure.n);
  return text;
}

std::string heading(const Column& column, int n) {
  std::string text = column.title;
  if (column.unit == Column::Unit::percent) text += " %";
  if (column.unit == Column::Unit::seconds) text += " s";
  return text + (n ? fmt::format(" (n={})", n) : " (n)");
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

/// Which cells a row stands for besides its own. Where all rows fold alike, one sentence says so.
std::string folded_text(const Table& table) {
  std::string text;
  std::set<std::string> added;
  for (const auto& [row, figures] : table.rows) {
    for (std::size_t i = 0; i < row->same_as.size(); ++i) {
      text += fmt::format("- {} (= {})\n", row->label, row->same_as[i]);
      std::string more;
      for (const auto& name : row->folded[i])
        if (std::find(row->extensions.begin(), row->extensions.end(), name) == row->extensions.end())
          more += (more.empty() ? "" : " + ") + name;
      added.insert(more);
    }
    if (row->kind == Row::Kind::cell && row->same_as.size() != 1) added.insert("");
  }
  if (text.empty()) return {};
  if (added.size() == 1)
    return fmt::format(
        "Each cell's row (= the same with `{}`): on this machine their stages are\nequal, so they are one "
        "row, "
        "counted once.\n\n",
        *added.begin());
  return "Cells whose stages are equal on this machine are one row, counted once:\n" + text + "\n";
}

}  // namespace

std::string as_markdown(const Table& table) {
  std::vector<std::vector<std::string>> columns;
  std::vector<std::size_t> widths;
  std::vector<std::string> labels = {"row"};
  for (const auto& row : table.rows)
    labels.push_back(row.row->kind == Row::Kind::base ? row.row->label + ", as it came" : row.row->label);
  std::size_t label_width = 0;
  for (const auto& label : labels) label_width = std::max(label_width, label.size());

  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const int n = common_n(table, i);
    std::vector<std::string> cells = {heading(table.columns[i], n)};
    for (const auto& row : table.rows) cells.push_back(cell_text(table.columns[i], row.figures[i], n == 0));
    std::size_t width = 0;
    for (const auto& cell : cells) width = std::max(width, cell.size());
    widths.push_back(width);
    columns.push_back(std::move(cells));
  }

  std::string text;
  for (std::size_t begin = 0; begin < columns.size();) {
    std::size_t end = begin, width = label_width + 4;
    while (end < columns.size() && (end == begin || width + widths[end] + 3 <= page_width))
      width += widths[end++] + 3;
    for (std::size_t line = 0; line < labels.size(); ++line) {
      text += "| " + padded(labels[line], label_width) + " |";
      for (std::size_t i = begin; i < end; ++i) text += " " + padded(columns[i][line], widths[i]) + " |";
      text += '\n';
      if (line == 0) {
        text += "|" + std::string(label_width + 2, '-') + "|";
        for (std::size_t i = begin; i < end; ++i) text += std::string(widths[i] + 2, '-') + "|";
        text += '\n';
      }
    }
    text += '\n';
    begin = end;
  }

  text += folded_text(table);
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += wrapped(fmt::format("- **{}**: {}; n counts {}.\n", table.columns[i].title,
                                table.columns[i].meaning, table.columns[i].counted),
                    2);
  return text;
}

std::string reference_line(const Table& table) {
  for (const auto& row : table.rows) {
    if (row.row->kind != Row::Kind::base) continue;
    std::string text;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (!row.figures[i].value) continue;
      text += text.empty() ? "" : ",\n";
      text += "  " + table.columns[i].title + " " + cell_text(table.columns[i], row.figures[i], false);
      if (table.columns[i].unit == Column::Unit::percent) text += " %";
      text += fmt::format(" (n = {})", row.figures[i].n);
    }
    return fmt::format("The model as it came (`{}`), by the same exam:\n{}.\n", row.row->label, text);
  }
  return {};
}

}  // namespace trl::interpreter
