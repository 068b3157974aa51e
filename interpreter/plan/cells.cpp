#include "interpreter/plan/cells.hpp"

#include <algorithm>

#include "interpreter/error.hpp"

namespace trl::interpreter {

std::vector<nlohmann::json> varied_extensions(const nlohmann::json& vary) {
  if (vary.is_null() || (vary.is_array() && vary.empty())) return {};
  if (vary.is_object() && vary.value("call", "") == "subsets")
    return vary.at("args").get<std::vector<nlohmann::json>>();
  throw UserError("vary = " + (vary.is_object() ? vary.value("call", "…") + "(…)" : vary.dump()) +
                      " isn't carried out by this version",
                  "Use subsets(…) of extensions.");
}

std::vector<Cell> subsets(const std::vector<nlohmann::json>& extensions) {
  if (extensions.size() > 12)
    throw UserError("subsets of " + std::to_string(extensions.size()) + " extensions are too many cells");
  std::vector<unsigned> masks;
  for (unsigned mask = 0; mask < 1u << extensions.size(); ++mask) masks.push_back(mask);
  std::stable_sort(masks.begin(), masks.end(),
                   [](unsigned a, unsigned b) { return __builtin_popcount(a) < __builtin_popcount(b); });
  std::vector<Cell> cells;
  for (const unsigned mask : masks) {
    Cell cell;
    for (std::size_t i = 0; i < extensions.size(); ++i)
      if (mask >> i & 1) cell.on.push_back(extensions[i]);
    cells.push_back(std::move(cell));
  }
  return cells;
}

std::string label(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : " + ") + name;
  return text.empty() ? "none" : text;
}

}  // namespace trl::interpreter
