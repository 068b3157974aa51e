// Reads model folders, and caches the last models for the stages that follow.
#pragma once

#include <filesystem>
#include <memory>

#include "runtime/model/language_model.hpp"

namespace trl::runtime {

/// The tensors that the config asks for, of <folder>/model.safetensors or, where that is absent, of the
/// shards that model.safetensors.index.json names; as stored, and mapped from the files. Throws UserError
/// naming the file and the tensor when one is missing, has another shape, is no floating-point tensor or
/// belongs to no module of the model.
Weights read_weights(const std::filesystem::path& folder, const ModelConfig& config);

/// A model whose weights are not trained, converted to `compute` on `device`; the layers' matrices are stored
/// as `storage` says, made of the numbers in the files. One matrix is quantised after another, so that they
/// are never all on the device in more bits. The worker lives for a whole run, so the last two models are
/// cached, by path, modification time, device, type and storage.
std::shared_ptr<const LanguageModel> load_frozen(const std::filesystem::path& folder,
                                                 const c10::Device& device, at::ScalarType compute,
                                                 MatrixStorage::Id storage = MatrixStorage::Id::none);

}  // namespace trl::runtime
