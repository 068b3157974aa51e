// Finds models and adapters that a command line names.
#pragma once

#include <filesystem>
#include <string>

namespace trl::interpreter {

/// The folder of a model's files. `name` is a folder, or windtunnel.base; any other NAME means
/// huggingface(NAME). Throws UserError if the model isn't found.
std::filesystem::path model_folder(const std::string& name);

/// The folder of an adapter. Throws UserError if the folder isn't an adapter in PEFT's format.
std::filesystem::path adapter_folder(const std::string& name);

}  // namespace trl::interpreter
