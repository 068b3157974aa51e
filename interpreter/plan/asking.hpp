// The prompt template with which an experiment asks a model to solve tasks.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/contract/kernel_language.hpp"

namespace trl::interpreter {

/// The prompt template that a model's `prompt` names, with all placeholders filled except {task}; empty for
/// `module`. `machine` is the experiment's machine, or null. The path of a template file is relative to
/// `folder`, the folder of the .trl file. Throws UserError if the file can't be read.
std::string asked_template(const nlohmann::json& prompt, contract::KernelLanguage language,
                           const nlohmann::json& machine, const std::filesystem::path& folder);

}  // namespace trl::interpreter
