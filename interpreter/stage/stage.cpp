#include "interpreter/stage/stage.hpp"

#include <utility>

#include "base/support/digest.hpp"
#include "interpreter/canonical.hpp"

namespace trl::interpreter {
namespace {

nlohmann::json renamed(nlohmann::json node, const std::map<std::string, std::string>& names) {
  if (node.is_object()) {
    node.erase("at");
    // `{"name": n}` is a reference, which is renamed; `{"member": EXPR, "name": n}` is a field and keeps its
    // name.
    if (node.size() == 1 && node.contains("name") && node["name"].is_string()) {
      const auto found = names.find(node["name"].get<std::string>());
      if (found != names.end()) node["name"] = found->second;
      return node;
    }
  }
  if (node.is_structured())
    for (auto& item : node) item = renamed(std::move(item), names);
  return node;
}

}  // namespace

bool Stage::local() const {
  return kind == "tasks" || kind == "draw" || kind == "select" || kind == "pairs" || kind == "generations" ||
         kind == "imported";
}

Stage make_stage(std::string kind, nlohmann::json spec, std::map<std::string, std::string> inputs,
                 std::string slot, const nlohmann::json& variant_version) {
  Stage stage;
  stage.implementation = std::to_string(implementation_version(kind));
  if (!variant_version.is_null()) stage.implementation += "/" + variant_version.dump();
  stage.kind = std::move(kind);
  stage.spec = normalised(std::move(spec));
  stage.inputs = std::move(inputs);
  stage.slot = std::move(slot);
  stage.key = sha256_hex(canonical({{"kind", stage.kind},
                                    {"spec", stage.spec},
                                    {"inputs", stage.inputs},
                                    {"implementation", stage.implementation},
                                    {"tool_chain", tool_chain_of(stage.kind)}}));
  return stage;
}

nlohmann::json normalised_formula(const nlohmann::json& formula) {
  if (!formula.is_object() || !formula.contains("formula")) return formula;
  const auto& body = formula["formula"];
  std::map<std::string, std::string> names;
  auto params = nlohmann::json::array();
  for (const auto& param : body.value("params", nlohmann::json::array())) {
    const std::string name = param.is_object() ? param.value("name", "") : param.get<std::string>();
    names[name] = "_" + std::to_string(params.size());
    params.push_back(names[name]);
  }
  return {{"formula", {{"params", params}, {"body", renamed(body.at("body"), names)}}}};
}

}  // namespace trl::interpreter
