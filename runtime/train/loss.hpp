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
  at::Tensor weights;    // [answer tokens] f32, of each token's loss; undefined where all are 1
  std::vector<std::int64_t> counts;  // [batch]: answer tokens of each document; positions are in their order
};

Batch make_batch(const std::vector<Document>& documents, const std::vector<std::size_t>& chosen,
                 std::int64_t context, const c10::Device& device);

/// [answer tokens, vocabulary] f32: the distributions of the next token where it is an answer token.
at::Tensor answer_logits(const LanguageModel& model, const Batch& batch, const ProjectionHook* hook);

/// Cross entropy summed over the answer tokens and end tokens, each times its weight, a scalar in f32.
at::Tensor answer_loss(const LanguageModel& model, const Batch& batch, const ProjectionHook* hook);

}  // namespace trl::runtime
