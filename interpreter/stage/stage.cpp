#include "interpreter/stage/stage.hpp"

#include <utility>

#include "base/support/digest.hpp"
#include "interpreter/canonical.hpp"
#include "interpreter/stage/key.hpp"

namespace trl::interpreter {

std::string key_of_description(const nlohmann::json& stage) {
  nlohmann::json hashed = nlohmann::json::object();
  for (const char* name : {"kind", "spec", "inputs", "implementation", "tool_chain"})
    hashed[name] = stage.value(name, nlohmann::json());
  return sha256_hex(canonical(hashed));
}

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
  // The text of `key_of_description`, without copies of a spec that may have hundreds of tasks.
  const auto text = [](const nlohmann::json& value) { return value.dump(); };
  stage.key =
      sha256_hex("{\"implementation\":" + text(stage.implementation) + ",\"inputs\":" + text(stage.inputs) +
                 ",\"kind\":" + text(stage.kind) + ",\"spec\":" + text(stage.spec) +
                 ",\"tool_chain\":" + canonical(tool_chain_of(stage.kind)) + "}");
  return stage;
}

}  // namespace trl::interpreter
