// The Qwen2 language model: weights and forward pass.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/model/config.hpp"
#include "runtime/model/linear.hpp"

namespace trl::runtime {

/// The matrices of a layer that an adapter may extend, in the order of the forward pass.
enum class Projection { q, k, v, o, gate, up, down };
inline constexpr std::array<const char*, 7> kProjectionNames = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                                                "gate_proj", "up_proj", "down_proj"};

/// "model.layers.3.self_attn.q_proj", as in Hugging Face's state_dict.
std::string module_path(std::int64_t layer, Projection projection);

/// [out, in] of a projection.
std::array<std::int64_t, 2> projection_shape(const Qwen2Config& config, Projection projection);

/// What an adapter changes in a projection's output.
class ProjectionHook {
 public:
  virtual ~ProjectionHook() = default;
  /// Returns the output with the adapter's addition. x [batch, sequence, in], y = the projection of x [batch,
  /// sequence, out] → [batch, sequence, out].
  virtual at::Tensor apply(std::int64_t layer, Projection projection, const at::Tensor& x,
                           const at::Tensor& y) const = 0;
};

/// Tensors by Hugging Face's names ("model.embed_tokens.weight", …).
using Weights = std::map<std::string, at::Tensor>;

class Qwen2 {
 public:
  enum class Use { trained, frozen, frozen_differentiable };

  /// `weights` must hold every tensor of the architecture in the right shape; otherwise UserError names the
  /// first that is wrong. Matrix products are computed in `compute`; norms, rotations and the residual stream
  /// in f32. `trained` keeps the tensors as they are, so that gradients reach them; other uses may pack
  /// copies.
  Qwen2(const Qwen2Config& config, Weights weights, at::ScalarType compute, Use use);

  /// tokens [batch, sequence] i64, with causal attention from position 0 → output of the last norm [batch,
  /// sequence, hidden]. Sequences are padded on the right, so padding never affects earlier positions.
  at::Tensor hidden(const at::Tensor& tokens, const ProjectionHook* hook = nullptr) const;

  /// hidden [..., hidden] → logits [..., vocabulary] in f32.
  at::Tensor logits(const at::Tensor& hidden) const;

  const Qwen2Config& config() const { return config_; }
  const Weights& weights() const { return weights_; }
  at::ScalarType compute() const { return compute_; }

  struct Layer {
    at::Tensor input_norm, attention_norm;  // [hidden]
    std::array<Linear, 7> projections;
    const Linear& operator[](Projection p) const { return projections[static_cast<std::size_t>(p)]; }
  };
  const std::vector<Layer>& layers() const { return layers_; }
  const at::Tensor& embedding() const { return embedding_; }    // [vocabulary, hidden]
  const at::Tensor& final_norm() const { return final_norm_; }  // [hidden]
  const Linear& head() const { return head_; }                  // [vocabulary, hidden]
  /// cos and sin as of rotation_tables, on the model's device.
  const at::Tensor& cosine() const { return cosine_; }
  const at::Tensor& sine() const { return sine_; }

 private:
  at::Tensor attention(std::int64_t layer, const at::Tensor& x, const ProjectionHook* hook) const;
  at::Tensor feed_forward(std::int64_t layer, const at::Tensor& x, const ProjectionHook* hook) const;
  at::Tensor project(std::int64_t layer, Projection p, const at::Tensor& x, const ProjectionHook* hook) const;

  Qwen2Config config_;
  Weights weights_;
  at::ScalarType compute_;
  at::Tensor embedding_, final_norm_, cosine_, sine_;
  Linear head_;
  std::vector<Layer> layers_;
};

/// Rotates pairs (i, i + head_size / 2) by the position's angle (RoFormer, Su et al. 2021, in Hugging Face's
/// layout). x [batch, heads, sequence, head_size]; cosine, sine broadcast to [batch, heads, sequence,
/// head_size / 2].
at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine);

/// cos and sin of position × theta^(-2i / head_size), [context, head_size / 2] each, f32 on the CPU.
struct RotationTables {
  at::Tensor cosine, sine;
};
RotationTables rotation_tables(const Qwen2Config& config);

/// The names of all tensors with their shapes.
std::map<std::string, std::vector<std::int64_t>> weight_shapes(const Qwen2Config& config);

/// Freshly initialised weights: matrices normal(0, 0.02), norms 1, biases 0. Each tensor has a counter-based
/// stream of its own, so that its values depend on (seed, name) alone.
Weights random_weights(const Qwen2Config& config, std::int64_t seed);

}  // namespace trl::runtime
