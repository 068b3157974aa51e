// All files of a finished experiment's folder, made from the store alone, so that their bytes never change.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/reported.hpp"
#include "interpreter/report/contents.hpp"

namespace trl::interpreter {

/// How the exam judges, as every report states it.
std::string exam_text();

/// The tables, plots and hypotheses of one experiment. An experiment that no table is `of` gets all tables of
/// the file, or a default table if the file has none. Throws UserError before any stage
/// is run if this version can't report a part.
ReportRequest request_for(const nlohmann::json& document, const std::string& experiment);

struct Report {
  /// File name → contents. For each table: main.md, main.csv, main.values.csv (without measured seconds),
  /// main.json, main.tex, main.svg (its picture), main.effects.csv, main.effects.svg, main.half_normal.svg,
  /// main.interactions.svg, main.tasks.csv, main.tasks.svg; for each plot: learning.csv, learning.svg, and
  /// where a plan verifies kept answers as the exam does, learning.exam.csv, learning.exam.svg; and
  /// report.html, hypotheses.json, provenance.json.
  std::map<std::string, std::string> files;
  /// Files that need gnuplot, which is missing, or that weren't wanted. Old files of these names are removed.
  std::vector<std::string> absent;
  std::vector<std::string> warnings;
  /// The output at the end of a run, at most 80 columns wide: the tables and the findings.
  std::string tables, findings;
};

/// Makes the report from the store alone; its bytes are always the same. `sets` are the command line's
/// overrides. `with_pdf`: pictures as PDF, too, and pictures.tex, which includes them.
Report make_report(const ReportRequest& request, const nlohmann::json& document, const Plan& plan,
                   const Store& store, const std::vector<std::string>& sets, bool with_pdf = false);

/// Throws UserError if the folder can't be made or written to.
void make_report_folder(const std::filesystem::path& folder);
/// Writes a report's files, each atomically, and removes old files that couldn't be made again. Returns the
/// tables' Markdown files.
std::vector<std::filesystem::path> write_report(const Report& report, const std::filesystem::path& folder);

}  // namespace trl::interpreter
