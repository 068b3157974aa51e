#include "interpreter/plan/cells.hpp"

namespace trl::interpreter {
namespace {
using nlohmann::json;

/// Appends the extensions that `vary` names, in its order.
void collect(const json& vary, std::vector<json>& out) {
  if (!vary.is_object()) return;
  if (vary.value("kind", "") == "extension") {
    out.push_back(vary);
    return;
  }
  for (const auto& argument : vary.value("args", json::array())) collect(argument, out);
}

std::vector<json> extensions_of(const json& vary) {
  std::vector<json> out;
  collect(vary, out);
  return out;
}

}  // namespace

std::vector<Factor> factors_of(const json& experiment) {
  std::vector<Factor> factors;
  // Factors that are extensions have the extension's name.
  const auto extensions = extensions_of(experiment.value("vary", json()));
  std::size_t next = 0;
  for (const auto& factor : experiment.value("design", json::object()).value("factors", json::array())) {
    const bool extension = factor.at("extension").get<bool>() && next < extensions.size();
    factors.push_back(
        {extension ? extensions[next++].value("name", "?") : factor.at("name").get<std::string>(),
         factor.at("levels").get<std::vector<std::string>>(), extension});
  }
  return factors;
}

std::vector<Cell> cells_of(const json& experiment) {
  std::vector<Cell> cells;
  const auto factors = factors_of(experiment);
  for (const auto& entry : experiment.value("cells", json::array())) {
    Cell cell;
    cell.label = entry.at("label").get<std::string>();
    cell.with = entry.value("with", json::object());
    const auto extensions = extensions_of(cell.with.value("vary", experiment.value("vary", json())));
    const auto levels = entry.at("levels").get<std::vector<std::size_t>>();
    std::size_t next = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const auto& factor = factors.at(i);
      cell.levels[factor.name] = factor.levels.at(levels[i]);
      if (!factor.extension) continue;
      if (levels[i] == 1) cell.on.push_back(extensions.at(next));
      ++next;
    }
    cells.push_back(std::move(cell));
  }
  if (cells.empty()) cells.emplace_back();
  return cells;
}

}  // namespace trl::interpreter
