// Low-rank adapters (LoRA, Hu et al., 2021), with rank-stabilised scales and with magnitudes (DoRA).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/support/module_patterns.hpp"
#include "base/support/random.hpp"
#include "runtime/model/language_model.hpp"

namespace trl::runtime {

struct LoraSettings {
  Family family = Family::qwen2;  // of the model, whose modules the targets name
  std::int64_t rank = 16;
  double alpha = 32;
  double dropout = 0;
  std::set<Projection> targets;  // never empty
  bool rslora = false;           // rank-stabilised LoRA (Kalajdzievski 2023): the scale is alpha / √rank
  bool dora = false;        // weight-decomposed (DoRA, Liu et al. 2024): rows have magnitudes of their own
  ModulePatterns patterns;  // modules with another rank or alpha

  /// The settings for one module, whether it is a target or not.
  struct Module {
    std::int64_t rank = 0;
    double alpha = 0;
    double scale = 0;  // the factor of its B A: alpha / rank, or with rslora alpha / √rank
  };
  Module module(std::int64_t layer, Projection projection) const;
  /// The scale of a matrix with a rank and an alpha.
  double scale_of(std::int64_t own_rank, double own_alpha) const;
  bool operator==(const LoraSettings&) const = default;
};

/// Throws UserError where rank or dropout are out of their range.
void check(const LoraSettings& settings);

/// Throws UserError where a pattern changes nothing in a model: it fits none of the targets, or patterns
/// before it say all that it says. Adapters of others may have such patterns, which PEFT passes over.
void check_patterns(const LoraSettings& settings, std::int64_t layers);

/// Reads a spec's `adapter` {rank, alpha, dropout, targets, [use_rslora], [use_dora], [patterns]}. Targets
/// are "all_linear" or names like "q_proj". Throws UserError, which lists the family's modules, when one is
/// unknown, and for a pattern that can't be used.
LoraSettings lora_settings(const nlohmann::json& adapter, Family family);

/// The random stream of one module's dropout mask, for the sequence with this key.
RandomKey dropout_key(RandomKey sequence, std::int64_t layer, Projection projection);

/// Computes y + scale · dropout(x) Aᵀ Bᵀ on the targeted projections. With DoRA the weight W + scale · B A
/// has its rows scaled to trained magnitudes m: y + (m/n - 1) · dropout(x) Wᵀ + m/n · scale · dropout(x) Aᵀ
/// Bᵀ, where n are the norms of the rows of W + scale · B A, through which no gradient flows (section 4.3 of
/// the paper).
class Lora : public ProjectionHook {
 public:
  struct Pair {
    at::Tensor a;  // [rank, in]
    at::Tensor b;  // [out, rank]
  };
  using Module = std::pair<std::int64_t, Projection>;  // (layer, projection)
  using Pairs = std::map<Module, Pair>;
  using Magnitudes = std::map<Module, at::Tensor>;  // [out] each; with DoRA, of every pair

  /// Pairs may have other ranks than the settings say, and be missing for some targets of some layers; every
  /// product gets the scale of its module in the settings.
  Lora(LoraSettings settings, Pairs pairs, Magnitudes magnitudes = {});

  /// A new adapter. A is kaiming-uniform with a = √5, that is uniform in ±1/√in, from a stream of (seed,
  /// module); B is zero.
  static Lora fresh(const ModelConfig& config, const LoraSettings& settings, std::int64_t seed);

  /// Must be called before `apply` with DoRA, which needs the matrices of the model that it is used on. Gives
  /// a new adapter its magnitudes, the norms of the model's rows.
  void use_on(const LanguageModel& model);

  at::Tensor apply(std::int64_t layer, Projection projection, const at::Tensor& x,
                   const at::Tensor& y) const override;

  /// Sets the streams of the next forward passes' dropout masks, one for each sequence of the batch; with no
  /// keys there is no dropout. A module's mask comes from (key, module), so it doesn't depend on the order of
  /// modules or on the batch.
  void set_dropout(std::vector<RandomKey> keys) { dropout_keys_ = std::move(keys); }

  /// Tensors to train, in a fixed order.
  std::vector<at::Tensor> parameters() const;

  /// Moves to a device; the tensors become leaves that require gradients.
  void prepare_training(const c10::Device& device);

  /// A copy in `type` for one forward and backward pass. Its tensors are leaves; `gradients` returns their
  /// gradients. Scales are multiplied into each B.
  Lora leaves(at::ScalarType type) const;

  /// After the backward pass on a copy made by `leaves`: the gradients of the tensors that it was made from,
  /// in f32, in the order of `parameters`.
  std::vector<at::Tensor> gradients() const;

  /// Draws the masks of one forward pass over `keys.size()` sequences in advance, for many modules at once:
  /// on a GPU drawing them one by one takes many times as long. Replaces set_dropout.
  void draw_masks(const std::vector<RandomKey>& keys, std::int64_t sequence, const ModelConfig& config,
                  const c10::Device& device, at::ScalarType type);

  /// A copy that shares no tensor with this one and whose tensors are leaves, so that several threads can
  /// compute gradients of micro-batches at the same time.
  Lora copy_for_thread() const;

  /// W + scale · B A for each targeted weight, with DoRA with its rows scaled, computed in f32 and in the
  /// weight's type; the other weights are returned as they are (the same tensors).
  Weights merged(const Weights& weights) const;

  /// Whether every target of each of so many layers has a pair, of the rank that the settings say, as in an
  /// adapter that training begins.
  bool regular(std::int64_t layers) const;
  /// Whether training with these settings on so many layers gives an adapter of the same form: the modules,
  /// and the rank and scale of each; dropout aside.
  bool fits(const LoraSettings& wanted, std::int64_t layers) const;
  /// The largest rank of a pair.
  std::int64_t largest_rank() const;

  /// The factor of a pair's product.
  double scale(const Module& module) const { return scales_.at(module); }
  const LoraSettings& settings() const { return settings_; }
  const Pairs& pairs() const { return pairs_; }
  const Magnitudes& magnitudes() const { return magnitudes_; }

 private:
  /// The tensors that are trained, in the order of `parameters`.
  std::vector<at::Tensor*> tensors();

  LoraSettings settings_;
  Pairs pairs_;
  Magnitudes magnitudes_;
  std::map<Module, double> scales_;  // of every pair
  bool scale_in_b_ = false;          // a copy made by `leaves`
  std::vector<RandomKey> dropout_keys_;
  std::map<Module, at::Tensor> masks_;  // [batch, sequence, in]
  std::map<Module, Linear> bases_;      // with DoRA
};

}  // namespace trl::runtime
