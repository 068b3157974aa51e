#include "runtime/sample/drift.hpp"

#include <ATen/ATen.h>

#include <numeric>

#include "runtime/train/loss.hpp"

namespace trl::runtime {
namespace {

/// [answer tokens, vocabulary]: logarithms of the probabilities of the next token.
at::Tensor log_probabilities(const LanguageModel& model, const Batch& batch, const ProjectionHook* adapter) {
  const auto hidden = model.hidden(batch.tokens, adapter).flatten(0, 1).index_select(0, batch.positions);
  return at::log_softmax(model.logits(hidden), -1);
}

}  // namespace

Drift measure_drift(const LanguageModel& policy, const LanguageModel* base,
                    const std::vector<Document>& documents, const std::function<void()>& checkpoint,
                    std::size_t budget, const ProjectionHook* adapter) {
  const at::NoGradGuard no_grad;
  std::vector<std::size_t> all(documents.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  Drift drift;
  for (const auto& rows : micro_batches(documents, all, budget)) {
    checkpoint();
    const auto batch = make_batch(documents, rows, policy.config().context, policy.embedding().device());
    if (batch.positions.size(0) == 0) continue;
    const auto own = log_probabilities(policy, batch, adapter);
    const auto probabilities = own.exp();
    drift.tokens += batch.positions.size(0);
    drift.entropy -= (probabilities * own).sum().item<double>();
    if (base != nullptr)
      drift.kl += (probabilities * (own - log_probabilities(*base, batch, nullptr))).sum().item<double>();
  }
  const auto count = static_cast<double>(std::max<std::int64_t>(drift.tokens, 1));
  drift.entropy /= count, drift.kl /= count;
  return drift;
}

}  // namespace trl::runtime
