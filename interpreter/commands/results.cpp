// `trl results`: lists the reports in a folder and compares them.
#include <algorithm>
#include <memory>

#include "base/support/counted.hpp"
#include "interpreter/commands/console.hpp"
#include "interpreter/commands/results_export.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/studies.hpp"
#include "interpreter/wrap.hpp"

#include <fmt/format.h>

namespace trl::interpreter {
namespace {
using nlohmann::json;
namespace fs = std::filesystem;

/// The files of one report, with the name and tags of its run.
struct Written : StudyReport {
  RunLabel label;
};

std::optional<Written> read_written(const fs::path& folder) {
  auto report = read_report(folder);
  if (!report) return std::nullopt;
  return Written{std::move(*report), read_label(folder)};
}

/// Returns a report: `name` is its folder, or an experiment whose report is in the folder `out`.
Written report_called(const std::string& name, const std::string& out) {
  for (const auto& folder : {fs::path(name), fs::path(out) / name})
    if (auto written = read_written(folder)) return std::move(*written);
  if (name.ends_with(".trl"))
    throw WrongUsage(name + " is a file, and no report",
                     "It compares reports, " + (fs::path(out) / "EXPERIMENT").string() +
                         ", which `trl run FILE` writes: `trl results list` shows those that there are.");
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

/// Returns the figures of a table that differ between studies, with the differences from the first study's;
/// empty if none differs.
std::string figures_that_differ(const ComparedTable& table) {
  const auto studies = table.there.size();
  std::vector<std::string> labels = {"figure"};
  std::vector<std::vector<std::string>> cells;
  for (std::size_t s = 0; s < studies; ++s) cells.push_back({study_letter(s)});
  for (std::size_t s = 1; s < studies; ++s) cells.push_back({study_letter(s) + " against A"});
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const auto& [figures, differences] = table.cells[r][c];
      std::vector<std::string> texts;
      for (const auto& figure : figures)
        texts.push_back(figure && figure->value ? figure_text(table.columns[c], *figure) : "-");
      const auto is_there = [&](std::size_t s) { return table.has_row[s][r] && figures[s]; };
      bool differs = false;
      for (std::size_t s = 1; s < studies; ++s) differs |= is_there(0) && is_there(s) && texts[s] != texts[0];
      if (!differs) continue;
      labels.push_back(table.rows[r] + ", " + table.columns[c].title);
      for (std::size_t s = 0; s < studies; ++s) cells[s].push_back(texts[s]);
      for (std::size_t s = 1; s < studies; ++s)
        cells[studies + s - 1].push_back(
            differences[s] ? difference_text(table.columns[c], differences[s]->difference) : "-");
    }
  return labels.size() > 1 ? markdown_table(labels, cells) : "";
}

void show_settings(const std::vector<std::string>& found, std::ostream& out) {
  constexpr std::size_t most = 12;
  if (found.empty()) out << "settings: the same\n";
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) out << wrapped("  " + found[i], 4) << '\n';
  if (found.size() > most) out << fmt::format("  and {} more\n", found.size() - most);
}

void show_findings(const StudiesCompared& compared, std::ostream& out) {
  for (const auto& finding : compared.findings) {
    std::string text;
    bool alike = true;
    for (const auto& result : finding.results) {
      alike &= finding_text(result) == finding_text(finding.results.front());
      text += (text.empty() ? "" : " -> ") + finding_text(result);
    }
    if (alike)
      text = finding_text(finding.results.front()) + (compared.studies.size() == 2 ? " in both" : " in all");
    out << wrapped("  " + finding.name + ": " + text, 4) << '\n';
  }
}

void show_table(const ComparedTable& table, std::ostream& out) {
  for (std::size_t s = 0; s < table.there.size(); ++s)
    if (!table.there[s]) {
      out << "\nthe table " << table.name << " isn't in " << study_letter(s) << '\n';
      if (table.there.size() == 2) return;
    }
  const auto figures = figures_that_differ(table);
  out << "\ntable " << table.name
      << (figures.empty() ? ": the same figures\n" : ", the figures that differ:\n\n" + figures);
  for (std::size_t s = 0; s < table.there.size(); ++s)
    for (std::size_t r = 0; r < table.rows.size() && table.there[s]; ++r)
      if (!table.has_row[s][r]) out << "  " << study_letter(s) << " has no row " << table.rows[r] << '\n';
}

int diff(const std::vector<std::string>& names, const std::string& out, const std::string& html,
         Console& console) {
  if (names.size() < 2)
    throw WrongUsage("trl results diff compares two reports or more", "`trl results list` shows them.");
  std::vector<StudyReport> studies;
  for (const auto& name : names) studies.push_back(report_called(name, out));
  const auto compared = compare_studies(std::move(studies));
  if (!html.empty()) {
    replace_text(html, comparison_page(compared));
    console.out << "comparison: " << html << '\n';
    return fine;
  }
  for (std::size_t s = 0; s < compared.studies.size(); ++s)
    console.out << study_letter(s) << ": " << compared.studies[s].folder.string() << '\n';
  for (std::size_t s = 1; s < compared.studies.size(); ++s) {
    if (compared.studies.size() > 2) console.out << study_letter(s) << " against A\n";
    show_settings(compared.settings[s], console.out);
  }
  show_findings(compared, console.out);
  for (const auto& table : compared.tables) show_table(table, console.out);
  return fine;
}

}  // namespace

void add_results(Command trl, Console& console, int& status) {
  struct Options {
    ProgramOptions program;
    std::vector<std::string> reports;
    std::string html;
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
  auto difference = command.add_command(
      "diff", "Show the settings, verdicts and figures in which reports differ from the first of them");
  difference
      .add_option("REPORT", options->reports,
                  "Two reports or more: their folders, or their experiments' names in the folder of --out")
      .required()
      .type_name("");
  difference
      .add_option(
          "--html", options->html,
          "Write a page instead, with every figure and the difference of each from the first report's")
      .type_name("FILE");
  add_out(difference, options->program);
  add_examples(difference,
               "  trl results diff runs/ablation elsewhere/ablation\n"
               "  trl results diff before now other_model --html comparison.html");
  difference.callback([options, &console, &status] {
    status = diff(options->reports, options->program.out, options->html, console);
  });
  add_results_export(command, console, status);
  add_examples(command, "  trl results list\n  trl results diff runs/ablation elsewhere/ablation");
}

}  // namespace trl::interpreter
