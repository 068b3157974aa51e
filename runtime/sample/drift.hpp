// Measures how far training has moved a model from its base model, on the trained model's answers.
#pragma once

#include <functional>
#include <vector>

#include "runtime/group/group.hpp"
#include "runtime/model/language_model.hpp"
#include "runtime/train/documents.hpp"

namespace trl::runtime {

/// Means over the answer tokens (and end tokens) of all documents, in nats per token, at temperature 1.
struct Drift {
  double entropy = 0;  ///< the entropy of the policy's distribution of the next token
  double kl = 0;       ///< the divergence of that distribution from the base model's, KL(policy || base)
  std::int64_t tokens = 0;
};

inline constexpr std::size_t kDriftBudget = 4096;

/// Measures the drift over the whole vocabulary at each token, so that only the mean over answers is an
/// estimate. `base` must have the policy's tokenizer and device; it is null if the policy is the base model
/// itself. `adapter`, if any, is added to the products of `policy` alone. Works in micro-batches of at most
/// `budget` padded tokens, and calls `checkpoint` before each. The processes of `group`, if there is one,
/// share them and get the same result, whose bits don't depend on their number.
Drift measure_drift(const LanguageModel& policy, const LanguageModel* base,
                    const std::vector<Document>& documents, const std::function<void()>& checkpoint,
                    std::size_t budget = kDriftBudget, const ProjectionHook* adapter = nullptr,
                    const Group& group = {});

}  // namespace trl::runtime
