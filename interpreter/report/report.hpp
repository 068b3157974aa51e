// All that a finished experiment's folder holds, made from the store alone: the same bytes whenever it is
// made.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/report/contents.hpp"

namespace trl::interpreter {

/// How the exam judges, as every report says it.
std::string exam_text();

/// The tables, plots and hypotheses of one experiment. One that no table is `of` takes the file's tables for
/// its own, or a plain one where the file has none. Throws UserError for what this version can't report,
/// before anything is run.
ReportRequest request_for(const nlohmann::json& document, const std::string& experiment);

/// The experiments that the file's tables, plots and hypotheses name, in alphabetical order; all when there
/// are none of these.
std::vector<std::string> named_experiments(const nlohmann::json& document);

struct Report {
  /// File name → contents. Of each table: main.md, main.csv, main.values.csv (without measured seconds),
  /// main.json, main.tex, main.svg (a picture of it), main.effects.csv, main.tasks.csv, main.tasks.svg; of
  /// each plot: learning.csv, learning.svg; report.html, hypotheses.json, provenance.json.
  std::map<std::string, std::string> files;
  /// Files that would be there if gnuplot were, to be removed where they are left over.
  std::vector<std::string> absent;
  std::vector<std::string> warnings;
  /// What the end of a run shows, at most 80 columns wide: the tables, and what was found.
  std::string tables, findings;
};

/// Made from the store alone: the same bytes whenever it is made. `sets` are the command line's overrides.
Report make_report(const ReportRequest& request, const nlohmann::json& document, const Plan& plan,
                   const Store& store, const std::vector<std::string>& sets);

/// Throws UserError where the folder can't be made or written in.
void make_report_folder(const std::filesystem::path& folder);
/// Writes a report's files, each replaced as one act, and removes those that couldn't be made. Returns the
/// tables' Markdown files.
std::vector<std::filesystem::path> write_report(const Report& report, const std::filesystem::path& folder);

}  // namespace trl::interpreter
