#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "interpreter/store/file_digests.hpp"

namespace trl::interpreter {

struct ModelFolder {
  std::filesystem::path path;
  std::string key;                           ///< digest of config.json, tokenizer.json and the weights
  std::map<std::string, std::string> files;  ///< digests of the files, by name
};

/// Finds the folder that a model's `weights` name, checks that its files are complete, and computes their
/// digests. `digests` caches those of unchanged files. Throws UserError, naming the file, if one is missing
/// or incomplete.
ModelFolder find_model(const nlohmann::json& weights, const std::filesystem::path& home,
                       const std::filesystem::path& file_folder, FileDigests digests = {});

/// Throws UserError if a safetensors file is shorter or longer than its header says.
void check_safetensors(const std::filesystem::path& file);

}  // namespace trl::interpreter
