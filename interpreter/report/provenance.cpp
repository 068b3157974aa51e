#include "interpreter/report/provenance.hpp"

#include "base/support/digest.hpp"
#include "interpreter/plan/seen_parts.hpp"
#include "interpreter/report/hardware.hpp"

#ifndef TRL_VERSION
#define TRL_VERSION "unknown"
#endif

namespace trl::interpreter {
using nlohmann::json;
namespace {

/// Returns an experiment without the line of the file that names its model's server: it is only for messages
/// during a run, and the results don't depend on it.
nlohmann::json without_place(nlohmann::json experiment) {
  const auto remove = [](nlohmann::json& fields) {
    if (const auto model = fields.find("model"); model != fields.end() && model->is_object())
      model->erase("place");
  };
  remove(experiment);
  if (const auto cells = experiment.find("cells"); cells != experiment.end())
    for (auto& cell : *cells)
      if (const auto with = cell.find("with"); with != cell.end()) remove(*with);
  return experiment;
}

/// A hash of the store's secret, which identifies the store and doesn't reveal the secret; null without a
/// secret.
json secret_digest(const Store& store) {
  const auto file = store.root() / "secret";
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return nullptr;
  return sha256_hex("trl secret " + store.read_secret());
}

/// Returns the digests of the data of training and exam: every corpus, the rows from which it was made, and
/// the exam's tasks.
json data_digests(const Plan& plan, const Store& store) {
  json digests = json::array();
  for (const auto& stage : plan.stages) {
    // Rows from outside, by the digest of their files.
    for (const auto& [input, key] : stage.inputs)
      if (const auto from = plan.data.find(key); from != plan.data.end())
        digests.push_back({{"slot", stage.slot},
                           {"key", key},
                           {"file", from->second.filename().string()},
                           {"sha256", key}});
    const char* name = stage.kind == "corpus"  ? "samples.jsonl"
                       : stage.kind == "tasks" ? "tasks.json"
                                               : nullptr;
    if (!name) continue;
    digests.push_back({{"slot", stage.slot},
                       {"key", stage.key},
                       {"file", name},
                       {"sha256", store.result(stage.key).digest(name)}});
  }
  return digests;
}

}  // namespace

json provenance(const json& document, const Plan& plan, const Store& store,
                const std::vector<std::string>& sets) {
  json stages = json::object();
  for (const auto& stage : plan.stages) {
    auto made = store.stage(stage.key);
    // Task lists are long, and the stage's folder already has them.
    for (const char* list : {"pool", "tasks", "excluded"})
      if (made["spec"].contains(list))
        made["spec"][list] = std::to_string(made["spec"][list].size()) + " tasks";
    made.erase("key");
    made["slot"] = stage.slot;
    stages[stage.key] = std::move(made);
  }
  json rows = json::array();
  for (const Row* shown : plan.all_rows()) {
    const Row& row = *shown;
    json traces = json::array();
    for (const auto& trace : row.traces) traces.push_back({{"seed", trace.seed}, {"stages", trace.slots}});
    rows.push_back(
        {{"row", row.label}, {"extensions", row.extensions}, {"same_as", row.same_as}, {"chains", traces}});
  }
  json machines = json::array();
  for (const auto& share : machines_of(plan, store)) machines.push_back(as_json(share));
  json models = json::array();
  for (const auto& [key, path] : plan.models) models.push_back(key);
  return {{"experiment", plan.experiment},
          {"resolved", without_place(document.at("experiments").at(plan.experiment))},
          {"set", sets},
          {"trl", TRL_VERSION},
          {"tool_chain", tool_chain()},
          {"secret_sha256", secret_digest(store)},
          {"data", data_digests(plan, store)},
          {"models", models},
          {"machines", machines},
          {"notes", notes_for_people(plan)},
          {"rows", rows},
          {"stages", stages}};
}

}  // namespace trl::interpreter
