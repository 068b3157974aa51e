#include "runtime/sample/drift.hpp"

#include <ATen/ATen.h>

#include <cstring>
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
                    std::size_t budget, const ProjectionHook* adapter, const Group& group) {
  const at::NoGradGuard no_grad;
  std::vector<std::size_t> all(documents.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto batches = micro_batches(documents, all, budget);
  std::vector<std::int64_t> costs;
  for (const auto& rows : batches)
    costs.push_back(static_cast<std::int64_t>(rows.size() * documents[rows.back()].tokens.size()));
  const auto bounds = shares(costs, group.size());
  const auto rank = static_cast<std::size_t>(group.rank());
  std::string parts;  // a Drift of sums for each of this process's batches
  for (auto number = bounds[rank]; number < bounds[rank + 1]; ++number) {
    checkpoint();
    const auto batch =
        make_batch(documents, batches[number], policy.config().context, policy.embedding().device());
    Drift part;
    part.tokens = batch.positions.size(0);
    if (part.tokens > 0) {
      const auto own = log_probabilities(policy, batch, adapter);
      const auto probabilities = own.exp();
      part.entropy = -(probabilities * own).sum().item<double>();
      if (base != nullptr)
        part.kl = (probabilities * (own - log_probabilities(*base, batch, nullptr))).sum().item<double>();
    }
    parts.append(reinterpret_cast<const char*>(&part), sizeof part);
  }
  Drift drift;
  for (const auto& given : group.gather(parts)) {
    for (std::size_t at = 0; at < given.size(); at += sizeof(Drift)) {
      Drift part;
      std::memcpy(&part, given.data() + at, sizeof part);
      drift.tokens += part.tokens, drift.entropy += part.entropy, drift.kl += part.kl;
    }
  }
  const auto count = static_cast<double>(std::max<std::int64_t>(drift.tokens, 1));
  drift.entropy /= count, drift.kl /= count;
  return drift;
}

}  // namespace trl::runtime
