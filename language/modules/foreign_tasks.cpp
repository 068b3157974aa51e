#include "language/modules/foreign_tasks.hpp"

#include <algorithm>

namespace trl::language {

std::vector<const nlohmann::json*> ForeignTasks::of_level(std::int64_t level) const {
  std::vector<const nlohmann::json*> out;
  for (const nlohmann::json& task : tasks)
    if (task.at("level") == level) out.push_back(&task);
  std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return a->at("id").template get<std::int64_t>() < b->at("id").template get<std::int64_t>();
  });
  return out;
}

std::vector<std::int64_t> ForeignTasks::levels() const {
  std::vector<std::int64_t> out;
  for (const nlohmann::json& task : tasks) out.push_back(task.at("level"));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace trl::language
