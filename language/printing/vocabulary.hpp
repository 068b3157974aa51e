// The words of the language, for editors and other programs. They come from the schema, the table of
// operators, the functions of formulas, the units and the grammar.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// Returns everything in the language that has a name, with types, ranges, defaults and documentation.
/// docs/interfaces.md, section 7, defines the JSON.
nlohmann::json vocabulary();

/// Returns the words of each category, sorted. The categories are "keywords", "kinds", "variants", "fields",
/// "values", "constants", "functions", "tensor_functions", "inputs", "dtypes", "types" and "units".
const std::map<std::string, std::vector<std::string>>& word_lists();

}  // namespace trl::language
