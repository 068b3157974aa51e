// The trainer that uses KernelStep.
#include <ATen/ATen.h>

#include <algorithm>

#include "runtime/train/kernel_step.hpp"
#include "runtime/train/trainer.hpp"

namespace trl::runtime {
namespace {

constexpr std::int64_t kMostRows = 16384;  // that are packed together

std::int64_t bytes_of_model(const LanguageModel& model) {
  std::int64_t bytes = 0;
  for (const auto& [name, tensor] : model.weights()) bytes += static_cast<std::int64_t>(tensor.nbytes());
  for (const auto& layer : model.layers()) {
    for (const auto p : projections(model.config().family)) {
      if (const auto* few = layer[p].quantised())
        bytes += static_cast<std::int64_t>(few->values.nbytes() + few->scale.nbytes());
    }
  }
  return bytes;
}

class KernelTrainer : public Trainer {
 public:
  KernelTrainer(const LanguageModel& model, const LoraSettings& settings,
                const std::vector<Document>& documents, std::optional<std::int64_t> recomputed)
      : context_(model.config().context), documents_(documents), step_(model, settings) {
    // Of the GPU's whole memory, not of what is free, so that the same GPU always packs alike.
    std::size_t free = 0, all = 0;
    gpu::check(gpu::driver().cuMemGetInfo(&free, &all), "the GPU's memory");
    room_ = static_cast<std::int64_t>(0.8 * static_cast<double>(all)) - bytes_of_model(model) -
            (std::int64_t{2} << 30);
    std::int64_t longest = 1;
    for (const auto& document : documents)
      longest = std::max(longest, static_cast<std::int64_t>(document.tokens.size()));
    longest = std::min(longest, context_) + kRowMultiple;
    const auto layers = model.config().layers;
    while (!recomputed && recomputed_ < layers && longest * step_.bytes_of_token(recomputed_) > room_)
      ++recomputed_;
    if (recomputed) recomputed_ = std::clamp<std::int64_t>(*recomputed, 0, layers);
    rows_ = std::clamp(room_ / step_.bytes_of_token(recomputed_) - kRowMultiple, std::int64_t{1}, kMostRows);
  }

  StepGradients step(const Lora& lora, const std::vector<std::size_t>& chosen,
                     const std::vector<RandomKey>& keys) override {
    step_.load(lora);
    std::vector<Packed> batches;
    std::size_t answers = 0;
    for (const auto& part : packs(documents_, chosen, context_, rows_)) {
      std::vector<std::size_t> own;
      std::vector<RandomKey> own_keys;
      for (const auto i : part) own.push_back(chosen[i]), own_keys.push_back(keys[i]);
      batches.push_back(pack_documents(documents_, own, own_keys, context_, kRowMultiple));
      answers += batches.back().answers.size();
    }
    const double share = 1.0 / static_cast<double>(std::max<std::size_t>(answers, 1));
    at::Tensor loss;
    for (const auto& packed : batches) {
      const auto weights = at::from_blob(const_cast<float*>(packed.weights.data()),
                                         {static_cast<std::int64_t>(packed.weights.size())}, at::kFloat)
                               .to(step_.gradients().front().device());
      const auto scores = step_.run(packed, weights * -share, recomputed_);
      const auto own = (scores.log_probabilities.to(at::kDouble) * weights).sum() * -share;
      loss = loss.defined() ? loss + own : own;
    }
    return {loss, step_.gradients()};
  }

 private:
  std::int64_t context_;
  const std::vector<Document>& documents_;
  KernelStep step_;
  std::int64_t room_ = 0, rows_ = 0, recomputed_ = 0;
};

}  // namespace

std::unique_ptr<Trainer> trainer_by_kernels(const LanguageModel& model, const LoraSettings& settings,
                                            const std::vector<Document>& documents,
                                            std::optional<std::int64_t> recomputed) {
  return std::make_unique<KernelTrainer>(model, settings, documents, recomputed);
}

}  // namespace trl::runtime
