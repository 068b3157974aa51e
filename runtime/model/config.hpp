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
/// attention; all other differences between families are fields of ModelConfig.
enum class Family {
  qwen2,       // Qwen2, Qwen2.5 and Qwen2.5-Coder: biases on q, k and v
  qwen3,       // Qwen3: no biases, norms on the heads of q and k, head_size independent of hidden / heads
  llama,       // Llama, CodeLlama, DeepSeek-Coder: no biases, scaled rotary positions
  starcoder2,  // StarCoder2: layer norms, biases everywhere, a feed-forward layer without gate
};

/// Returns the value of `model_type` in config.json: "qwen2", …
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
    /// Low frequencies are divided by `factor`, high frequencies are kept, and frequencies between them are
    /// interpolated (Llama 3.1, Dubey et al. 2024).
    llama3,
  };
  Kind kind = Kind::none;
  double factor = 1;
  double low_frequency_factor = 1, high_frequency_factor = 4;  // for llama3
  std::int64_t original_context = 0;  // for llama3: the largest number of positions before scaling

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
  /// The largest number of positions. For a model with sliding-window attention it is at most the size of the
  /// window, so that the window never hides a position.
  std::int64_t context = 0;
  double rope_theta = 1e4;
  RopeScaling rope_scaling;
  NormKind norm = NormKind::rms;
  double norm_epsilon = 1e-6;
  FeedForwardKind feed_forward = FeedForwardKind::gated_silu;
  bool qkv_bias = true;
  bool output_bias = false;  // whether o_proj adds a bias
  bool mlp_bias = false;     // whether gate, up and down add biases
  bool qk_norm = false;      // rms norms over head_size on each head of q and k, before the rotation
  bool tied_embeddings = true;
  std::vector<std::int64_t> end_tokens;  // any of them ends an answer; empty when the model names none
  std::optional<std::int64_t> begin_token, pad_token;

  std::int64_t query_width() const { return heads * head_size; }
  std::int64_t key_width() const { return kv_heads * head_size; }

  bool operator==(const ModelConfig&) const = default;
};

/// Returns a config with the features that every model of the family has, without sizes.
ModelConfig family_config(Family family);

/// Reads <folder>/config.json, and the end tokens of <folder>/generation_config.json if that file exists. All
/// other fields of generation_config.json set how to sample, which an experiment sets itself.
///
/// Throws UserError, which names the file and the field, for an unsupported architecture, for an unsupported
/// value, and for an unknown field, since it could change the forward pass.
ModelConfig read_config(const std::filesystem::path& folder);

/// Returns the config.json of the model, as transformers reads it.
nlohmann::ordered_json to_json(const ModelConfig& config);

/// Throws UserError when a size is not positive, or not divisible by a size that must divide it. `where`
/// begins the message.
void validate(const ModelConfig& config, const std::string& where);

/// How this version of trl treats a field of config.json.
struct ConfigField {
  enum class Use {
    read,     // the field determines the forward pass or the end of an answer
    equal,    // the field must be null or have the value `note`, which is JSON
    ignored,  // the forward pass doesn't depend on the field; `note` is the reason
    refused,  // the field changes the forward pass in an unsupported way; `note` is the remedy
  };
  std::string_view name;
  Use use;
  std::string_view note;
};

/// Returns all known fields of a family's config.json.
std::vector<ConfigField> config_fields(Family family);

}  // namespace trl::runtime
