// Low-rank adapters (LoRA, Hu et al., 2021), with rank-stabilised scales (rsLoRA) and with trained magnitudes
// (DoRA) as options.
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
  Family family = Family::qwen2;  // the model's family, which determines the names of its modules
  std::int64_t rank = 16;
  double alpha = 32;
  double dropout = 0;
  std::set<Projection> targets;  // never empty
  bool rslora = false;           // rank-stabilised LoRA (Kalajdzievski 2023): the scale is alpha / √rank
  /// weight-decomposed (DoRA, Liu et al. 2024): each row of a weight has a trained magnitude
  bool dora = false;
  ModulePatterns patterns;  // ranks and alphas of modules that differ from `rank` and `alpha`

  /// The settings of one module; the module needn't be a target.
  struct Module {
    std::int64_t rank = 0;
    double alpha = 0;
    double scale = 0;  // the factor of the module's B A: alpha / rank, or with rslora alpha / √rank
  };
  Module module(std::int64_t layer, Projection projection) const;
  /// Returns the scale of a module with this rank and alpha.
  double scale_of(std::int64_t own_rank, double own_alpha) const;
  bool operator==(const LoraSettings&) const = default;
};

/// Throws UserError when rank or dropout is out of range.
void check(const LoraSettings& settings);

/// Throws UserError when a pattern changes nothing in a model with `layers` layers, because it matches no
/// target, or because earlier patterns set the rank and alpha of all targets that it matches. Adapters made
/// by other programs needn't pass this check, since PEFT allows such patterns.
void check_patterns(const LoraSettings& settings, std::int64_t layers);

/// Reads a spec's `adapter` {rank, alpha, dropout, targets, [use_rslora], [use_dora], [patterns]}. Targets
/// are "all_linear" or names like "q_proj". Throws UserError for an unknown target (with a list of the
/// family's modules), and for a pattern that can't be used.
LoraSettings lora_settings(const nlohmann::json& adapter, Family family);

/// Returns the key of the random stream of a module's dropout mask, for the sequence with the key `sequence`.
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
  using Magnitudes = std::map<Module, at::Tensor>;  // [out] each; with DoRA there is one for every pair

  /// A pair's rank may differ from the settings, and some targets of some layers may have no pair. Every
  /// product B A is multiplied by the scale of its module in the settings.
  Lora(LoraSettings settings, Pairs pairs, Magnitudes magnitudes = {});

  /// Makes a new adapter. A is kaiming-uniform with a = √5, that is uniform in ±1/√in, from a random stream
  /// for (seed, module). B is zero.
  static Lora fresh(const ModelConfig& config, const LoraSettings& settings, std::int64_t seed);

  /// With DoRA, must be called before `apply`, which needs the matrices of the model. Sets the magnitudes of
  /// a new adapter to the norms of the rows of the model's weights.
  void use_on(const LanguageModel& model);

  at::Tensor apply(std::int64_t layer, Projection projection, const at::Tensor& x,
                   const at::Tensor& y) const override;

  /// Sets the streams of the next forward passes' dropout masks, one for each sequence of the batch; with no
  /// keys there is no dropout. A module's mask comes from (key, module), so it doesn't depend on the order of
  /// modules or on the batch.
  void set_dropout(std::vector<RandomKey> keys) { dropout_keys_ = std::move(keys); }

  /// Returns the tensors to train, in a fixed order.
  std::vector<at::Tensor> parameters() const;

  /// Moves the adapter to a device. Its tensors become autograd leaves that require gradients.
  void prepare_training(const c10::Device& device);

  /// Returns a copy in `type` for one forward and backward pass. Its tensors are leaves; `gradients` returns
  /// their gradients. Scales are multiplied into each B.
  Lora leaves(at::ScalarType type) const;

  /// For a copy made by `leaves`, after the backward pass: returns the gradients of the original adapter's
  /// tensors, in f32, in the order of `parameters`.
  std::vector<at::Tensor> gradients() const;

  /// Computes the dropout masks of one forward pass over `keys.size()` sequences in advance, for many modules
  /// at once. On a GPU this is many times as fast as one mask after another. Replaces set_dropout.
  void draw_masks(const std::vector<RandomKey>& keys, std::int64_t sequence, const ModelConfig& config,
                  const c10::Device& device, at::ScalarType type);

  /// Returns a copy that shares no tensor with this adapter and whose tensors are autograd leaves, so that
  /// several threads can compute gradients of micro-batches at the same time.
  Lora copy_for_thread() const;

  /// Returns the weights with the adapter merged into them: W + scale · B A for each targeted weight, with
  /// DoRA after scaling the rows to their magnitudes. The sum is computed in f32 and converted to the
  /// weight's type. All other weights are returned as the same tensors.
  Weights merged(const Weights& weights) const;

  /// Whether every target of each of `layers` layers has a pair with the rank in the settings, as in a new
  /// adapter.
  bool regular(std::int64_t layers) const;
  /// Whether a new adapter with the settings `wanted` for `layers` layers would have the same modules as this
  /// adapter, with the same ranks and scales. Dropout may differ.
  bool fits(const LoraSettings& wanted, std::int64_t layers) const;
  /// The largest rank of a pair.
  std::int64_t largest_rank() const;

  /// The factor of the module's product B A.
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
  std::map<Module, double> scales_;  // the scale of every pair
  bool scale_in_b_ = false;          // true in a copy made by `leaves`
  std::vector<RandomKey> dropout_keys_;
  std::map<Module, at::Tensor> masks_;  // [batch, sequence, in]
  std::map<Module, Linear> bases_;      // with DoRA
};

}  // namespace trl::runtime
