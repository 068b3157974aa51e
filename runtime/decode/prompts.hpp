// Reads prompts: computes the keys and values of their positions and stores them in pages of the cache.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/decode/step.hpp"

namespace trl::runtime::decode {

/// A prompt's tokens at positions 0, 1, …, and the pages of the cache for their keys and values.
struct PromptPages {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> pages;
};

/// Returns the number of rows of the block in which a prompt of this length is read. It depends on the length
/// alone, so that a prompt goes through the same matrix products whichever other prompts are in the block.
std::int64_t rows_of_block(std::int64_t length);

/// Reads prompts in one block. They must have the same `rows_of_block` and fit into the block together.
void read_prompts(const DecodeWeights& weights, const at::Tensor& pool, std::span<const PromptPages> prompts);

}  // namespace trl::runtime::decode
