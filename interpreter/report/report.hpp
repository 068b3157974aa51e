// All that a finished experiment's folder holds, made from the store alone: the same bytes whenever it is
// made.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"
#include "interpreter/report/plot.hpp"
#include "interpreter/report/table.hpp"
#include "interpreter/store/store.hpp"

namespace trl::interpreter {

/// What a file asks to be reported of one experiment.
struct ReportRequest {
  std::string experiment;
  std::vector<TableLayout> tables;
  std::vector<Plot> plots;
  std::vector<std::pair<std::string, nlohmann::json>> hypotheses;
  bool wants_purity() const;
};

/// How the exam judges, as every report says it.
std::string exam_text();

/// The tables, plots and hypotheses of one experiment. One that no table is `of` takes the file's tables for
/// its own, or a plain one where the file has none. Throws UserError for what this version can't report,
/// before anything is run.
ReportRequest request_for(const nlohmann::json& document, const std::string& experiment);

/// The experiments that the file's tables, plots and hypotheses name, in alphabetical order; all when there
/// are none of these.
std::vector<std::string> named_experiments(const nlohmann::json& document);

/// File name → contents: main.md, main.csv, main.values.csv (without measured seconds), main.json,
/// learning.csv, learning.svg, hypotheses.json, provenance.json. `sets` are the command line's overrides.
std::map<std::string, std::string> make_report(const ReportRequest& request, const nlohmann::json& document,
                                               const Plan& plan, const Store& store,
                                               const std::vector<std::string>& sets);

/// Throws UserError where the folder can't be made or written in.
void make_report_folder(const std::filesystem::path& folder);
/// Writes a report's files, each replaced as one act. Returns the tables' Markdown files.
std::vector<std::filesystem::path> write_report(const std::map<std::string, std::string>& files,
                                                const std::filesystem::path& folder);

}  // namespace trl::interpreter
