#include "runtime/train/loss.hpp"

#include <algorithm>

namespace trl::runtime {

Batch make_batch(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                 std::int64_t context, const c10::Device& device) {
  std::size_t longest = 1;
  for (const auto i : chosen) longest = std::max(longest, documents[i].tokens.size() - 1);
  // Sequence lengths are rounded up to multiples of 32, so that there are few shapes and kernels tuned for
  // one are used again.
  const auto sequence = std::min<std::int64_t>((static_cast<std::int64_t>(longest) + 31) / 32 * 32, context);
  auto tokens = at::zeros({static_cast<std::int64_t>(chosen.size()), sequence}, at::kLong);
  std::vector<std::int64_t> positions, targets;
  std::vector<float> weights;
  std::vector<std::int64_t> counts;
  for (std::size_t row = 0; row < chosen.size(); ++row) {
    const auto& document = documents[chosen[row]];
    auto* out = tokens.mutable_data_ptr<std::int64_t>() + static_cast<std::int64_t>(row) * sequence;
    const auto length =
        std::min<std::int64_t>(static_cast<std::int64_t>(document.tokens.size()) - 1, sequence);
    const auto before = static_cast<std::int64_t>(targets.size());
    for (std::int64_t i = 0; i < length; ++i) {
      out[i] = document.tokens[i];
      if (i + 1 < static_cast<std::int64_t>(document.answer_begin)) continue;
      positions.push_back(static_cast<std::int64_t>(row) * sequence + i);
      targets.push_back(document.tokens[i + 1]);
      weights.push_back(document.weight);
    }
    counts.push_back(static_cast<std::int64_t>(targets.size()) - before);
  }
  const bool weighted = std::any_of(weights.begin(), weights.end(), [](float weight) { return weight != 1; });
  return {tokens.to(device), at::tensor(positions, at::kLong).to(device),
          at::tensor(targets, at::kLong).to(device), weighted ? at::tensor(weights).to(device) : at::Tensor(),
          std::move(counts)};
}

at::Tensor answer_logits(const LanguageModel& model, const Batch& batch, const ProjectionHook* hook) {
  const auto hidden = model.hidden(batch.tokens, hook).flatten(0, 1);  // [batch · sequence, hidden]
  return model.logits(hidden.index_select(0, batch.positions));
}

at::Tensor answer_loss(const LanguageModel& model, const Batch& batch, const ProjectionHook* hook) {
  const auto logits = answer_logits(model, batch, hook);
  if (!batch.weights.defined()) return at::cross_entropy_loss(logits, batch.targets, {}, at::Reduction::Sum);
  return (at::cross_entropy_loss(logits, batch.targets, {}, at::Reduction::None) * batch.weights).sum();
}

}  // namespace trl::runtime
