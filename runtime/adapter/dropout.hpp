// Dropout whose mask depends on the module's name and the position alone, never on batching.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "base/support/random.hpp"

namespace trl::runtime {

/// Multipliers 0 or 1 / (1 - rate) for a batch: [keys.size(), sequence, width] in f32 on `device`. Element
/// (b, t, i) has number e = t·width + i in stream keys[b]: its random bits are the 16-bit half e mod 8 of
/// philox(key, e / 8), and it is dropped when they are below rate · 65536. width must be a multiple of 8. The
/// CPU has a loop; other devices compute the same masks with tensor operations.
at::Tensor dropout_mask(const std::vector<RandomKey>& keys, std::int64_t sequence, std::int64_t width,
                        double rate, const c10::Device& device);

/// An element is dropped when its 16 random bits are below this.
std::uint32_t dropout_limit(double rate);
/// The elements that are kept are multiplied by this, 1 / (1 - rate).
float dropout_scale(double rate);

/// The same masks computed with tensor operations, on any device: for tests and GPUs.
at::Tensor dropout_mask_by_tensors(const std::vector<RandomKey>& keys, std::int64_t sequence,
                                   std::int64_t width, double rate, const c10::Device& device);

}  // namespace trl::runtime
