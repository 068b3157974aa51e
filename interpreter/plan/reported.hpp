// Finds the tables, plots and hypotheses of a .trl file that report on an experiment.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// The declarations of the document that belong to a report on one experiment, by name. An experiment that no
/// table and no plot names gets all declarations.
struct Reported {
  std::map<std::string, nlohmann::json> tables, plots, hypotheses;
};
Reported reported_on(const nlohmann::json& document, const std::string& experiment);

/// The experiments that the file's tables, plots and hypotheses name, in alphabetical order. If the file has
/// no tables, plots and hypotheses, all experiments are returned.
std::vector<std::string> named_experiments(const nlohmann::json& document);

/// A table's column without the title that `titled(COLUMN, "title")` gives it; other columns as they are.
const nlohmann::json& without_title(const nlohmann::json& column);

/// Whether a report on the experiment needs the strict verification of kept samples (`PlanOptions::purity`).
bool wants_purity(const nlohmann::json& document, const std::string& experiment);

}  // namespace trl::interpreter
