#include "interpreter/report/picture.hpp"

#include <algorithm>

#include "interpreter/report/graphic.hpp"
#include "interpreter/report/typeset.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

constexpr int margin = 18, row_height = 38, heading_height = 48, title_line = 22, note_line = 17;

std::string text_at(double x, double y, const std::string& style, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, style, html_typeset(text));
}

int pixels_of(const Table& table, std::size_t column) {
  std::size_t characters = table.columns[column].title.size() + 2;
  for (const auto& row : table.rows)
    characters = std::max(characters,
                          display_width(interval_text(table.columns[column], row.figures[column])) * 4 / 5);
  return 22 + static_cast<int>(7.3 * static_cast<double>(characters));
}

/// An interval as a line on [0, 1], with the figure as a dot.
std::string strip(double left, double width, double y, const Figure& figure, const char* colour) {
  const auto x = [&](double share) { return left + width * std::clamp(share, 0.0, 1.0); };
  auto text = fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#d9d9d9\" stroke-width=\"1\"/>\n", x(0),
                          y, x(1));
  if (figure.interval)
    text += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"{}\" stroke-width=\"2.5\"/>\n",
                        x(figure.interval->low), y, x(figure.interval->high), colour);
  return text + fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", x(*figure.value),
                            y, colour);
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  const auto broken = wrapped(text, 0, width);
  for (std::size_t begin = 0; begin <= broken.size();) {
    const auto end = std::min(broken.find('\n', begin), broken.size());
    lines.push_back(broken.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string as_svg(const Table& table, const std::string& title, const std::string& note) {
  std::size_t longest = 0;
  for (const auto& row : table.rows) longest = std::max(longest, row_label(*row.row).size());
  const int label_width = 16 + static_cast<int>(7.0 * static_cast<double>(longest));
  int width = 2 * margin + label_width;
  std::vector<int> lefts;
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    lefts.push_back(width - margin), width += pixels_of(table, i);
  const auto notes = lines_of(note, static_cast<std::size_t>(width - 2 * margin) / 6);
  const auto titles = lines_of(title, static_cast<std::size_t>(width - 2 * margin) * 2 / 19);
  const int title_height = 22 + title_line * static_cast<int>(titles.size());
  const int first = title_height + heading_height;
  const int height = first + row_height * static_cast<int>(table.rows.size()) +
                     note_line * static_cast<int>(notes.size()) + 2 * margin;

  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif\" font-size=\"13\">\n"
      "<title>{2}</title>\n<rect x=\"0.5\" y=\"0.5\" width=\"{3}\" height=\"{4}\" rx=\"8\" fill=\"#ffffff\" "
      "stroke=\"#d0d7de\"/>\n",
      width, height, html_typeset(title), width - 1, height - 1);
  for (std::size_t i = 0; i < titles.size(); ++i)
    text += text_at(margin, 30 + title_line * static_cast<double>(i),
                    "font-size=\"16\" font-weight=\"600\" fill=\"#1f2328\"", titles[i]);
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto unit = unit_text(table.columns[i]);
    const double middle = lefts[i] + pixels_of(table, i) / 2.0;
    const int n = common_n(table, i);
    text += text_at(middle, title_height + 20, "text-anchor=\"middle\" font-weight=\"600\" fill=\"#1f2328\"",
                    table.columns[i].title + (unit.empty() ? "" : " " + unit));
    text += text_at(middle, title_height + 37, "text-anchor=\"middle\" font-size=\"11\" fill=\"#59636e\"",
                    n ? fmt::format("n = {}", n) : "(n)");
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const auto& row = table.rows[r];
    const double top = first + row_height * static_cast<double>(r);
    const bool begins_part = r == 0 || row.row->kind != table.rows[r - 1].row->kind;
    text += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"{}\"/>\n", margin, top, width - margin,
                        begins_part ? "#59636e" : "#eaeef2");
    text += text_at(margin, top + 24, "fill=\"#1f2328\"", row_label(*row.row));
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const auto& column = table.columns[i];
      const auto& figure = row.figures[i];
      const double span = pixels_of(table, i), middle = lefts[i] + span / 2;
      if (!figure.value) {
        text += text_at(middle, top + 24, "text-anchor=\"middle\" fill=\"#59636e\"", "\u2013");
        continue;
      }
      auto shown = value_text(column, *figure.value);
      if (common_n(table, i) == 0) shown += fmt::format(" ({})", figure.n);
      const bool share = column.unit == Column::Unit::percent;
      const double lift = figure.interval ? 0 : share ? 4 : 8;
      text += text_at(middle, top + 15 + lift, "text-anchor=\"middle\" fill=\"#1f2328\"", shown);
      if (figure.interval)
        text += text_at(middle, top + 27, "text-anchor=\"middle\" font-size=\"10\" fill=\"#59636e\"",
                        interval_text(column, figure));
      if (share)
        text += strip(lefts[i] + 10, span - 20, top + 33, figure,
                      row.row->kind == Row::Kind::cell ? cell_colour : control_colour);
    }
  }
  const double bottom = first + row_height * static_cast<double>(table.rows.size());
  text += fmt::format("<path d=\"M{} {:.1f}H{}\" stroke=\"#59636e\"/>\n", margin, bottom, width - margin);
  for (std::size_t i = 0; i < notes.size(); ++i)
    text += text_at(margin, bottom + 22 + note_line * static_cast<double>(i),
                    "font-size=\"12\" fill=\"#59636e\"", notes[i]);
  return text + "</svg>\n";
}

}  // namespace trl::interpreter
