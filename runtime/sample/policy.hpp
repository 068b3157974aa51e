// A model and the adapter with which it is sampled.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/adapter/lora.hpp"
#include "runtime/model/language_model.hpp"
#include "runtime/sample/generate_on_gpu.hpp"

namespace trl::runtime {

/// The distribution from which answers are sampled: a model and the adapter on it, if there is one.
class Policy {
 public:
  /// With `merge`, the adapter is merged into the weights, except into quantised matrices, which can't hold
  /// it.
  Policy(std::shared_ptr<const LanguageModel> base, std::optional<Lora> adapter, bool merge)
      : base_(std::move(base)), adapter_(std::move(adapter)) {
    if (!adapter_ || (merge && !base_->quantised())) return;
    adapter_->use_on(*base_);
    adapter_->prepare_training(base_->embedding().device());
    unmerged_ = adapter_->leaves(base_->compute());
  }

  const Lora* adapter() const { return adapter_ ? &*adapter_ : nullptr; }
  /// The adapter in the compute type, as in training; null if there is no adapter or it is merged.
  const ProjectionHook* unmerged() const { return unmerged_ ? &*unmerged_ : nullptr; }
  /// The weights of the base model, with the adapter merged into them unless it stays unmerged.
  const Weights& weights() const {
    if (!adapter_ || unmerged_) return base_->weights();
    if (weights_.empty()) weights_ = adapter_->merged(base_->weights());
    return weights_;
  }
  /// The model with the weights `weights()`.
  const LanguageModel& merged() const {
    if (!adapter_ || unmerged_) return *base_;
    if (!merged_)
      merged_ = std::make_shared<const LanguageModel>(base_->config(), weights(), base_->compute(),
                                                      LanguageModel::Use::frozen);
    return *merged_;
  }
  /// Whether the adapter is unmerged and has magnitudes (DoRA), which the kernels don't support.
  bool needs_tensors() const { return unmerged_ && adapter_->settings().dora; }
  std::string reason_against_kernels() const {
    if (needs_tensors()) return "an adapter with DoRA is beside the model";
    return reason_against_gpu_decoding(*base_, decode_storage(*base_));
  }

 private:
  std::shared_ptr<const LanguageModel> base_;
  std::optional<Lora> adapter_, unmerged_;
  mutable Weights weights_;  /// `weights_` and `merged_` are made when they are first needed
  mutable std::shared_ptr<const LanguageModel> merged_;
};

}  // namespace trl::runtime
