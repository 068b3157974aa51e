// The trainer that uses KernelStep.
#include <ATen/ATen.h>

#include <algorithm>

#include "runtime/model/vocabulary.hpp"
#include "runtime/train/kernel_step.hpp"
#include "runtime/train/trainer.hpp"

namespace trl::runtime {
namespace {

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
      : Trainer(documents, model.config().context), step_(model, settings) {
    // The limit is a share of the GPU's whole memory and not of its free memory, so that the same GPU always
    // packs alike.
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
    rows_ =
        std::clamp(room_ / step_.bytes_of_token(recomputed_) - kRowMultiple, std::int64_t{1}, kMostLeafRows);
  }

 protected:
  /// Makes packs of consecutive documents.
  Leaves leaves(const std::vector<std::size_t>& chosen) const override {
    std::int64_t rows = 0;
    for (const auto i : chosen) rows += rows_of(documents_[i], context_);
    return packs(documents_, chosen, context_, rows_, rows_of_leaf(rows));
  }

  void compute(const Lora& lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
               const StepFacts& step, const Take& take) override {
    step_.load(lora);
    const double share = 1.0 / static_cast<double>(std::max<std::int64_t>(step.tokens, 1));
    for (const auto& leaf : leaves) {
      const auto batch = pack(chosen, leaf);
      Part part;
      part.loss = learning_.objective.likelihood()
                      ? by_weights(batch, share)
                      : by_objective(batch, leaf, chosen.facts, step, part.measures);
      part.gradient = step_.take_gradient();
      take(std::move(part));
    }
  }

  void score(const Lora* lora, const Chosen& chosen, std::span<const std::vector<std::size_t>> leaves,
             LogProbabilities& all) override {
    if (lora != nullptr) step_.load(*lora);
    for (const auto& leaf : leaves) {
      const auto batch = pack(chosen, leaf);
      const auto scores = step_.scores(batch, lora != nullptr, !chosen.keys.empty());
      const auto logp = scores.log_probabilities.to(at::kCPU, at::kFloat).contiguous();
      for (std::size_t d = 0; d < leaf.size(); ++d) {
        const auto [first, size] = answer_of(batch, d);
        all[leaf[d]].assign(logp.const_data_ptr<float>() + first,
                            logp.const_data_ptr<float>() + first + size);
      }
    }
  }

 private:
  Packed pack(const Chosen& chosen, const std::vector<std::size_t>& leaf) const {
    std::vector<std::size_t> own;
    std::vector<RandomKey> keys;
    for (const auto i : leaf) {
      own.push_back(chosen.documents[i]);
      keys.push_back(chosen.keys.empty() ? RandomKey{} : chosen.keys[i]);
    }
    return pack_documents(documents_, own, keys, context_, kRowMultiple);
  }

  /// Returns where a document's answer tokens begin among the answer tokens of a batch, and their number.
  static std::pair<std::size_t, std::size_t> answer_of(const Packed& batch, std::size_t document) {
    const auto first = batch.answer_begins[document], end = batch.answer_begins[document + 1];
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(end - first)};
  }

  at::Tensor by_weights(const Packed& batch, double share) {
    const auto weights = at::from_blob(const_cast<float*>(batch.weights.data()),
                                       {static_cast<std::int64_t>(batch.weights.size())}, at::kFloat)
                             .to(step_.device());
    const auto scores = step_.run(batch, weights * -share, recomputed_);
    return (scores.log_probabilities.to(at::kDouble) * weights).sum() * -share;
  }

  at::Tensor by_objective(const Packed& batch, const std::vector<std::size_t>& part,
                          const std::vector<AnswerFacts>& facts, const StepFacts& of_all,
                          ObjectiveMeasures& measures) {
    double loss = 0;
    std::vector<std::int64_t> counts;
    for (std::size_t d = 0; d < part.size(); ++d)
      counts.push_back(static_cast<std::int64_t>(answer_of(batch, d).second));
    const auto coefficients = [&](const KernelStep::Scores& scores) {
      const auto logp = scores.log_probabilities.to(at::kCPU, at::kFloat).contiguous();
      const auto given = at::empty_like(logp);
      const auto answers = sum_of_answers(learning_.objective, logp, counts, part, facts, of_all, given);
      loss = answers.loss;
      measures = answers.measures;
      return given.to(scores.log_probabilities.device());
    };
    const auto scores = step_.run(batch, coefficients, recomputed_);
    if (scores.entropy.defined()) measures.entropy += scores.entropy.sum().item<double>();
    return at::scalar_tensor(loss, at::kDouble).to(step_.device());
  }

  KernelStep step_;
  std::int64_t room_ = 0, rows_ = 0, recomputed_ = 0;
};

}  // namespace

std::unique_ptr<Trainer> trainer_by_kernels(const LanguageModel& model, const LoraSettings& settings,
                                            const std::vector<Document>& documents,
                                            std::optional<std::int64_t> recomputed) {
  for (const auto& document : documents) require_tokens(document.tokens, model.config());
  return std::make_unique<KernelTrainer>(model, settings, documents, recomputed);
}

}  // namespace trl::runtime
