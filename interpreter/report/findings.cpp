#include "interpreter/report/findings.hpp"
#include "interpreter/report/escape.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace trl::interpreter {
namespace {

std::string figure_text(const Column& column, const Figure& figure) {
  auto text = value_text(column, *figure.value);
  if (const auto unit = unit_text(column); !unit.empty()) text += " " + unit;
  if (figure.interval) text += " " + interval_text(column, figure.interval);
  return text;
}

/// A row's name and the number of others with the same figure: "`stages` and 2 others".
std::string named(const Table& table, std::size_t column, double value) {
  std::string first;
  int others = -1;
  for (const auto& row : table.rows)
    if (row.figures[column].value == value) {
      if (first.empty()) first = "`" + row_label(*row.row) + "`";
      ++others;
    }
  return others <= 0 ? first : fmt::format("{} and {} other{}", first, others, others == 1 ? "" : "s");
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.12g}", *value) : ""; }

}  // namespace

std::string sentence(const HypothesisResult& result) {
  if (result.verdict == "inert")
    return fmt::format("{} is inert: `{}` changes nothing on this machine, so there is nothing to compare.",
                       result.name, result.comparison.name);
  if (!result.difference)
    return fmt::format("{} is undecided: {} could not be measured.", result.name, result.metric.title);
  auto text = fmt::format("{} is {}: {} {} is {}{} (mean of {} pair{} of cells; expected {}).", result.name,
                          result.verdict, result.metric.title, result.comparison.words,
                          difference_text(result.metric, *result.difference), difference_unit(result.metric),
                          result.comparison.pairs.size(), result.comparison.pairs.size() == 1 ? "" : "s",
                          result.expect);
  if (result.detectable)
    text += fmt::format(" A study of this size finds {}{} or more.",
                        value_text(result.metric, *result.detectable), difference_unit(result.metric));
  else
    text += " All resamples were alike, so it is unknown which difference a study of this size can find.";
  return text;
}

std::string detectable_note() {
  return "The difference that a study finds is the smallest true one that is detected with 80 % power by a "
         "two-sided test at 5 %, which is (1.96 + 0.84) standard errors of the contrast, as the paired "
         "bootstrap clustered by task measures them. Smaller effects may exist and be missed.";
}

std::string extremes(const Table& table) {
  const auto primary = primary_column(table);
  if (!primary) return {};
  const auto& column = table.columns[*primary];
  const Figure *best = nullptr, *worst = nullptr;
  int measured = 0;
  for (const auto& row : table.rows) {
    const auto& figure = row.figures[*primary];
    if (!figure.value) continue;
    ++measured;
    if (!best || *figure.value > *best->value) best = &figure;
    if (!worst || *figure.value < *worst->value) worst = &figure;
  }
  if (measured < 2) return {};
  if (*best->value == *worst->value)
    return fmt::format("{}: all {} rows have {}.", column.title, measured, figure_text(column, *best));
  auto text = fmt::format("{}: highest {} with {}, lowest {} with {}", column.title,
                          named(table, *primary, *best->value), figure_text(column, *best),
                          named(table, *primary, *worst->value), figure_text(column, *worst));
  if (best->interval && worst->interval)
    text += worst->interval->high >= best->interval->low ? "; their intervals overlap"
                                                         : "; their intervals don't overlap";
  return text + fmt::format(". Among {} rows some differences are due to chance.", measured);
}

std::vector<std::string> effect_sentences(const std::vector<Effect>& effects, const Table& table) {
  const auto columns = effect_columns(table.columns);
  const auto primary = primary_column(table);
  std::vector<std::string> sentences;
  for (const auto& effect : effects) {
    if (effect.comparison.pairs.empty()) {
      sentences.push_back(fmt::format("`{}` changes nothing on this machine.", effect.comparison.name));
      continue;
    }
    std::string first, clear;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const auto& contrast = effect.contrasts[i];
      if (!contrast) continue;
      const auto text = fmt::format("{} {}{}", columns[i].title, difference_text(columns[i], *contrast),
                                    difference_unit(columns[i]));
      const auto& interval = contrast->interval;
      if (primary && columns[i].id == table.columns[*primary].id)
        first = text;
      else if (interval && (interval->low > 0 || interval->high < 0))
        clear += (clear.empty() ? "" : ", ") + text;
    }
    auto sentence = fmt::format("`{}`: {}", effect.comparison.name, first.empty() ? "not measured" : first);
    sentence +=
        clear.empty() ? "; on no other column is the interval clear of 0." : "; clear of 0: " + clear + ".";
    sentences.push_back(std::move(sentence));
  }
  return sentences;
}

std::string effects_markdown(const std::vector<Effect>& effects, const std::vector<Column>& columns) {
  if (effects.empty()) return {};
  constexpr std::size_t page_width = 80;
  const auto measured = effect_columns(columns);
  std::vector<std::string> names = {"contrast (pairs)"};
  for (const auto& effect : effects)
    names.push_back(fmt::format("{} ({})", effect.comparison.name, effect.comparison.pairs.size()));
  std::size_t name_width = 0;
  for (const auto& name : names) name_width = std::max(name_width, name.size());

  std::vector<std::vector<std::string>> cells;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    std::vector<std::string> column = {measured[i].title +
                                       (measured[i].unit == Column::Unit::percent ? ", points" : "")};
    for (const auto& effect : effects)
      column.push_back(effect.contrasts[i] ? difference_text(measured[i], *effect.contrasts[i]) : "-");
    std::size_t width = 0;
    for (const auto& cell : column) width = std::max(width, cell.size());
    widths.push_back(width);
    cells.push_back(std::move(column));
  }
  std::string text;
  for (std::size_t begin = 0; begin < cells.size();) {
    std::size_t end = begin, width = name_width + 4;
    while (end < cells.size() && (end == begin || width + widths[end] + 3 <= page_width))
      width += widths[end++] + 3;
    for (std::size_t line = 0; line < names.size(); ++line) {
      text += "| " + padded(names[line], name_width) + " |";
      for (std::size_t i = begin; i < end; ++i) text += " " + padded(cells[i][line], widths[i]) + " |";
      text += '\n';
      if (line > 0) continue;
      text += "|" + std::string(name_width + 2, '-') + "|";
      for (std::size_t i = begin; i < end; ++i) text += std::string(widths[i] + 2, '-') + "|";
      text += '\n';
    }
    text += '\n';
    begin = end;
  }
  return text;
}

std::string effects_csv(const std::vector<Effect>& effects, const std::vector<Column>& columns) {
  const auto measured = effect_columns(columns);
  std::string text = "contrast,pairs";
  for (const auto& column : measured)
    text += fmt::format(",{0},{0} low,{0} high,{0} standard error,{0} smallest detectable", column.id);
  text += '\n';
  for (const auto& effect : effects) {
    text += fmt::format("{},{}", csv_field(effect.comparison.name), effect.comparison.pairs.size());
    for (const auto& contrast : effect.contrasts) {
      const bool interval = contrast && contrast->interval;
      text +=
          fmt::format(",{},{},{},{},{}", number(contrast ? std::optional(contrast->estimate) : std::nullopt),
                      number(interval ? std::optional(contrast->interval->low) : std::nullopt),
                      number(interval ? std::optional(contrast->interval->high) : std::nullopt),
                      number(contrast ? contrast->standard_error : std::nullopt),
                      number(contrast ? smallest_detectable(*contrast) : std::nullopt));
    }
    text += '\n';
  }
  return text;
}

}  // namespace trl::interpreter
