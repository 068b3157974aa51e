// A language model of any family in config.hpp: its weights and forward pass.
#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/model/config.hpp"
#include "runtime/model/linear.hpp"
#include "runtime/model/modules.hpp"

namespace trl::runtime {

/// An adapter's change of a projection's output.
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
/// Quantised matrices, by Hugging Face's names, as in Weights.
using QuantisedWeights = std::map<std::string, QuantisedMatrix>;

/// A norm over the last dimension, computed in f32.
struct Norm {
  at::Tensor weight;  // [width]
  at::Tensor bias;    // [width]; undefined for rms norms

  /// Normalises x [..., width] and returns [..., width] in f32.
  at::Tensor operator()(const at::Tensor& x, double epsilon) const;
  bool defined() const { return weight.defined(); }
};

/// gelu with the tanh approximation, or silu(gate) · up: the activation of a feed-forward layer. `gate` is
/// undefined if the family has no gate.
at::Tensor activation(FeedForwardKind kind, const at::Tensor& gate, const at::Tensor& up);

class LanguageModel {
 public:
  enum class Use { trained, frozen, frozen_differentiable };

  /// Makes a model with matrices that aren't quantised. Throws UserError, which names the first wrong tensor,
  /// unless `weights` holds every tensor of the architecture in the right shape. Matrix products are computed
  /// in `compute`; norms, rotations and the residual stream in f32. With Use::trained the tensors are kept as
  /// they are, so that gradients reach them; with other uses the model may hold packed copies.
  LanguageModel(const ModelConfig& config, Weights weights, at::ScalarType compute, Use use);

  /// Makes a frozen model whose layers have quantised matrices, all with the same storage. `quantised` holds
  /// these matrices, `weights` all other tensors. Gradients flow through the matrices to their inputs.
  LanguageModel(const ModelConfig& config, Weights weights, QuantisedWeights quantised,
                at::ScalarType compute);

  /// Runs the model on tokens [batch, sequence] i64, with causal attention from position 0. Returns the
  /// output of the last norm, [batch, sequence, hidden]. Sequences are padded on the right, so padding never
  /// affects earlier positions.
  at::Tensor hidden(const at::Tensor& tokens, const ProjectionHook* hook = nullptr) const;

  /// Computes the logits [..., vocabulary] in f32 from hidden [..., hidden].
  at::Tensor logits(const at::Tensor& hidden) const;

  const ModelConfig& config() const { return config_; }
  /// The weights, without the quantised matrices.
  const Weights& weights() const { return weights_; }
  /// Returns the matrices of the layer's projections `members`, which read the same input, as one matrix [sum
  /// of their rows, in] without a copy; undefined unless the matrices lie directly behind each other in
  /// memory. In a frozen model on a GPU this holds for q, k and v, and for gate and up.
  at::Tensor joined(std::int64_t layer, std::initializer_list<Projection> members) const;
  /// How the layers' matrices are stored.
  MatrixStorage::Id storage() const { return storage_; }
  bool quantised() const { return storage_ != MatrixStorage::Id::none; }
  at::ScalarType compute() const { return compute_; }

  struct Layer {
    Norm input_norm, attention_norm;               // over hidden
    Norm query_norm, key_norm;                     // over head_size; undefined unless config.qk_norm
    std::array<Linear, kProjections> projections;  // empty for projections that the family lacks
    const Linear& operator[](Projection p) const { return projections[static_cast<std::size_t>(p)]; }
  };
  const std::vector<Layer>& layers() const { return layers_; }
  const at::Tensor& embedding() const { return embedding_; }  // [vocabulary, hidden]
  const Norm& final_norm() const { return final_norm_; }      // over hidden
  const Linear& head() const { return head_; }                // [vocabulary, hidden]
  /// The tables of `rotation_tables`, on the model's device.
  const at::Tensor& cosine() const { return cosine_; }
  const at::Tensor& sine() const { return sine_; }

 private:
  void build(Use use, const QuantisedWeights& quantised);
  void join_weights();
  at::Tensor attention(std::int64_t layer, const at::Tensor& x, const ProjectionHook* hook) const;
  at::Tensor feed_forward(std::int64_t layer, const at::Tensor& x, const ProjectionHook* hook) const;
  at::Tensor project(std::int64_t layer, Projection p, const at::Tensor& x, const ProjectionHook* hook) const;

  ModelConfig config_;
  Weights weights_;
  MatrixStorage::Id storage_ = MatrixStorage::Id::none;
  at::ScalarType compute_;
  at::Tensor embedding_, cosine_, sine_;
  Norm final_norm_;
  Linear head_;
  std::vector<Layer> layers_;
};

/// Rotates pairs (i, i + head_size / 2) by the position's angle (RoFormer, Su et al. 2021, in Hugging Face's
/// layout). x [batch, heads, sequence, head_size]; cosine, sine broadcast to [batch, heads, sequence,
/// head_size / 2].
at::Tensor rotate(const at::Tensor& x, const at::Tensor& cosine, const at::Tensor& sine);

/// The tables of cos and sin of position × frequency, [context, head_size / 2] each, f32 on the CPU. The
/// frequencies are theta^(-2i / head_size), changed by config.rope_scaling.
struct RotationTables {
  at::Tensor cosine, sine;
};
RotationTables rotation_tables(const ModelConfig& config);

/// Throws UserError, which names the first tensor that is missing, has another shape than in `weight_shapes`,
/// or belongs to no module, such as a bias that config.json doesn't mention. A tensor may be in `quantised`
/// instead of `weights`.
void check_weights(const ModelConfig& config, const Weights& weights, const QuantisedWeights& quantised = {});

/// The names of the matrices to which the setting `quantize` applies: every linear layer except the output
/// matrix, as in bitsandbytes.
std::vector<std::string> quantised_names(const ModelConfig& config);

/// Returns freshly initialised weights: matrices normal(0, 0.02), norms 1, biases 0. Each tensor has a
/// separate counter-based random stream, so that its values depend on (seed, name) alone.
Weights random_weights(const ModelConfig& config, std::int64_t seed);

}  // namespace trl::runtime
