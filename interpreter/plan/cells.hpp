#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// Something that an experiment varies: an extension (levels "off", "on"), or values of fields.
struct Factor {
  std::string name;
  std::vector<std::string> levels;  ///< as they are written, in order
  bool extension = false;
};

/// One cell of an experiment's design.
struct Cell {
  std::string label;                          ///< "inputs + stages, rank = 16"
  std::map<std::string, std::string> levels;  ///< of each factor
  std::vector<nlohmann::json> on;             ///< extension declarations that are on, in the order of `vary`
  /// Fields of the experiment that the cell changes.
  nlohmann::json with = nlohmann::json::object();
};

/// The factors and cells that the resolved experiment lists (docs/seams.md, 2); one cell without factors
/// where nothing is varied.
std::vector<Factor> factors_of(const nlohmann::json& experiment);
std::vector<Cell> cells_of(const nlohmann::json& experiment);

}  // namespace trl::interpreter
