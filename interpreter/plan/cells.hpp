#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// One combination of the extensions under study.
struct Cell {
  std::vector<nlohmann::json> on;  ///< the declarations that are on, in the order of `vary`
};

/// The extensions that `vary` names, in its order. Throws UserError for another construct than `subsets`.
std::vector<nlohmann::json> varied_extensions(const nlohmann::json& vary);

/// All 2^n combinations, from none to all, by how many are on.
std::vector<Cell> subsets(const std::vector<nlohmann::json>& extensions);

/// "inputs + stages", or "none".
std::string label(const std::vector<std::string>& names);

}  // namespace trl::interpreter
