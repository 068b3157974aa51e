// Low-rank adapters (LoRA, Hu et al., 2021).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ground/random.hpp"
#include "runtime/model/qwen2.hpp"

namespace trl::runtime {

struct LoraSettings {
  std::int64_t rank = 16;
  double alpha = 32;
  double dropout = 0;
  std::set<Projection> targets;  // never empty

  double scale() const { return alpha / static_cast<double>(rank); }
  bool operator==(const LoraSettings&) const = default;
};

/// From a spec's `adapter` {rank, alpha, dropout, targets}. Targets are "all_linear" or names like "q_proj".
/// Throws UserError listing the modules when one is unknown.
LoraSettings lora_settings(const nlohmann::json& adapter);

/// The stream of one module's dropout mask for the sequence whose key is given.
RandomKey dropout_key(RandomKey sequence, std::int64_t layer, Projection projection);

/// y + scale · dropout(x) Aᵀ Bᵀ on the targeted projections.
class Lora : public ProjectionHook {
 public:
  struct Pair {
    at::Tensor a;  // [rank, in]
    at::Tensor b;  // [out, rank]
  };
  using Pairs = std::map<std::pair<std::int64_t, Projection>, Pair>;  // by (layer, projection)

  Lora(LoraSettings settings, Pairs pairs) : settings_(std::move(settings)), pairs_(std::move(pairs)) {}

  /// A kaiming-uniform with a = √5, that is uniform in ±1/√in, from a stream of (seed, module); B zero.
  static Lora fresh(const Qwen2Config& config, const LoraSettings& settings, std::int64_t seed);

  at::Tensor apply(std::int64_t layer, Projection projection, const at::Tensor& x,
                   const at::Tensor& y) const override;

  /// The streams of the next forward passes' dropout masks, one for each sequence of the batch; empty: no
  /// dropout. A module's mask comes from (key, module), so it doesn't depend on the order of modules or on
  /// the batch.
  void set_dropout(std::vector<RandomKey> keys) { dropout_keys_ = std::move(keys); }

  /// Tensors to train, in a fixed order.
  std::vector<at::Tensor> parameters() const;

  /// Moves to a device; the tensors become leaves that require gradients.
  void prepare_training(const c10::Device& device);

  /// A copy in `type` for one forward and backward pass: leaves whose gradients `gradients` returns. The
  /// scale is multiplied into B.
  Lora leaves(at::ScalarType type) const;

  /// After backward on `leaves`: the gradients of the tensors that they came from, in f32, in the order of
  /// `parameters`.
  std::vector<at::Tensor> gradients() const;

  /// Draws the masks of one forward pass over `keys.size()` sequences beforehand, those of many modules
  /// together: on a GPU one after another takes many times as long. Replaces set_dropout.
  void draw_masks(const std::vector<RandomKey>& keys, std::int64_t sequence, const Qwen2Config& config,
                  const c10::Device& device, at::ScalarType type);

  /// Shares nothing with this one; its tensors are leaves with gradients of their own. For gradients of
  /// several micro-batches at the same time.
  Lora copy_for_thread() const;

  /// W + scale · B A for each targeted weight, in f32; others unchanged (the same tensors).
  Weights merged(const Weights& weights) const;

  const LoraSettings& settings() const { return settings_; }
  const Pairs& pairs() const { return pairs_; }

 private:
  LoraSettings settings_;
  Pairs pairs_;
  double scale_ = settings_.scale();
  double scale_in_b_ = 1;
  std::vector<RandomKey> dropout_keys_;
  std::map<std::pair<std::int64_t, Projection>, at::Tensor> masks_;  // [batch, sequence, in]
};

}  // namespace trl::runtime
