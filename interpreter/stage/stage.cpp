#include "interpreter/stage/stage.hpp"

#include <utility>

#include "base/support/digest.hpp"
#include "interpreter/canonical.hpp"
#include "interpreter/stage/key.hpp"

namespace trl::interpreter {

namespace {

/// Returns the digest of a description's canonical text, from the canonical texts of its parts. So the spec,
/// which may have hundreds of tasks, isn't copied.
std::string key_of_texts(const std::string& implementation, const std::string& inputs,
                         const std::string& kind, const std::string& spec, const std::string& tool_chain) {
  return sha256_hex("{\"implementation\":" + implementation + ",\"inputs\":" + inputs + ",\"kind\":" + kind +
                    ",\"spec\":" + spec + ",\"tool_chain\":" + tool_chain + "}");
}

}  // namespace

std::string key_of_description(const nlohmann::json& stage) {
  const auto text = [&](const char* part) { return canonical(stage.value(part, nlohmann::json())); };
  return key_of_texts(text("implementation"), text("inputs"), text("kind"), text("spec"), text("tool_chain"));
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
  stage.key = key_of_texts(canonical(stage.implementation), canonical(stage.inputs), canonical(stage.kind),
                           stage.spec.dump(), canonical(tool_chain_of(stage.kind)));
  return stage;
}

}  // namespace trl::interpreter
