// The key of a stage from its description.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// Returns the key of the stage that a stage.json describes: the SHA-256 of its kind, spec, inputs,
/// implementation and tool chain. A change of any of them changes the key, and so the keys of all stages that
/// depend on this one.
std::string key_of_description(const nlohmann::json& stage);

}  // namespace trl::interpreter
