// Writes the settings of a study as its .trl file would.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trl::interpreter {

/// Whether a value of a resolved document is a set of tasks.
bool is_tasks(const nlohmann::json& value);

/// Any value of a resolved document, as its file would have it: "2e-4", "[inputs, memory]", "40 tasks".
std::string value_in_words(const nlohmann::json& value);

/// The differences between two resolved experiments, by the names of their declarations: "seeds [1, 2] →
/// [3]", "reinforce.learning_rate 2e-4 → 0.001". Fields that follow from other settings (a design's cells,
/// estimates) or that change no result (comments, `allow`s) are left out.
std::vector<std::string> setting_differences(const nlohmann::json& before, const nlohmann::json& now);

}  // namespace trl::interpreter
