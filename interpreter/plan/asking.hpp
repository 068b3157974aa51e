// The template in which an experiment asks its tasks.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/kernel_language.hpp"

namespace trl::interpreter {

/// The template that a model's `prompt` names, with everything put in it but {task}; empty for `module`.
/// `machine` is the experiment's, or null. A file is looked for from `folder`, the folder of the .trl file.
/// Throws UserError where it can't be read.
std::string asked_template(const nlohmann::json& prompt, contract::KernelLanguage language,
                           const nlohmann::json& machine, const std::filesystem::path& folder);

}  // namespace trl::interpreter
