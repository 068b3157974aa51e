// A LoRA adapter's training step on the CPU, with forward and backward pass written out.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/train/documents.hpp"
#include "runtime/train/kernels.hpp"

namespace trl::runtime {

/// Computes the gradient of answer_loss (loss.hpp) of an adapter on a frozen model, in f32, without autograd:
/// one document at a time, unpadded, with loops that keep in memory only the numbers that the backward pass
/// needs. For a small model that is several times as fast as tensor operations; the tests compare both.
class LoraStep {
 public:
  /// Whether the loops cover a model: rms norms and gated feed-forward layers. Other models are trained by
  /// trainer_by_tensors.
  static bool supports(const ModelConfig& config);

  /// `supports(config)` must hold.
  LoraStep(const ModelConfig& config, const Weights& weights, const LoraSettings& settings);

  /// Copies the adapter's values. Must be called once per optimiser step.
  void load(const Lora& lora);

  /// The workspace of one thread, reused for every document.
  struct Room {
    std::unique_ptr<float[]> floats;
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t float_count = 0, byte_count = 0;
  };

  struct Part {
    double loss = 0;              // summed over the document's answer tokens, times its weight
    std::vector<float> gradient;  // the gradient of loss · scale, in an order that only LoraStep knows
    double entropy = 0;           // summed over the answer tokens, in nats; only from `run` with Coefficients
  };

  /// Computes one document's part of the gradient. `key` determines its dropout masks. Tokens past the
  /// model's context are ignored. Several threads may call it, each with its own workspace; the result
  /// depends on the arguments alone.
  Part run(const Document& document, RandomKey key, float scale, Room& room) const;

  /// Writes the coefficient of each answer token to the second span, from the tokens' log-probabilities in
  /// the first span, and returns the document's loss.
  using Coefficients = std::function<double(std::span<const float>, std::span<float>)>;
  /// Like `run` above, but computes the gradient of Σ coefficient · log-probability over the answer tokens,
  /// where `coefficients` computes the coefficients and the loss from the log-probabilities. Part::loss is
  /// this loss.
  Part run(const Document& document, RandomKey key, const Coefficients& coefficients, Room& room) const;

  /// The log-probabilities of a document's answer tokens. `adapted`: whether to use the adapter or the model
  /// alone. Without a key there is no dropout.
  std::vector<float> log_probabilities(const Document& document, bool adapted, std::optional<RandomKey> key,
                                       Room& room) const;

  /// The number of answer tokens that enter the loss in `run`.
  std::int64_t answer_tokens(const Document& document) const;

  /// The size of Part::gradient.
  std::size_t gradient_size() const { return gradient_size_; }
  /// Returns the gradients of the tensors of Lora::parameters, in the same order, from a Part::gradient or a
  /// sum of several.
  std::vector<at::Tensor> tensors(std::span<const float> gradient) const;

  /// One projection that the adapter extends: its columns in the joined matrix, its matrices in panels, and
  /// the offsets of its gradients in Part::gradient.
  struct Branch {
    std::int64_t layer, in, out, offset;
    Projection projection;
    std::int64_t rank, padded;              // the rank, and the rank rounded up to whole vectors
    double scale;                           // the factor of B A x
    std::vector<float> down, up;            // Aᵀ [in, rank], scale · Bᵀ [rank, out]
    std::vector<float> down_back, up_back;  // A [rank, in], scale · B [out, rank]
    std::size_t d_down = 0,
                d_up = 0;  // gradients of A [padded][in] and Bᵀ [padded][out], rows in whole panels
  };
  /// Projections with the same input, joined into one matrix: y = x Wᵀ + b.
  struct Joined {
    std::int64_t in = 0, out = 0;
    std::vector<float> forward, backward;  // Wᵀ [in, out], W [out, in] in panels
    std::vector<float> bias;               // empty when there is none
    std::vector<Branch> branches;
  };
  struct Layer {
    std::vector<float> input_norm, attention_norm;
    Joined qkv, o, gate_up, down;
    std::vector<float> query_norm, key_norm;  // [head_size]; empty unless config.qk_norm
  };

 private:
  friend class LoraPass;

  ModelConfig config_;
  LoraSettings settings_;
  std::int64_t largest_ = 0;  // the largest padded rank of a branch
  std::size_t gradient_size_ = 0;
  std::vector<float> embedding_, final_norm_, cosine_, sine_, sine_back_;
  Joined head_;
  std::vector<Layer> layers_;
};

}  // namespace trl::runtime
