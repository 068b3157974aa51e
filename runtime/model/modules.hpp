// The modules of a language model: their names, shapes and tensors.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/config.hpp"

namespace trl::runtime {

/// The matrices of a layer that an adapter may extend, in the order of the forward pass. A feed-forward layer
/// without gate has only up and down.
enum class Projection { q, k, v, o, gate, up, down };
inline constexpr std::size_t kProjections = 7;

/// The projections that a family's layers have, in the order of the forward pass.
const std::vector<Projection>& projections(Family family);

/// Returns the name of a projection in Hugging Face's libraries: "q_proj", or "c_fc" for StarCoder2's `up`.
std::string_view projection_name(Family family, Projection projection);

/// Returns the path of a projection in Hugging Face's state_dict: "model.layers.3.self_attn.q_proj".
std::string module_path(Family family, std::int64_t layer, Projection projection);

/// Returns the shape [out, in] of a projection's matrix.
std::array<std::int64_t, 2> projection_shape(const ModelConfig& config, Projection projection);

/// Whether a projection adds a bias [out].
bool has_bias(const ModelConfig& config, Projection projection);

/// The paths of the modules outside the projections. Each module has a tensor `weight`; a layer norm also has
/// a `bias`.
inline constexpr const char* kEmbedding = "model.embed_tokens";
inline constexpr const char* kFinalNorm = "model.norm";
inline constexpr const char* kHead = "lm_head";  // absent if tied_embeddings
std::string input_norm_path(std::int64_t layer);
std::string attention_norm_path(std::int64_t layer);  // the norm between attention and feed-forward layer
std::string query_norm_path(std::int64_t layer);      // exists only with config.qk_norm
std::string key_norm_path(std::int64_t layer);

/// The names of all tensors with their shapes. Loading, random weights and the tests use this table.
std::map<std::string, std::vector<std::int64_t>> weight_shapes(const ModelConfig& config);

/// Whether a tensor that is not in `weight_shapes` may be ignored, as transformers ignores it: an output
/// matrix beside tied embeddings, or frequencies of rotary positions, which older versions stored.
bool is_ignored_tensor(const ModelConfig& config, const std::string& name);

}  // namespace trl::runtime
