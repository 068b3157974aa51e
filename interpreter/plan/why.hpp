#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "interpreter/plan/stage.hpp"

namespace trl::interpreter {

/// What differs between a stage and the one that stood in its place before: "learning_rate 0.0003 -> 0.0002",
/// "input adapter". `before` is a stage.json.
std::vector<std::string> differences(const Stage& stage, const nlohmann::json& before);

}  // namespace trl::interpreter
