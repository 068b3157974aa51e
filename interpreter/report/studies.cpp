#include "interpreter/report/studies.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/plan/why.hpp"
#include "interpreter/report/hypothesis.hpp"
#include "interpreter/report/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

constexpr std::string_view samples_ending = ".samples.json";

json parsed(const fs::path& file) {
  auto value = json::parse(read_text(file), nullptr, false);
  if (value.is_discarded())
    throw UserError(file.string() + " isn't complete", "`trl table` writes a report again from the store.");
  return value;
}

/// Returns the column that a table's file describes, "pass_at(2)"; nothing if this version doesn't know it.
std::optional<Column> column_called(const json& described) {
  const auto id = described.value("id", "");
  const auto open = id.find('(');
  json written = id;
  if (open != std::string::npos && id.ends_with(')'))
    written = {
        {"call", id.substr(0, open)},
        {"args", json::array({json::parse(id.substr(open + 1, id.size() - open - 2), nullptr, false)})}};
  try {
    return parse_column(written);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The column that a finding is about; nothing if this version doesn't know it.
std::optional<Column> metric_of(const json& result) {
  return column_called({{"id", result.value("metric", json("?"))}});
}

/// A row's label in tables, which is also its key in `samples`.
std::string label_of(const json& row) {
  return row.at("row").get<std::string>() + (row.value("kind", "") == "base" ? " (baseline)" : "");
}

std::optional<Figure> figure_in(const json& figures, const std::string& column) {
  const auto found = figures.find(column);
  if (found == figures.end() || !found->is_object()) return std::nullopt;
  Figure figure;
  if (found->value("value", json()).is_number()) figure.value = (*found)["value"];
  if (found->value("low", json()).is_number() && found->value("high", json()).is_number())
    figure.interval = Interval{(*found)["low"], (*found)["high"]};
  figure.n = found->value("n", 0);
  figure.scope =
      found->value("about", json()) == scope_name(Scope::these_runs) ? Scope::these_runs : Scope::recipe;
  return figure;
}

template <class Item, class Same>
void add_new(std::vector<Item>& into, Item item, const Same& same) {
  if (std::none_of(into.begin(), into.end(), [&](const Item& one) { return same(one, item); }))
    into.push_back(std::move(item));
}

ComparedTable compare_table(const std::string& name, const std::vector<StudyReport>& studies) {
  ComparedTable out;
  out.name = name;
  std::vector<std::map<std::string, json>> figures;  // [study]: by row
  for (const auto& study : studies) {
    auto& of_rows = figures.emplace_back();
    const auto table = study.tables.find(name);
    out.there.push_back(table != study.tables.end());
    if (!out.there.back()) continue;
    out.without_samples |= !study.samples.contains(name);
    for (const auto& described : table->second.value("columns", json::array()))
      if (auto column = column_called(described))
        add_new(out.columns, std::move(*column),
                [](const Column& a, const Column& b) { return a.id == b.id; });
    for (const auto& row : table->second.at("rows")) {
      add_new(out.rows, label_of(row), std::equal_to<>());
      of_rows[label_of(row)] = row.at("figures");
    }
  }
  for (const auto& of_rows : figures) {
    auto& has = out.has_row.emplace_back();
    for (const auto& row : out.rows) has.push_back(of_rows.contains(row));
  }
  for (const auto& row : out.rows) {
    auto& cells = out.cells.emplace_back();
    for (const auto& column : out.columns) {
      auto& cell = cells.emplace_back();
      const std::vector<ObservedCell>* first = nullptr;
      for (std::size_t i = 0; i < studies.size(); ++i) {
        const auto there = figures[i].find(row);
        cell.figures.push_back(there == figures[i].end() ? std::nullopt
                                                         : figure_in(there->second, column.id));
        const std::vector<ObservedCell>* samples = nullptr;
        if (const auto of_table = studies[i].samples.find(name); of_table != studies[i].samples.end())
          if (const auto found = of_table->second.find({row, column.id}); found != of_table->second.end())
            samples = &found->second;
        if (i == 0) first = samples;
        cell.differences.push_back(i > 0 && first && samples ? study_difference(column, *samples, *first)
                                                             : std::nullopt);
      }
    }
  }
  return out;
}

std::vector<std::string> settings_that_differ(const StudyReport& a, const StudyReport& b) {
  auto found = setting_differences(a.provenance.value("resolved", json::object()),
                                   b.provenance.value("resolved", json::object()));
  if (const auto before = machines_text(a.provenance), now = machines_text(b.provenance); before != now)
    found.push_back("made on " + (before.empty() ? "an unknown machine" : before) + " → " +
                    (now.empty() ? "an unknown machine" : now));
  for (const auto& [field, name] : {std::pair("tool_chain", "tool chain"), std::pair("trl", "trl")}) {
    const auto before = a.provenance.value(field, json()), now = b.provenance.value(field, json());
    if (before != now)
      found.push_back(fmt::format("{} {} → {}", name, value_in_words(before), value_in_words(now)));
  }
  if (a.provenance.value("secret_sha256", json()) != b.provenance.value("secret_sha256", json()))
    found.push_back("the stores' secrets differ, and with them the exam's inputs");
  return found;
}

}  // namespace

std::optional<StudyReport> read_report(const fs::path& folder) {
  std::error_code none;
  if (!fs::exists(folder / "provenance.json", none)) return std::nullopt;
  StudyReport out;
  out.folder = folder, out.provenance = parsed(folder / "provenance.json");
  if (fs::exists(folder / "hypotheses.json", none)) out.hypotheses = parsed(folder / "hypotheses.json");
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto name = entry.path().filename();
    if (name.extension() != ".json" || name == "provenance.json" || name == "hypotheses.json") continue;
    auto value = parsed(entry.path());
    if (!value.is_object()) continue;
    if (name.string().ends_with(samples_ending) && value.contains("of")) {
      try {
        out.samples[value["of"].get<std::string>()] = read_samples(value);
      } catch (const json::exception& error) {
        throw UserError(entry.path().string() + " isn't what a report has: " + error.what(),
                        "`trl table` writes a report again from the store.");
      }
    } else if (value.contains("table") && value.contains("rows")) {
      const auto table = value["table"].get<std::string>();
      out.tables[table] = std::move(value);
    }
  }
  return out;
}

StudiesCompared compare_studies(std::vector<StudyReport> studies) {
  StudiesCompared out;
  out.studies = std::move(studies);
  std::vector<std::string> findings, tables;
  for (const auto& study : out.studies) {
    out.settings.push_back(&study == &out.studies.front() ? std::vector<std::string>()
                                                          : settings_that_differ(out.studies.front(), study));
    for (const auto& one : study.hypotheses)
      add_new(findings, one.value("hypothesis", std::string("?")), std::equal_to<>());
    for (const auto& [name, table] : study.tables) add_new(tables, name, std::equal_to<>());
  }
  for (const auto& name : findings) {
    ComparedFinding finding{name, {}, false};
    for (const auto& study : out.studies) {
      auto& result = finding.results.emplace_back();
      for (const auto& one : study.hypotheses)
        if (one.value("hypothesis", "") == name) result = one;
      const auto verdict = [](const json& of) { return of.is_object() ? of.value("verdict", "?") : ""; };
      finding.changed |= verdict(result) != verdict(finding.results.front());
    }
    out.findings.push_back(std::move(finding));
  }
  for (const auto& name : tables) out.tables.push_back(compare_table(name, out.studies));
  return out;
}

std::string machines_text(const json& provenance) {
  std::set<std::string> names;
  for (const auto& machine : provenance.value("machines", json::array())) {
    if (!machine.is_object()) continue;
    const auto device = machine.value("device", json()), cpu = machine.value("cpu", json());
    if (device.is_string() && device != "cpu")
      names.insert(device.get<std::string>());
    else if (cpu.is_string())
      names.insert(cpu.get<std::string>());
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string study_letter(std::size_t study) {
  return study < 26 ? std::string(1, static_cast<char>('A' + study)) : fmt::format("S{}", study + 1);
}

std::string finding_text(const json& result) {
  if (!result.is_object()) return "not there";
  auto text = result.value("verdict", "?");
  const auto estimate = result.value("estimate", json());
  if (!estimate.is_number()) return text;
  const auto column = metric_of(result);
  return text + " (" +
         (column ? difference_text(*column, estimate.get<double>()) + difference_unit(*column)
                 : number_text(estimate)) +
         ")";
}

std::string finding_interval(const json& result) {
  const auto number = [&](const char* end) {
    return result.is_object() ? result.value(end, json()) : json();
  };
  const auto low = number("low"), high = number("high");
  if (!low.is_number() || !high.is_number()) return {};
  const auto column = metric_of(result);
  const auto text = [&](double value) {
    return column ? difference_text(*column, value) : number_text(value);
  };
  return "[" + text(low) + ", " + text(high) + "]";
}

}  // namespace trl::interpreter
