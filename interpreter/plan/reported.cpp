#include "interpreter/plan/reported.hpp"

#include <algorithm>
#include <set>

#include "base/contract/columns.hpp"

namespace trl::interpreter {
using nlohmann::json;

Reported reported_on(const json& document, const std::string& experiment) {
  const auto tables = document.value("tables", json::object());
  const auto plots = document.value("plots", json::object());
  const auto hypotheses = document.value("hypotheses", json::object());
  const auto is_of = [&](const json& declaration) { return declaration.at("of") == experiment; };
  const bool own =
      std::any_of(tables.begin(), tables.end(), is_of) || std::any_of(plots.begin(), plots.end(), is_of);
  Reported out;
  for (const auto& [name, table] : tables.items())
    if (is_of(table) || !own) out.tables[name] = table;
  for (const auto& [name, plot] : plots.items())
    if (is_of(plot) || !own) out.plots[name] = plot;
  for (const auto& [name, hypothesis] : hypotheses.items())
    if (is_of(hypothesis)) out.hypotheses[name] = hypothesis;
  return out;
}

std::vector<std::string> named_experiments(const json& document) {
  std::set<std::string> names;
  for (const char* part : {"tables", "plots", "hypotheses"}) {
    const auto declarations = document.value(part, json::object());
    for (const auto& [name, declaration] : declarations.items())
      names.insert(declaration.at("of").get<std::string>());
  }
  if (names.empty())
    for (const auto& [name, experiment] : document.at("experiments").items()) names.insert(name);
  return {names.begin(), names.end()};
}

const json& without_title(const json& column) {
  return column.is_object() && column.value("call", "") == "titled" ? column.at("args").at(0) : column;
}

bool wants_purity(const json& document, const std::string& experiment) {
  const auto needs_it = [](const json& declared) {
    const auto& written = without_title(declared);
    const auto* column = written.is_string() ? contract::find_column(written.get<std::string>()) : nullptr;
    return column != nullptr && column->needs == contract::ColumnNeeds::kept_verdicts;
  };
  const auto reported = reported_on(document, experiment);
  const auto has = [&](const auto& declarations, const char* field) {
    return std::any_of(declarations.begin(), declarations.end(), [&](const auto& declaration) {
      const json value = declaration.second.value(field, json());
      return value.is_array() ? std::any_of(value.begin(), value.end(), needs_it) : needs_it(value);
    });
  };
  return has(reported.tables, "columns") || has(reported.plots, "y") || has(reported.hypotheses, "metric");
}

}  // namespace trl::interpreter
