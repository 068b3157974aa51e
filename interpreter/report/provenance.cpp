#include "interpreter/report/provenance.hpp"

namespace trl::interpreter {
using nlohmann::json;

json provenance(const json& document, const Plan& plan, const Store& store,
                const std::vector<std::string>& sets) {
  json stages = json::object();
  for (const auto& stage : plan.stages) {
    auto made = store.stage(stage.key);
    // Task lists are long, and a stage's folder has them.
    for (const char* list : {"pool", "tasks"})
      if (made["spec"].contains(list))
        made["spec"][list] = std::to_string(made["spec"][list].size()) + " tasks";
    made.erase("key");
    made["slot"] = stage.slot;
    stages[stage.key] = std::move(made);
  }
  json rows = json::array();
  for (const auto& row : plan.rows) {
    json traces = json::array();
    for (const auto& trace : row.traces) traces.push_back({{"seed", trace.seed}, {"stages", trace.slots}});
    rows.push_back(
        {{"row", row.label}, {"extensions", row.extensions}, {"same_as", row.same_as}, {"chains", traces}});
  }
  json models = json::array();
  for (const auto& [key, path] : plan.models) models.push_back(key);
  return {{"experiment", plan.experiment},
          {"resolved", document.at("experiments").at(plan.experiment)},
          {"set", sets},
          {"tool_chain", tool_chain()},
          {"models", models},
          {"notes", plan.notes},
          {"rows", rows},
          {"stages", stages}};
}

}  // namespace trl::interpreter
