// A language model's config.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trl::runtime {

/// Architectures that can be run. Each is a decoder-only transformer with rotary positions and grouped-query
/// attention; their other differences are fields of ModelConfig.
enum class Family {
  qwen2,       // Qwen2, Qwen2.5 and Qwen2.5-Coder: biases on q, k and v
  qwen3,       // Qwen3: no biases, norms on the heads of q and k, a head size of its own
  llama,       // Llama, CodeLlama, DeepSeek-Coder: no biases, scaled rotary positions
  starcoder2,  // StarCoder2: layer norms, biases everywhere, a feed-forward layer without gate
};

/// "qwen2", …: the value of `model_type` in config.json.
std::string_view name_of(Family family);

enum class NormKind {
  rms,    // x / √(mean(x²) + ε) · weight
  layer,  // (x - mean(x)) / √(variance(x) + ε) · weight + bias
};

enum class FeedForwardKind {
  gated_silu,  // down(silu(gate(x)) · up(x))
  gelu_tanh,   // down(gelu(up(x))), with the tanh approximation of gelu
};

/// How the frequencies of rotary positions differ from theta^(-2i / head_size).
struct RopeScaling {
  enum class Kind {
    none,
    linear,  // frequency / factor (position interpolation, Chen et al. 2023)
    /// Low frequencies are divided by `factor`, high ones kept, frequencies between interpolated (Llama 3.1,
    /// Dubey et al. 2024).
    llama3,
  };
  Kind kind = Kind::none;
  double factor = 1;
  double low_frequency_factor = 1, high_frequency_factor = 4;  // llama3
  std::int64_t original_context = 0;                           // llama3: positions

  bool operator==(const RopeScaling&) const = default;
};

/// Sizes and constants of a model.
struct ModelConfig {
  Family family = Family::qwen2;
  std::int64_t vocabulary = 0;
  std::int64_t hidden = 0;
  std::int64_t layers = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_size = 0;
  std::int64_t intermediate = 0;
  /// The largest number of positions. Where attention has a sliding window, it is at most the window, within
  /// which the window hides nothing.
  std::int64_t context = 0;
  double rope_theta = 1e4;
  RopeScaling rope_scaling;
  NormKind norm = NormKind::rms;
  double norm_epsilon = 1e-6;
  FeedForwardKind feed_forward = FeedForwardKind::gated_silu;
  bool qkv_bias = true;
  bool output_bias = false;  // of o
  bool mlp_bias = false;     // of gate, up and down
  bool qk_norm = false;      // rms norms over head_size on each head of q and k, before the rotation
  bool tied_embeddings = true;
  std::vector<std::int64_t> end_tokens;  // any of them ends an answer; empty when the model names none
  std::optional<std::int64_t> begin_token, pad_token;

  std::int64_t query_width() const { return heads * head_size; }
  std::int64_t key_width() const { return kv_heads * head_size; }

  bool operator==(const ModelConfig&) const = default;
};

/// A config with the features that the family always has, and no sizes.
ModelConfig family_config(Family family);

/// Reads <folder>/config.json, and the end tokens of <folder>/generation_config.json where there is one. The
/// rest of generation_config.json is about sampling, which an experiment describes itself.
///
/// Throws UserError naming the file and the field when the architecture is another one, when a field has a
/// value that is not supported, and when a field is unknown: it could change the forward pass.
ModelConfig read_config(const std::filesystem::path& folder);

/// The config.json that transformers reads.
nlohmann::ordered_json to_json(const ModelConfig& config);

/// Throws UserError when a size is not positive or is not the multiple of another that it has to be.
void validate(const ModelConfig& config, const std::string& where);

/// This version's treatment of a field of config.json.
struct ConfigField {
  enum class Use {
    read,     // it determines the forward pass or the end of an answer
    equal,    // it must have the value `note`, which is JSON, or be null
    ignored,  // the forward pass doesn't depend on it, for the reason `note`
    refused,  // it changes the forward pass in a way that is not supported; `note` is the remedy
  };
  std::string_view name;
  Use use;
  std::string_view note;
};

/// All fields that are known in a family's config.json.
std::vector<ConfigField> config_fields(Family family);

}  // namespace trl::runtime
