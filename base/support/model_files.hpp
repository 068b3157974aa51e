// Reads a model's folder without loading the model: its files, the shapes of its tensors, and the ids that
// its files name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/support/error.hpp"

namespace trl {

/// The names of the files that hold a folder's weights: model.safetensors or, if that file is absent, the
/// shards that model.safetensors.index.json lists. Throws UserError if that index is damaged.
std::vector<std::string> weight_files(const std::filesystem::path& folder);

struct SafetensorsHeader {
  nlohmann::json tensors;  ///< by name: dtype, shape and data_offsets
  std::uint64_t data = 0;  ///< the place in the file to which the offsets are relative
};

/// The header of a safetensors file in a model's folder. Throws UserError if the file is shorter or longer
/// than its header says.
SafetensorsHeader safetensors_header(const std::filesystem::path& file);

/// Compares the files of a model's folder, as far as they are there: the ids of tokenizer.json, the rows of
/// the embedding and of the output matrix, and the ids that config.json and generation_config.json name. An
/// embedding may have more rows than the tokenizer has ids. Throws UserError if a token has no row, or if an
/// output matrix would be ignored although it differs from the embedding; of large matrices parts are
/// compared.
void require_fitting_files(const std::filesystem::path& folder);

/// The error for a model whose config.json says that the embedding is also the output matrix, while its files
/// hold a different output matrix. Version 4 of transformers ignores that output matrix, version 5 uses it.
UserError differing_head(const std::filesystem::path& folder);

}  // namespace trl
