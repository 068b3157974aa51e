// Reads prompts: computes the keys and values of their positions, into pages.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "runtime/decode/step.hpp"

namespace trl::runtime::decode {

/// A prompt's tokens at positions 0, 1, …, and the pages that take their keys and values.
struct PromptPages {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> pages;
};

/// The rows of the block in which a prompt of this length is read. It depends on the length alone, so that
/// the matrix products that read it are the same with any other prompts in the block.
std::int64_t rows_of_block(std::int64_t length);

/// Reads prompts that all have the same rows_of_block, and fit into one block together.
void read_prompts(const DecodeWeights& weights, const at::Tensor& pool, std::span<const PromptPages> prompts);

}  // namespace trl::runtime::decode
