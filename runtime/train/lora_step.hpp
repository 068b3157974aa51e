// A LoRA adapter's training step on the CPU, forward and backward written out.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "runtime/adapter/lora.hpp"
#include "runtime/train/documents.hpp"
#include "runtime/train/kernels.hpp"

namespace trl::runtime {

/// The gradient of answer_loss (loss.hpp) in an adapter on a frozen model, in f32, without autograd: one
/// document at a time, unpadded, through loops that keep in memory only what the backward pass needs. On a
/// small model that is several times as fast as tensor operations; tests compare the two.
class LoraStep {
 public:
  LoraStep(const Qwen2Config& config, const Weights& weights, const LoraSettings& settings);

  /// Takes over the adapter's values, once an optimiser step.
  void load(const Lora& lora);

  /// Room for one thread, kept from document to document.
  struct Room {
    std::unique_ptr<float[]> floats;
    std::unique_ptr<std::uint8_t[]> bytes;
    std::size_t float_count = 0, byte_count = 0;
  };

  struct Part {
    double loss = 0;              // summed over the document's answer tokens
    std::vector<float> gradient;  // of loss · scale, in an order of its own
  };

  /// One document's share. `key` names its dropout masks. Tokens past the model's context are ignored.
  /// Several threads may call it, each with its own room; the result depends on the arguments alone.
  Part run(const Document& document, RandomKey key, float scale, Room& room) const;

  /// Answer tokens that `run` takes a loss on.
  std::int64_t answer_tokens(const Document& document) const;

  /// Adds the parts in order. The tensors are those of Lora::parameters, in their order.
  std::vector<at::Tensor> sum(const std::vector<Part>& parts) const;

  /// One projection that the adapter extends: its place in the joined matrix, its matrices in panels, and
  /// where its gradients lie in Part::gradient.
  struct Branch {
    std::int64_t layer, in, out, offset;
    Projection projection;
    std::vector<float> down, up;            // Aᵀ [in, rank], scale · Bᵀ [rank, out]
    std::vector<float> down_back, up_back;  // A [rank, in], scale · B [out, rank]
    std::size_t d_down = 0, d_up = 0;  // gradients of A [rank][in] and Bᵀ [rank][out], rows in whole panels
  };
  /// Projections of the same input, joined: y = x Wᵀ + b.
  struct Joined {
    std::int64_t in = 0, out = 0;
    std::vector<float> forward, backward;  // Wᵀ [in, out], W [out, in] in panels
    std::vector<float> bias;               // empty: none
    std::vector<Branch> branches;
  };
  struct Layer {
    std::vector<float> input_norm, attention_norm;
    Joined qkv, o, gate_up, down;
  };

 private:
  friend class LoraPass;

  Qwen2Config config_;
  LoraSettings settings_;
  std::int64_t rank_;  // in whole vectors
  std::size_t gradient_size_ = 0;
  std::vector<float> embedding_, final_norm_, cosine_, sine_, sine_back_;
  Joined head_;
  std::vector<Layer> layers_;
};

}  // namespace trl::runtime
