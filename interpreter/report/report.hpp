// Makes all files of a finished experiment's folder. They are made from the store alone, so that their bytes
// never change.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/plan/reported.hpp"
#include "interpreter/report/contents.hpp"

namespace trl::interpreter {

/// The description of the exam's judgement that every report has.
std::string exam_text();

/// The tables, plots and hypotheses of one experiment. An experiment that no table names in its `of` gets all
/// tables of the file, or a default table if the file has none. Throws UserError if this version can't report
/// one of them; the function is called before any stage is run.
ReportRequest request_for(const nlohmann::json& document, const std::string& experiment);

struct Report {
  /// File name → contents. For each table: main.md, main.csv, main.values.csv (without measured seconds),
  /// main.json, main.tex, main.svg (its picture), main.effects.csv, main.effects.svg, main.half_normal.svg,
  /// main.interactions.svg, main.tasks.csv, main.tasks.svg; for each plot: learning.csv, learning.svg, and
  /// where a plan verifies kept answers as the exam does, learning.exam.csv, learning.exam.svg; and
  /// report.html, hypotheses.json, provenance.json.
  std::map<std::string, std::string> files;
  /// The names of files that weren't made, since they weren't requested or couldn't be drawn. Old files of
  /// these names are removed.
  std::vector<std::string> absent;
  std::vector<std::string> warnings;
  /// The output at the end of a run, at most 80 columns wide: the tables and the findings.
  std::string tables, findings;
};

/// Makes the report from the store alone; its bytes are always the same. `sets` are the command line's
/// overrides. With `pdf_font`, a font's name, the pictures are also made as PDF, with a pictures.tex that
/// includes them.
Report make_report(const ReportRequest& request, const nlohmann::json& document, const Plan& plan,
                   const Store& store, const std::vector<std::string>& sets,
                   const std::optional<std::string>& pdf_font = {});

/// Creates the folder of a report. Throws UserError if it can't be created or written to.
void make_report_folder(const std::filesystem::path& folder);
/// Writes a report's files, each atomically, and removes old files that couldn't be made again. Returns the
/// paths of the tables' Markdown files.
std::vector<std::filesystem::path> write_report(const Report& report, const std::filesystem::path& folder);

}  // namespace trl::interpreter
