// Compares tokens with a model's vocabulary.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>

#include "base/support/error.hpp"
#include "runtime/model/config.hpp"

namespace trl::runtime {

/// Throws UserError if the embedding has no row for one of the tokens. Loops on the CPU and kernels on the
/// GPU index the embedding and the output matrix by tokens without a check of their own.
inline void require_tokens(std::span<const std::int32_t> tokens, const ModelConfig& config) {
  for (const auto token : tokens)
    if (token < 0 || token >= config.vocabulary)
      throw UserError(
          fmt::format("the token {} has no row in the embedding, which has {}", token, config.vocabulary),
          "The tokenizer and the weights belong to different models, or tokens were added to the tokenizer "
          "and not to the embedding.");
}

}  // namespace trl::runtime
