#pragma once

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "interpreter/plan/hub_cache.hpp"
#include "interpreter/store/file_digests.hpp"

namespace trl::interpreter {

struct ModelFolder {
  std::filesystem::path path;
  std::string key;                           ///< a digest of the names and digests of `files`
  std::map<std::string, std::string> files;  ///< the digests of the model's files, by name
};

/// Finds the folder that a model's `weights` name, checks that its files are complete, and computes their
/// digests. The files are config.json, tokenizer.json, the weights (model.safetensors, or the index and its
/// shards) and, if they exist, generation_config.json, tokenizer_config.json, special_tokens_map.json and
/// chat templates. `digests` caches the digests of unchanged files. Large files in Hugging Face's cache
/// aren't read to compute their SHA-256, since it is part of their path. Throws UserError, naming the file,
/// if a file is missing or incomplete, leads out of the folder, or doesn't fit the others
/// (base/support/model_files.hpp).
ModelFolder find_model(const nlohmann::json& weights, const std::filesystem::path& home,
                       const std::filesystem::path& file_folder, FileDigests digests = {},
                       const HubCache& cache = hub_cache(::getenv));

/// The names of the files that a model's folder must have: config.json, tokenizer.json, and the weights, with
/// the index of their shards. `hub` is the repository to which the folder belongs, if any. Throws UserError,
/// with a remedy, where one is missing.
std::set<std::string> needed_model_files(const std::filesystem::path& folder,
                                         const std::optional<HubModel>& hub, const HubCache& cache);

/// The names of a model folder's files apart from its weights, as far as they exist: config.json, and the
/// files that define the tokenizer, the chat template and the end of answers.
std::set<std::string> files_beside_weights(const std::filesystem::path& folder);

}  // namespace trl::interpreter
