#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// A factor of an experiment's design: an extension (levels "off" and "on"), or a setting whose levels are
/// values of fields.
struct Factor {
  std::string name;
  std::vector<std::string> levels;  ///< the levels as the .trl program writes them, in their order
  bool extension = false;
};

/// One cell of an experiment's design.
struct Cell {
  std::string label;                          ///< "inputs + stages, rank = 16"
  std::map<std::string, std::string> levels;  ///< the level of each factor
  std::vector<nlohmann::json> on;  ///< the declarations of the extensions that are on, in the order of `vary`
  /// The experiment's fields, with this cell's values for the varied fields.
  nlohmann::json with = nlohmann::json::object();
};

/// The factors that the resolved experiment lists (docs/interfaces.md, section 2). If nothing is varied,
/// there are no factors, and `cells_of` returns one cell.
std::vector<Factor> factors_of(const nlohmann::json& experiment);
std::vector<Cell> cells_of(const nlohmann::json& experiment);

}  // namespace trl::interpreter
