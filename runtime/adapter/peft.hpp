// Adapters on disk, in the format of Hugging Face's PEFT.
#pragma once

#include <filesystem>
#include <string>

#include "runtime/adapter/lora.hpp"

namespace trl::runtime {

/// Returns the name of a model's folder without the machine's path: OWNER/NAME in Hugging Face's cache
/// (models--OWNER--NAME/snapshots/COMMIT), else the folder's own name.
std::string base_name(const std::filesystem::path& folder);

/// Writes adapter_model.safetensors and adapter_config.json. `base`, a name without a machine's path, is
/// recorded as base_model_name_or_path.
void write_adapter(const std::filesystem::path& folder, const Lora& lora, const std::string& base);

/// Reads adapter_model.safetensors and adapter_config.json from a folder. The tensors are in f32 on the CPU.
/// `rank_pattern` and `alpha_pattern` become the settings' patterns. Throws UserError, which names the file,
/// when the adapter isn't LoRA, uses an unsupported feature (`PeftConfig::read`), or doesn't fit the model:
/// it must have exactly the tensors that its configuration requires.
Lora read_adapter(const std::filesystem::path& folder, const ModelConfig& config);

}  // namespace trl::runtime
