#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// A factor of an experiment's design: an extension (levels "off", "on"), or values of fields.
struct Factor {
  std::string name;
  std::vector<std::string> levels;  ///< as the program writes them, in order
  bool extension = false;
};

/// One cell of an experiment's design.
struct Cell {
  std::string label;                          ///< "inputs + stages, rank = 16"
  std::map<std::string, std::string> levels;  ///< the level of each factor
  std::vector<nlohmann::json> on;             ///< extension declarations that are on, in the order of `vary`
  /// The experiment's fields with the values that the cell gives them.
  nlohmann::json with = nlohmann::json::object();
};

/// The factors and cells that the resolved experiment lists (docs/interfaces.md, section 2); one cell without
/// factors if nothing is varied.
std::vector<Factor> factors_of(const nlohmann::json& experiment);
std::vector<Cell> cells_of(const nlohmann::json& experiment);

}  // namespace trl::interpreter
