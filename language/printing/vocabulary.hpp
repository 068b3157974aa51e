// The words of the language, for editors and other programs: from the schema, the table of operators, the
// functions of formulas, the units and the grammar.
#pragma once
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::language {

/// Everything that has a name, with types, ranges, defaults and documentation. docs/interfaces.md, 7, has the
/// form.
nlohmann::json vocabulary();

/// The words alone, sorted, by their category: "keywords", "kinds", "variants", "fields", "values",
/// "constants", "functions", "tensor_functions", "inputs", "dtypes", "types", "units".
const std::map<std::string, std::vector<std::string>>& word_lists();

}  // namespace trl::language
