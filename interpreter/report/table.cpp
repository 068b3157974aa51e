#include "interpreter/report/table.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/support/counted.hpp"
#include "base/support/rounded.hpp"
#include "interpreter/report/escape.hpp"
#include "interpreter/report/servers.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;

void collect_names(const json& node, std::set<std::string>& names) {
  if (node.is_object() && node.contains("call")) return;
  if (node.is_string()) names.insert(node.get<std::string>());
  if (node.is_object() && node.contains("name")) collect_names(node["name"], names);
  if (node.is_object() && node.contains("args"))
    for (const auto& item : node["args"]) collect_names(item, names);
  if (node.is_array())
    for (const auto& item : node) collect_names(item, names);
}

/// Returns a copy of a row for a part of its results, which the label names: "inputs + stages (seed 2)". The
/// caller restricts the copy to this part.
Row part_of(const Row& row, const std::string& part) {
  Row one = row;
  one.part = " (" + part + ")";
  one.label += one.part;
  for (auto& same : one.same_as) same += one.part;
  return one;
}

Row under_seed(const Row& row, const Trace& trace) {
  Row one = part_of(row, fmt::format("seed {}", trace.seed));
  one.traces = {trace};
  return one;
}

Row on_suite(const Row& row, const std::string& suite) {
  Row one = part_of(row, suite);
  one.suite = suite;
  return one;
}

}  // namespace

LatexForm latex_form(const std::string& name) {
  return name == "column"    ? LatexForm::column
         : name == "wide"    ? LatexForm::wide
         : name == "tabular" ? LatexForm::tabular
                             : LatexForm::table;
}

std::vector<std::shared_ptr<const Row>> rows_of(const TableLayout& layout, const Plan& plan) {
  std::set<std::string> names;
  collect_names(layout.rows, names);
  const bool by_seed = names.contains("seeds"), by_suite = names.contains("suites");
  const bool only_parts = (by_seed || by_suite) && !names.contains("cells") && !names.contains("controls");
  std::vector<std::shared_ptr<const Row>> rows;
  const auto add_suites = [&](const Row& row) {
    if (by_suite)
      for (const auto& suite : plan.exam_suites) rows.push_back(std::make_shared<Row>(on_suite(row, suite)));
  };
  const auto add_imported = [&] {
    for (const auto& call : imported_calls(layout.rows)) {
      const auto found = plan.imported.find(imported_key(call));
      if (found == plan.imported.end()) continue;
      rows.push_back(std::make_shared<Row>(found->second));
      add_suites(found->second);
    }
  };
  bool imported = false;
  for (const auto& row : plan.rows) {
    const bool base = row.kind == Row::Kind::base;
    if (base && !std::exchange(imported, true)) add_imported();
    const bool named = names.contains(row.kind == Row::Kind::cell ? "cells" : "controls");
    if (base || named) rows.push_back(std::make_shared<Row>(row));
    if (!named && !base && !(only_parts && row.kind == Row::Kind::cell)) continue;
    add_suites(row);
    if (by_seed && !base)
      for (const auto& trace : row.traces) rows.push_back(std::make_shared<Row>(under_seed(row, trace)));
  }
  if (!imported) add_imported();
  return rows;
}

namespace {

/// Returns the groups of two or more rows whose exam answers are the same under every seed, as labels.
std::vector<std::vector<std::string>> same_answers(const Table& table, const Evidence& evidence) {
  std::map<std::string, std::vector<std::string>> by_answers;
  for (const auto& [row, figures] : table.rows) {
    if (!row->suite.empty() || row->kind == Row::Kind::imported ||
        row->traces.size() < evidence.plan().rows.front().traces.size())
      continue;
    std::string answers;
    for (const auto& trace : row->traces) {
      const auto& key = trace.exam_sample;
      if (key.empty() || !evidence.store().has(key)) return {};
      answers += evidence.store().result(key).digest("candidates.jsonl");
      for (const auto& turn : trace.exam_later)
        if (evidence.store().has(turn.sample))
          answers += evidence.store().result(turn.sample).digest("candidates.jsonl");
    }
    by_answers[answers].push_back(row_label(*row));
  }
  std::vector<std::vector<std::string>> same;
  for (auto& [answers, labels] : by_answers)
    if (labels.size() > 1) same.push_back(std::move(labels));
  return same;
}

/// Returns a note for readers about each imported row.
std::vector<std::string> imported_notes(const Table& table, const Evidence& evidence) {
  std::vector<std::string> notes;
  for (const auto& [row, figures] : table.rows) {
    if (row->kind != Row::Kind::imported || !row->suite.empty()) continue;
    const auto summary = evidence.store().stage(row->traces.front().exam_verify).at("summary");
    const auto tasks = summary.at("tasks").get<std::size_t>(),
               absent = summary.at("absent").get<std::size_t>();
    const auto all = evidence.plan().exam_tasks.size();
    const auto number = [&](const char* name) { return summary.at(name).get<std::size_t>(); };
    std::string note = fmt::format(
        "`{}` has what `{}` says, at its own sizes: its answers weren't judged here, and no comparison "
        "counts "
        "it. Its verdicts are those of {}.",
        row->label, row->from, summary.at("by_kernelbench") ? "KernelBench's protocol" : "an exam of trl");
    if (summary.at("timed"))
      note += summary.at("modelled") ? " Its times are modelled." : " Its times were measured elsewhere.";
    if (const auto untimed = number("untimed"); summary.at("timed") && untimed > 0)
      note += fmt::format(" {} of its right answers {} no time, and count as not fast.", untimed,
                          untimed == 1 ? "has" : "have");
    if (const auto excessive = number("excessive"); excessive > 0)
      note +=
          fmt::format(" KernelBench marks {} of its right answers as too fast to be believed.", excessive);
    if (tasks < all) note += fmt::format(" It is about {} of the {} tasks.", tasks, all);
    if (absent > 0)
      note += fmt::format(" {} of the {} tasks {} no result, which counts as wrong.", absent, tasks,
                          absent == 1 ? "has" : "have");
    if (const auto missing = number("missing"); missing > 0)
      note += fmt::format(" Besides, {} of other tasks {} no result, which counts as wrong.",
                          counted(missing, "answer"), missing == 1 ? "has" : "have");
    notes.push_back(std::move(note));
  }
  return notes;
}

}  // namespace

Table make_table(const TableLayout& layout, const Inference& inference) {
  Table table;
  table.name = layout.name;
  table.modelled = !inference.evidence().plan().times_kernels;
  for (const auto& column : layout.columns) table.columns.push_back(parse_column(column));
  for (auto& row : rows_of(layout, inference.evidence().plan())) {
    TableRow measured{row, {}};
    for (const auto& column : table.columns) measured.figures.push_back(inference.figure(column, *row));
    table.rows.push_back(std::move(measured));
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    table.best.push_back(clearly_best(table, i, inference));
  for (const auto& factor : inference.evidence().plan().factors)
    if (!factor.extension) table.settings.push_back(factor.name);
  table.same_answers = same_answers(table, inference.evidence());
  table.without_text = without_text_sentences(inference.evidence());
  table.imported = imported_notes(table, inference.evidence());
  return table;
}

std::string level_of(const Row& row, const std::string& setting) {
  const auto found = row.levels.find(setting);
  return found == row.levels.end() ? "" : found->second;
}

std::string value_text(const Column& column, double value) {
  switch (column.unit) {
    case Column::Unit::percent:
      return rounded(100 * value, 1);
    case Column::Unit::factor:
      return rounded(value, 2);
    case Column::Unit::seconds:
    case Column::Unit::count:
      return rounded(value, 0);
    case Column::Unit::dollars:
      return rounded(value, 4);
  }
  return {};
}

std::string row_label(const Row& row) {
  return row.kind == Row::Kind::base ? row.label + " (baseline)" : row.label;
}

std::string interval_text(const Column& column, const Figure& figure) {
  const auto& interval = figure.interval;
  if (!interval) return {};
  return fmt::format("[{}, {}]{}", value_text(column, interval->low), value_text(column, interval->high),
                     figure.scope == Scope::recipe ? "" : "†");
}

const char* scope_name(Scope scope) { return scope == Scope::recipe ? "recipe" : "these runs"; }

std::string unit_text(const Column& column) {
  switch (column.unit) {
    case Column::Unit::percent:
      return "%";
    case Column::Unit::seconds:
      return "s";
    case Column::Unit::dollars:
      return "usd";
    case Column::Unit::factor:
    case Column::Unit::count:
      break;
  }
  return {};
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{:.12g}", *value) : ""; }

std::string figure_text(const Column& column, const Figure& figure) {
  auto text = value_text(column, *figure.value);
  if (const auto unit = unit_text(column); !unit.empty()) text += " " + unit;
  if (figure.interval) text += " " + interval_text(column, figure);
  return text;
}

int common_n(const Table& table, std::size_t column) {
  int n = 0;
  for (const auto& row : table.rows) {
    if (!row.figures[column].value) continue;
    if (n != 0 && row.figures[column].n != n) return 0;
    n = row.figures[column].n;
  }
  return n;
}

namespace {

std::vector<std::string> folded_sentences(const Table& table) {
  std::vector<std::string> each;
  std::set<std::string> added;
  for (const auto& [row, figures] : table.rows) {
    for (std::size_t i = 0; i < row->same_as.size(); ++i) {
      each.push_back(fmt::format("`{}` and `{}` are equal on this machine: they are one row and count once.",
                                 row->label, row->same_as[i]));
      std::string more;
      for (const auto& [factor, level] : row->folded[i])
        if (row->levels.at(factor) != level)
          more += (more.empty() ? "" : " + ") + (level == "on" ? factor : factor + " = " + level);
      added.insert(more);
    }
    if (row->kind == Row::Kind::cell && row->same_as.size() != 1) added.insert("");
  }
  if (each.size() > 1 && added.size() == 1)
    return {
        fmt::format("Each cell's row also stands for the cell with `{}`: on this machine their stages are "
                    "equal, so they are one row and count once.",
                    *added.begin())};
  return each;
}

}  // namespace

std::vector<std::string> row_sentences(const Table& table) {
  auto sentences = folded_sentences(table);
  for (const auto& labels : table.same_answers)
    sentences.push_back(fmt::format(
        "`{}` gave the same answers, though they were trained apart: what they differ in changed nothing.",
        fmt::join(labels, "`, `")));
  sentences.insert(sentences.end(), table.without_text.begin(), table.without_text.end());
  sentences.insert(sentences.end(), table.imported.begin(), table.imported.end());
  return sentences;
}

std::optional<std::size_t> primary_of(const std::vector<Column>& columns) {
  std::optional<std::size_t> share;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].which == ColumnName::correct) return i;
    if (!share && columns[i].unit == Column::Unit::percent) share = i;
  }
  return share;
}

std::optional<std::size_t> primary_column(const Table& table) { return primary_of(table.columns); }

std::string as_csv(const Table& table, bool measured_seconds) {
  std::string text = "row,kind,extensions,same_as";
  for (const auto& setting : table.settings) text += "," + csv_field(setting);
  const auto wanted = [&](const Column& column) { return measured_seconds || !column.varies; };
  for (const auto& column : table.columns)
    if (wanted(column)) text += fmt::format(",{0},{0} n,{0} low,{0} high,{0} about", column.id);
  text += '\n';
  for (const auto& [row, figures] : table.rows) {
    text += fmt::format("{},{},{},{}", csv_field(row->label), kind_name(row->kind),
                        csv_field(fmt::format("{}", fmt::join(row->extensions, " "))),
                        csv_field(fmt::format("{}", fmt::join(row->same_as, "; "))));
    for (const auto& setting : table.settings) text += "," + csv_field(level_of(*row, setting));
    for (std::size_t i = 0; i < figures.size(); ++i) {
      if (!wanted(table.columns[i])) continue;
      const auto& [value, interval, n, scope] = figures[i];
      text += fmt::format(
          ",{},{},{},{},{}", number(value), n, number(interval ? std::optional(interval->low) : std::nullopt),
          number(interval ? std::optional(interval->high) : std::nullopt), interval ? scope_name(scope) : "");
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
                              {"measured_seconds", column.varies},
                              {"unit", name_of(column.unit)}});
  for (const auto& shown : table.rows) {
    const auto& [row, figures] = shown;
    json values = json::object();
    for (std::size_t i = 0; i < figures.size(); ++i) {
      const auto& [value, interval, n, scope] = figures[i];
      values[table.columns[i].id] = {{"best", is_best(table, shown, i)},
                                     {"value", value ? json(*value) : json()},
                                     {"n", n},
                                     {"low", interval ? json(interval->low) : json()},
                                     {"high", interval ? json(interval->high) : json()},
                                     {"about", interval ? json(scope_name(scope)) : json()}};
    }
    json exams = json::array();
    for (const auto& trace : row->traces) {
      exams.push_back(
          {{"seed", trace.seed}, {"candidates", trace.exam_sample}, {"verdicts", trace.exam_verify}});
      for (const auto& turn : trace.exam_later)
        exams.back()["later_turns"].push_back({{"candidates", turn.sample}, {"verdicts", turn.verify}});
    }
    out["rows"].push_back({{"row", row->label},
                           {"kind", kind_name(row->kind)},
                           {"imported_from", row->from.empty() ? json() : json(row->from)},
                           {"extensions", row->extensions},
                           {"same_as", row->same_as},
                           {"figures", values},
                           {"exams", exams}});
  }
  return out;
}

}  // namespace trl::interpreter
