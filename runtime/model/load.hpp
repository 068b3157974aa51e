// Reads model folders, and caches the last models for the stages that follow.
#pragma once

#include <filesystem>
#include <memory>

#include "runtime/model/language_model.hpp"

namespace trl::runtime {

/// The tensors of <folder>/model.safetensors or, where it is absent as transformers has it, of the shards
/// that model.safetensors.index.json names, as stored. Throws UserError naming the file.
Weights read_weights(const std::filesystem::path& folder);

/// A model whose weights are not trained, converted to `compute` on `device`. The worker lives for a whole
/// run, so the last two models are cached, by path, modification time, device and type.
std::shared_ptr<const LanguageModel> load_frozen(const std::filesystem::path& folder,
                                                 const c10::Device& device, at::ScalarType compute);

}  // namespace trl::runtime
