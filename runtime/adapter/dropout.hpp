// Dropout whose mask depends on names and positions alone, never on batching.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "ground/random.hpp"

namespace trl::runtime {

/// Multipliers 0 or 1 / (1 - rate) for a batch: [keys.size(), sequence, width] in f32 on `device`.
/// Element (b, t, i) is number e = t·width + i of stream keys[b]: the 16-bit half e mod 8 of philox(key, e /
/// 8), dropped when it is below rate · 65536. width must be a multiple of 8. The CPU has a loop; other
/// devices compute the same masks with tensor operations.
at::Tensor dropout_mask(const std::vector<RandomKey>& keys, std::int64_t sequence, std::int64_t width,
                        double rate, const c10::Device& device);

/// Halves of words below this are dropped.
std::uint32_t dropout_limit(double rate);
/// What is kept is multiplied by 1 / (1 - rate).
float dropout_scale(double rate);

/// The tensor form, on any device: for tests and GPUs.
at::Tensor dropout_mask_by_tensors(const std::vector<RandomKey>& keys, std::int64_t sequence,
                                   std::int64_t width, double rate, const c10::Device& device);

}  // namespace trl::runtime
