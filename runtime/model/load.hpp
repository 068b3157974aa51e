// Reads model folders, and caches the last models for the stages that follow.
#pragma once

#include <filesystem>
#include <memory>

#include "runtime/model/language_model.hpp"

namespace trl::runtime {

/// Returns the tensors that the config requires, as stored and mapped from the files. They are read from
/// <folder>/model.safetensors or, if that file is absent, from the shards that model.safetensors.index.json
/// lists. Throws UserError, which names the file and the tensor, when a tensor is missing, has another shape,
/// has no floating-point type or belongs to no module of the model.
Weights read_weights(const std::filesystem::path& folder, const ModelConfig& config);

/// Returns a model whose weights are not trained, converted to `compute` on `device`. The layers' matrices
/// are stored as `storage` says. They are quantised one after another from the numbers in the files, so that
/// the device never holds all of them unquantised. The last two models are cached by path, modification time,
/// device, type and storage, since the worker lives for a whole run.
std::shared_ptr<const LanguageModel> load_frozen(const std::filesystem::path& folder,
                                                 const c10::Device& device, at::ScalarType compute,
                                                 MatrixStorage::Id storage = MatrixStorage::Id::none);

}  // namespace trl::runtime
