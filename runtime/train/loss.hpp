// The next-token loss on answers.
#pragma once

#include <ATen/core/Tensor.h>

#include "runtime/model/language_model.hpp"
#include "runtime/train/documents.hpp"

namespace trl::runtime {

/// Documents as one right-padded batch.
struct Batch {
  at::Tensor tokens;     // [batch, sequence] i64: inputs
  at::Tensor positions;  // [answer tokens] i64: flat indices into batch × sequence whose next token is an
                         // answer token
  at::Tensor targets;    // [answer tokens] i64
  at::Tensor weights;  // [answer tokens] f32: the weight of each token's loss; undefined if all weights are 1
  std::vector<std::int64_t> counts;  // [batch]: the number of answer tokens of each document; `positions`
                                     // lists documents in this order
};

Batch make_batch(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                 std::int64_t context, const c10::Device& device);

/// Returns [answer tokens, vocabulary] f32: the logits from which each answer token is predicted.
at::Tensor answer_logits(const LanguageModel& model, const Batch& batch, const ProjectionHook* hook);

/// Returns the sum, over answer tokens and end tokens, of the cross entropy times the token's weight: a
/// scalar in f32.
at::Tensor answer_loss(const LanguageModel& model, const Batch& batch, const ProjectionHook* hook);

}  // namespace trl::runtime
