// The key of a stage from its description.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace trl::interpreter {

/// The key of the stage that a stage.json describes: the SHA-256 of its kind, spec, inputs, implementation
/// and tool chain. Whoever changes one of them changes the key, and with it the key of every stage that
/// follows.
std::string key_of_description(const nlohmann::json& stage);

}  // namespace trl::interpreter
