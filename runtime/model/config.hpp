// A Qwen2 model's config.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

namespace trl::runtime {

/// Sizes and constants of a Qwen2 model (Qwen2 technical report, 2024; Hugging Face's field names in
/// config.json).
struct Qwen2Config {
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t intermediate = 0;
  std::int64_t context = 0;
  double rope_theta = 1e6;
  double norm_epsilon = 1e-6;
  bool tied_embeddings = true;

  std::int64_t head_size() const { return hidden / heads; }
};

/// Reads <folder>/config.json. Throws UserError when the architecture is another one or uses a feature that
/// is not supported (rope scaling, sliding windows).
Qwen2Config read_config(const std::filesystem::path& folder);

/// The config.json that transformers' Qwen2ForCausalLM reads.
nlohmann::ordered_json to_json(const Qwen2Config& config);

/// Throws UserError when a size is not positive or is not the multiple of another that it has to be.
void validate(const Qwen2Config& config, const std::string& where);

}  // namespace trl::runtime
