// Tables in Markdown, narrow enough for a terminal, with the denominators stated.
#include <algorithm>

#include "interpreter/report/table.hpp"
#include "interpreter/report/typeset.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr std::size_t page_width = 80;

std::string cell_text(const Column& column, const Figure& figure, bool with_n, bool best = false) {
  if (!figure.value) return "-";
  std::string text = value_text(column, *figure.value);
  if (best) text = "**" + text + "**";
  if (figure.interval) text += " " + interval_text(column, figure);
  if (with_n) text += fmt::format(" ({})", figure.n);
  return text;
}

std::string heading(const Column& column, int n, const std::string& mark) {
  const auto unit = unit_text(column);
  return column.title + (unit.empty() ? "" : " " + unit) + mark + (n ? fmt::format(" (n={})", n) : " (n)");
}

}  // namespace

std::string markdown_table(const std::vector<std::string>& labels,
                           const std::vector<std::vector<std::string>>& columns) {
  const auto width_of = [](const std::vector<std::string>& cells) {
    std::size_t width = 0;
    for (const auto& cell : cells) width = std::max(width, display_width(cell));
    return width;
  };
  const auto label_width = width_of(labels);
  std::string text;
  for (std::size_t begin = 0; begin < columns.size();) {
    std::size_t end = begin, width = label_width + 4;
    while (end < columns.size() && (end == begin || width + width_of(columns[end]) + 3 <= page_width))
      width += width_of(columns[end++]) + 3;
    for (std::size_t line = 0; line < labels.size(); ++line) {
      text += "| " + padded(labels[line], label_width) + " |";
      for (std::size_t i = begin; i < end; ++i)
        text += " " + padded(columns[i][line], width_of(columns[i])) + " |";
      text += '\n';
      if (line > 0) continue;
      text += "|" + std::string(label_width + 2, '-') + "|";
      for (std::size_t i = begin; i < end; ++i) text += std::string(width_of(columns[i]) + 2, '-') + "|";
      text += '\n';
    }
    text += '\n';
    begin = end;
  }
  return text;
}

std::string markdown_cells(const Table& table, bool set) {
  const auto text_of = [&](std::string text) { return set ? typeset(std::move(text)) : text; };
  std::vector<std::vector<std::string>> columns;
  std::vector<std::string> labels = {"row"};
  for (const auto& row : table.rows) labels.push_back(text_of(row_label(*row.row)));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const int n = common_n(table, i);
    auto& cells = columns.emplace_back();
    cells.push_back(text_of(heading(table.columns[i], n, set ? direction_mark(table.columns[i]) : "")));
    for (const auto& row : table.rows)
      cells.push_back(text_of(cell_text(table.columns[i], row.figures[i], n == 0, is_best(table, row, i))));
  }
  return markdown_table(labels, columns);
}

std::string as_markdown(const Table& table) {
  auto text = markdown_cells(table);
  if (const auto note = best_note(table, "**Bold**"); !note.empty()) text += wrapped(note) + "\n\n";
  for (const auto& sentence : row_sentences(table)) text += wrapped(sentence) + "\n\n";
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
