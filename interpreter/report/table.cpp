#include "interpreter/report/table.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "interpreter/error.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

void collect_names(const json& node, std::set<std::string>& names) {
  if (node.is_string()) names.insert(node.get<std::string>());
  if (node.is_object() && node.contains("name")) collect_names(node["name"], names);
  if (node.is_object() && node.contains("args"))
    for (const auto& item : node["args"]) collect_names(item, names);
  if (node.is_array())
    for (const auto& item : node) collect_names(item, names);
}

bool shown(const Row& row, const std::set<std::string>& names) {
  switch (row.kind) {
    case Row::Kind::cell:
      return names.contains("cells");
    case Row::Kind::control:
      return names.contains("controls");
    case Row::Kind::base:
      return true;
  }
  return true;
}

const char* kind_name(Row::Kind kind) {
  return kind == Row::Kind::cell ? "cell" : kind == Row::Kind::control ? "control" : "base";
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string text;
  for (const auto& one : texts) text += (text.empty() ? "" : between) + one;
  return text;
}

/// A number for machines: shortest text that reads back the same, within 12 digits.
std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.12g}", *value) : ""; }

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace

void check_rows(const TableLayout& layout) {
  std::set<std::string> names;
  collect_names(layout.rows, names);
  for (const auto& name : names)
    if (name != "cells" && name != "controls" && name != "base")
      throw UserError("table " + layout.name + ": rows = " + name + " isn't made by this version",
                      "Use cells + controls.");
}

Table make_table(const TableLayout& layout, const Plan& plan, const Store& store) {
  Table table;
  table.name = layout.name;
  for (const auto& column : layout.columns) table.columns.push_back(parse_column(column));
  std::set<std::string> names;
  collect_names(layout.rows, names);
  for (const auto& row : plan.rows) {
    if (!shown(row, names)) continue;
    TableRow measured{&row, {}};
    for (const auto& column : table.columns) {
      const auto measurement = measure(column, row, plan, store);
      Figure figure;
      figure.n = static_cast<int>(std::lround(measurement.weight()));
      if (row.kind != Row::Kind::base || (column.name != "cost" && column.name != "tokens")) {
        figure.value = measurement.estimate();
        figure.interval = bootstrap(measurement);
      }
      measured.figures.push_back(figure);
    }
    table.rows.push_back(std::move(measured));
  }
  return table;
}

std::string row_title(const Row& row) {
  std::string text = row.label;
  for (const auto& other : row.same_as) text += " (= " + other + ")";
  return text;
}

std::string value_text(const Column& column, double value) {
  switch (column.unit) {
    case Column::Unit::percent:
      return fmt::format("{:.1f}", 100 * value);
    case Column::Unit::factor:
      return fmt::format("{:.2f}", value);
    case Column::Unit::seconds:
    case Column::Unit::count:
      return fmt::format("{:.0f}", value);
  }
  return {};
}

std::string as_csv(const Table& table, bool measured_seconds) {
  std::string text = "row,kind,extensions,same_as";
  const auto wanted = [&](const Column& column) { return measured_seconds || !column.measured_seconds; };
  for (const auto& column : table.columns)
    if (wanted(column)) text += fmt::format(",{0},{0} n,{0} low,{0} high", column.id);
  text += '\n';
  for (const auto& [row, figures] : table.rows) {
    text += fmt::format("{},{},{},{}", quoted(row->label), kind_name(row->kind),
                        quoted(joined(row->extensions, " ")), quoted(joined(row->same_as, "; ")));
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (!wanted(table.columns[i])) continue;
      const auto& [value, interval, n] = figures[i];
      text += fmt::format(",{},{},{},{}", number(value), n,
                          number(interval ? std::optional(interval->low) : std::nullopt),
                          number(interval ? std::optional(interval->high) : std::nullopt));
    }
    text += '\n';
  }
  return text;
}

json as_json(const Table& table) {
  json out = {{"table", table.name}, {"columns", json::array()}, {"rows", json::array()}};
  for (const auto& column : table.columns)
    out["columns"].push_back({{"id", column.id},
                              {"title", column.title},
                              {"meaning", column.meaning},
                              {"n_counts", column.counted},
                              {"measured_seconds", column.measured_seconds},
                              {"unit", column.unit == Column::Unit::percent  ? "share"
                                       : column.unit == Column::Unit::factor ? "factor"
                                       : column.unit == Column::Unit::count  ? "count"
                                                                             : "seconds"}});
  for (const auto& [row, figures] : table.rows) {
    json values = json::object();
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const auto& [value, interval, n] = figures[i];
      values[table.columns[i].id] = {{"value", value ? json(*value) : json()},
                                     {"n", n},
                                     {"low", interval ? json(interval->low) : json()},
                                     {"high", interval ? json(interval->high) : json()}};
    }
    json exams = json::array();
    for (const auto& trace : row->traces)
      exams.push_back(
          {{"seed", trace.seed}, {"candidates", trace.exam_sample}, {"verdicts", trace.exam_verify}});
    out["rows"].push_back({{"row", row->label},
                           {"kind", kind_name(row->kind)},
                           {"extensions", row->extensions},
                           {"same_as", row->same_as},
                           {"figures", values},
                           {"exams", exams}});
  }
  return out;
}

}  // namespace trl::interpreter
