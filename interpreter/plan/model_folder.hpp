#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "interpreter/plan/hub_cache.hpp"
#include "interpreter/store/file_digests.hpp"

namespace trl::interpreter {

struct ModelFolder {
  std::filesystem::path path;
  std::string key;                           ///< digest of the names and digests of `files`
  std::map<std::string, std::string> files;  ///< digests of the files, by name
};

/// Finds the folder that a model's `weights` name, checks that its files are complete, and computes their
/// digests. The files are config.json, tokenizer.json, the weights (model.safetensors, or the index and its
/// shards) and, where they are there, generation_config.json, tokenizer_config.json, special_tokens_map.json
/// and chat templates. `digests` caches the digests of unchanged files. Large files in Hugging Face's cache
/// aren't read for their digest, since their names are their SHA-256. Throws UserError, naming the file, if
/// one is missing or incomplete.
ModelFolder find_model(const nlohmann::json& weights, const std::filesystem::path& home,
                       const std::filesystem::path& file_folder, FileDigests digests = {},
                       const HubCache& cache = hub_cache(::getenv));

/// The files of a model folder that aren't its weights, as far as they are there: config.json, and the
/// files that say how a model is asked and where its answers end.
std::set<std::string> files_beside_weights(const std::filesystem::path& folder);

/// Throws UserError if a safetensors file is shorter or longer than its header says.
void check_safetensors(const std::filesystem::path& file);

}  // namespace trl::interpreter
