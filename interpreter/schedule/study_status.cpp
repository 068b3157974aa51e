#include "interpreter/schedule/study_status.hpp"

namespace trl::interpreter {
using nlohmann::json;

StudyStatus::StudyStatus(const Plan& plan) : plan_(plan), there_(plan.stages.size()), forecast_(plan) {}

json StudyStatus::look(const Store& store) {
  std::vector<const Stage*> missing;
  json to_do = json::array(), damaged = json::array();
  for (std::size_t i = 0; i < plan_.stages.size(); ++i) {
    const auto& stage = plan_.stages[i];
    const bool there = store.has(stage.key);
    if (!there) missing.push_back(&stage), to_do.push_back(stage.slot);
    const bool known = there && there_[i] != 0;
    there_[i] = there ? 1 : 0;
    if (known) continue;
    // A result without its description isn't there, and is damaged.
    damaged_.erase(i);
    if (auto how = store.damage(stage.key, Check::sizes)) damaged_[i] = std::move(*how);
    if (there) forecast_.add_stored(stage, store);
  }
  for (const auto& [i, how] : damaged_) damaged.push_back({{"stage", plan_.stages[i].slot}, {"how", how}});
  const auto seconds = forecast_.seconds(missing);
  return {{"experiment", plan_.experiment},
          {"done", plan_.stages.size() - missing.size()},
          {"total", plan_.stages.size()},
          {"seconds_left", seconds           ? json(*seconds)
                           : missing.empty() ? json(0)
                                             : json()},
          {"to_do", to_do},
          {"damaged", damaged}};
}

}  // namespace trl::interpreter
