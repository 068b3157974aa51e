// The settings of a study in the words of its file.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// Whether a value of a resolved document is a set of tasks.
bool is_tasks(const nlohmann::json& value);

/// Any value of a resolved document, as its file would have it: "2e-4", "[inputs, memory]", "40 tasks".
std::string value_in_words(const nlohmann::json& value);

/// How two resolved experiments differ, by the names of their declarations: "seeds [1, 2] → [3]",
/// "reinforce.learning_rate 2e-4 → 0.001". Left out is what follows from other settings (the design's cells,
/// estimates) or changes no result (comments, silenced checks).
std::vector<std::string> setting_differences(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace trl::interpreter
