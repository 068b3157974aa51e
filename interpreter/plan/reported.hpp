// The parts of experiments that a file's tables, plots and hypotheses use.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// The declarations that a report on one experiment follows, by name, as they stand in the document. An
/// experiment that no table and no plot is about has all of them.
struct Reported {
  std::map<std::string, nlohmann::json> tables, plots, hypotheses;
};
Reported reported_on(const nlohmann::json& document, const std::string& experiment);

/// The experiments that the file's tables, plots and hypotheses name, in alphabetical order; all if there are
/// none of these.
std::vector<std::string> named_experiments(const nlohmann::json& document);

/// Whether a report on the experiment needs the strict verification of kept samples (`PlanOptions::purity`).
bool wants_purity(const nlohmann::json& document, const std::string& experiment);

}  // namespace trl::interpreter
