// Tables in Markdown, narrow enough for a terminal, with the denominators stated.
#include <algorithm>

#include "interpreter/report/table.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t page_width = 80;

std::string cell_text(const Column& column, const Figure& figure, bool with_n) {
  if (!figure.value) return "-";
  std::string text = value_text(column, *figure.value);
  if (figure.interval) text += " " + interval_text(column, figure.interval);
  if (with_n) text += fmt::format(" ({})", figure.n);
  return text;
}

std::string heading(const Column& column, int n) {
  const auto unit = unit_text(column);
  return column.title + (unit.empty() ? "" : " " + unit) + (n ? fmt::format(" (n={})", n) : " (n)");
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

}  // namespace

std::string as_markdown(const Table& table) {
  std::vector<std::vector<std::string>> columns;
  std::vector<std::size_t> widths;
  std::vector<std::string> labels = {"row"};
  for (const auto& row : table.rows) labels.push_back(row_label(*row.row));
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

  for (const auto& sentence : folded_sentences(table)) text += wrapped(sentence) + "\n\n";
  return text;
}

std::string markdown_legend(const Table& table) {
  std::string text;
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
    return fmt::format("The baseline (`{}`), by the same exam:\n{}.\n", row.row->label, text);
  }
  return {};
}

}  // namespace trl::interpreter
