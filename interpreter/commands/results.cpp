// `trl results`: the reports that lie in a folder, and how two of them differ.
#include <algorithm>
#include <memory>

#include "base/support/counted.hpp"
#include "base/support/files.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/results_export.hpp"
#include "interpreter/plan/why.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

/// The files of one report.
struct Written {
  fs::path folder;
  RunLabel label;
  json provenance, hypotheses = json::array();
  std::map<std::string, json> tables;  ///< by name
};

json parsed(const fs::path& file) {
  auto value = json::parse(read_text(file), nullptr, false);
  if (value.is_discarded())
    throw UserError(file.string() + " isn't complete", "`trl table` writes a report again from the store.");
  return value;
}

std::optional<Written> read_written(const fs::path& folder) {
  std::error_code none;
  if (!fs::exists(folder / "provenance.json", none)) return std::nullopt;
  Written out;
  out.folder = folder, out.label = read_label(folder), out.provenance = parsed(folder / "provenance.json");
  if (fs::exists(folder / "hypotheses.json", none)) out.hypotheses = parsed(folder / "hypotheses.json");
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto name = entry.path().filename();
    if (name.extension() != ".json" || name == "provenance.json" || name == "hypotheses.json") continue;
    auto value = parsed(entry.path());
    if (!value.is_object() || !value.contains("table") || !value.contains("rows")) continue;
    const auto table = value["table"].get<std::string>();
    out.tables[table] = std::move(value);
  }
  return out;
}

/// A report by its folder, or by the experiment's name in the folder of reports.
Written report_called(const std::string& name, const std::string& out) {
  for (const auto& folder : {fs::path(name), fs::path(out) / name})
    if (auto written = read_written(folder)) return std::move(*written);
  throw UserError("there is no report in " + name +
                      (fs::path(name).is_absolute() ? "" : " or " + (fs::path(out) / name).string()),
                  "`trl results list` shows those that there are.");
}

std::string seeds_text(const json& resolved) {
  std::string text;
  for (const auto& seed : resolved.value("seeds", json::array()))
    text += (text.empty() ? "" : ",") + seed.dump();
  return text;
}

std::string verdicts_text(const json& hypotheses) {
  std::string text;
  for (const auto& one : hypotheses)
    text += (text.empty() ? "" : ", ") + one.value("hypothesis", "?") + " " + one.value("verdict", "?");
  return text.empty() ? "-" : text;
}

json listed(const Written& written) {
  const auto resolved = written.provenance.value("resolved", json::object());
  json verdicts = json::object(), tables = json::array();
  for (const auto& one : written.hypotheses)
    verdicts[one.value("hypothesis", "?")] = one.value("verdict", "?");
  for (const auto& [name, table] : written.tables) tables.push_back(name);
  return {{"folder", written.folder.string()},
          {"name", written.label.name.empty() ? json() : json(written.label.name)},
          {"tags", written.label.tags},
          {"experiment", written.provenance.value("experiment", "?")},
          {"seeds", resolved.value("seeds", json::array())},
          {"set", written.provenance.value("set", json::array())},
          {"tables", tables},
          {"hypotheses", verdicts}};
}

int list(const std::string& out, const RunLabel& wanted, bool as_json, Console& console) {
  std::vector<Written> found;
  std::error_code none;
  if (auto own = read_written(out)) found.push_back(std::move(*own));
  for (const auto& entry : fs::directory_iterator(out, none))
    if (entry.is_directory())
      if (auto written = read_written(entry.path())) found.push_back(std::move(*written));
  const bool any = !found.empty();
  std::erase_if(found, [&](const Written& written) { return !matches(written.label, wanted); });
  std::sort(found.begin(), found.end(),
            [](const Written& a, const Written& b) { return a.folder < b.folder; });
  if (as_json) {
    json all = json::array();
    for (const auto& written : found) all.push_back(listed(written));
    console.out << all.dump(1) << '\n';
    return fine;
  }
  if (found.empty()) {
    console.out << (any ? "no report in " + out + " has this name and these tags\n"
                        : "there is no report in " + out +
                              "; `trl run FILE` writes them, to another folder with --out\n");
    return fine;
  }
  for (const auto& written : found) {
    const auto& set = written.provenance.value("set", json::array());
    std::string text = written.folder.string() + "  seeds " +
                       seeds_text(written.provenance.value("resolved", json::object()));
    for (const auto& one : set) text += "  --set " + one.get<std::string>();
    if (!written.label.name.empty()) text += "  name " + written.label.name;
    if (!written.label.tags.empty()) text += "  tags " + tags_text(written.label);
    console.out << wrapped(text, 4) << '\n' << wrapped("    " + verdicts_text(written.hypotheses), 4) << '\n';
  }
  return fine;
}

std::string figure_of(const json& figure, const Column& column) {
  if (!figure.is_object() || !figure.contains("value") || !figure["value"].is_number()) return "-";
  Figure read;
  read.value = figure["value"].get<double>();
  if (figure.contains("low") && figure["low"].is_number() && figure.contains("high") &&
      figure["high"].is_number())
    read.interval = statistics::Interval{figure["low"], figure["high"]};
  read.scope = figure["about"] == "recipe" ? Scope::recipe : Scope::these_runs;
  return figure_text(column, read);
}

const json* row_called(const json& table, const std::string& name) {
  for (const auto& row : table.at("rows"))
    if (row.at("row") == name) return &row;
  return nullptr;
}

/// The column that a table of a report says that it has; a share if it doesn't say.
Column column_called(const json& table, const std::string& id) {
  Column column{};
  column.id = column.title = id;
  for (const auto& one : table.value("columns", json::array()))
    if (one.value("id", "") == id) {
      column.title = one.value("title", id);
      column.unit = unit_named(one.value("unit", "share"));
    }
  return column;
}

/// The figures that differ, as a table; empty if none does.
std::string figures_that_differ(const json& before, const json& now, std::vector<std::string>& missing) {
  std::vector<std::string> labels = {"figure"};
  std::vector<std::vector<std::string>> cells = {{"A"}, {"B"}};
  for (const auto& row : now.at("rows")) {
    const auto name = row.at("row").get<std::string>();
    const json* const other = row_called(before, name);
    if (other == nullptr) {
      missing.push_back("only B has the row " + name);
      continue;
    }
    for (const auto& [id, figure] : row.at("figures").items()) {
      const auto& figures = other->at("figures");
      if (!figures.contains(id) || figures[id] == figure) continue;
      const auto column = column_called(now, id);
      const auto a = figure_of(figures[id], column), b = figure_of(figure, column);
      if (a == b) continue;
      labels.push_back(name + ", " + column.title), cells[0].push_back(a), cells[1].push_back(b);
    }
  }
  for (const auto& row : before.at("rows"))
    if (row_called(now, row.at("row")) == nullptr)
      missing.push_back("only A has the row " + row["row"].get<std::string>());
  return labels.size() > 1 ? markdown_table(labels, cells) : "";
}

void show_settings(const Written& a, const Written& b, std::ostream& out) {
  constexpr std::size_t most = 12;
  auto found = value_differences(a.provenance.value("resolved", json::object()),
                                 b.provenance.value("resolved", json::object()));
  for (const char* field : {"tool_chain", "trl", "machines"})
    for (auto& one : value_differences({{field, a.provenance.value(field, json())}},
                                       {{field, b.provenance.value(field, json())}}))
      found.push_back(std::move(one));
  if (a.provenance.value("secret_sha256", "") != b.provenance.value("secret_sha256", ""))
    found.push_back("the stores' secrets differ, and with them the exam's inputs");
  if (found.empty()) out << "settings: the same\n";
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) out << wrapped("  " + found[i], 4) << '\n';
  if (found.size() > most) out << fmt::format("  and {} more\n", found.size() - most);
}

void show_verdicts(const Written& a, const Written& b, std::ostream& out) {
  const auto verdict = [](const Written& written, const std::string& name) -> std::string {
    for (const auto& one : written.hypotheses)
      if (one.value("hypothesis", "") == name)
        return one.value("verdict", "?") + (one.at("estimate").is_number()
                                                ? fmt::format(" ({:.4g})", one["estimate"].get<double>())
                                                : "");
    return "not there";
  };
  std::vector<std::string> names;
  for (const auto* written : {&a, &b})
    for (const auto& one : written->hypotheses)
      if (const auto name = one.value("hypothesis", "");
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  for (const auto& name : names) {
    const auto before = verdict(a, name), now = verdict(b, name);
    out << wrapped("  " + name + ": " + (before == now ? before + " in both" : before + " -> " + now), 4)
        << '\n';
  }
}

int diff(const std::string& first, const std::string& second, const std::string& out, Console& console) {
  const auto a = report_called(first, out), b = report_called(second, out);
  console.out << "A: " << a.folder.string() << "\nB: " << b.folder.string() << '\n';
  show_settings(a, b, console.out);
  show_verdicts(a, b, console.out);
  for (const auto& [name, table] : b.tables) {
    const auto other = a.tables.find(name);
    if (other == a.tables.end()) {
      console.out << "\nonly B has the table " << name << '\n';
      continue;
    }
    std::vector<std::string> missing;
    const auto figures = figures_that_differ(other->second, table, missing);
    console.out << "\ntable " << name
                << (figures.empty() ? ": the same figures\n" : ", the figures that differ:\n\n" + figures);
    for (const auto& line : missing) console.out << "  " << line << '\n';
  }
  for (const auto& [name, table] : a.tables)
    if (!b.tables.contains(name)) console.out << "\nonly A has the table " << name << '\n';
  return fine;
}

}  // namespace

void add_results(Command trl, Console& console, int& status) {
  struct Options {
    ProgramOptions program;
    std::string first, second;
    bool as_json = false;
  };
  auto options = std::make_shared<Options>();
  auto command =
      trl.add_command("results", "List and compare the reports of a folder, or export what was measured");
  command.require_command();
  auto listing = command.add_command("list", "List the reports with their seeds, settings and verdicts");
  add_out(listing, options->program);
  listing.add_option("--name", options->program.label.name, "Only runs of this name").type_name("NAME");
  add_tags(listing, options->program.label, "Only runs with this tag. May be repeated");
  listing.add_flag("--json", options->as_json, "The same as JSON");
  add_examples(
      listing,
      "  trl results list\n  trl results list --tag sweep\n  trl results list --out elsewhere --json");
  listing.callback([options, &console, &status] {
    status = list(options->program.out, options->program.label, options->as_json, console);
  });
  auto difference =
      command.add_command("diff", "Show the settings, verdicts and figures in which two reports differ");
  difference
      .add_option("A", options->first, "A report's folder, or its experiment's name in the folder of --out")
      .required()
      .type_name("");
  difference.add_option("B", options->second, "Another one").required().type_name("");
  add_out(difference, options->program);
  add_examples(difference, "  trl results diff runs/ablation elsewhere/ablation");
  difference.callback([options, &console, &status] {
    status = diff(options->first, options->second, options->program.out, console);
  });
  add_results_export(command, console, status);
  add_examples(command, "  trl results list\n  trl results diff runs/ablation elsewhere/ablation");
}

}  // namespace trl::interpreter
