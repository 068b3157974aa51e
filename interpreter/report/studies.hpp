// Compares finished studies by the files of their reports alone. The reports may come from other machines.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/observed.hpp"

namespace trl::interpreter {

/// The files of a report that programs read.
struct StudyReport {
  std::filesystem::path folder;
  nlohmann::json provenance, hypotheses = nlohmann::json::array();
  std::map<std::string, nlohmann::json> tables;  ///< by name
  std::map<std::string, Observed> samples;       ///< by table; reports of earlier versions have none
};

/// The report in a folder; nothing if there is none. Throws UserError for a file that isn't complete.
std::optional<StudyReport> read_report(const std::filesystem::path& folder);

/// A figure in each study, and the difference of each later study from the first.
struct ComparedFigure {
  std::vector<std::optional<Figure>> figures;               ///< [study]; without a value: not measured
  std::vector<std::optional<StudyDifference>> differences;  ///< [study]; nothing for the first study
};

struct ComparedTable {
  std::string name;
  std::vector<std::string> rows;                   ///< labels of rows that any study has
  std::vector<Column> columns;                     ///< the columns that any study has
  std::vector<std::vector<ComparedFigure>> cells;  ///< [row][column]
  std::vector<bool> there;                         ///< [study]: whether it has the table
  std::vector<std::vector<bool>> has_row;          ///< [study][row]
  bool without_samples = false;                    ///< whether a study that has the table tells no samples
};

struct ComparedFinding {
  std::string name;
  std::vector<nlohmann::json> results;  ///< [study]: as in hypotheses.json; null if it isn't there
  bool changed = false;                 ///< whether the verdicts differ
};

struct StudiesCompared {
  std::vector<StudyReport> studies;
  std::vector<std::vector<std::string>> settings;  ///< [study]: the settings that differ from the first's
  std::vector<ComparedFinding> findings;
  std::vector<ComparedTable> tables;
};

/// Compares each study with the first.
StudiesCompared compare_studies(std::vector<StudyReport> studies);

/// The letter by which a comparison calls a study: "A", "B".
std::string study_letter(std::size_t study);
/// The verdict and the estimate of a finding: "supported (+10.0 points)"; "not there" if there is none.
std::string finding_text(const nlohmann::json& result);
/// The interval of a finding's estimate: "[+2.1, +17.9]"; empty if there is none.
std::string finding_interval(const nlohmann::json& result);
/// The machines of a report by name, in one line: "NVIDIA H200, AMD EPYC"; empty if the report names none.
std::string machines_text(const nlohmann::json& provenance);
/// One HTML page with the comparison, without scripts or external resources. The same reports give the same
/// bytes.
std::string comparison_page(const StudiesCompared& compared);

}  // namespace trl::interpreter
