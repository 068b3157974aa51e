// Models and adapters that a command line names.
#pragma once

#include <filesystem>
#include <string>

namespace trl::interpreter {

/// The folder of a model's files. A folder's name is taken as it is; other names are the language's:
/// windtunnel.base, and any other NAME means huggingface(NAME). Throws UserError.
std::filesystem::path model_folder(const std::string& name);

/// The folder of an adapter in PEFT's format. Throws UserError if it isn't one.
std::filesystem::path adapter_folder(const std::string& name);

}  // namespace trl::interpreter
