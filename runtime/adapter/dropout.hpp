// Dropout whose mask depends on the module's name and the position alone, never on batching.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "base/support/random.hpp"

namespace trl::runtime {

/// Returns the multipliers of a batch, each 0 or 1 / (1 - rate): [keys.size(), sequence, width] in f32 on
/// `device`. Element (b, t, i) has number e = t·width + i in stream keys[b]. Its random bits are the 16-bit
/// half e mod 8 of philox(key, e / 8); it is dropped if they are below rate · 65536. width must be a multiple
/// of 8. A loop computes the masks on the CPU; on other devices tensor operations compute the same masks.
at::Tensor dropout_mask(const std::vector<RandomKey>& keys, std::int64_t sequence, std::int64_t width,
                        double rate, const c10::Device& device);

/// Returns the limit below which an element's 16 random bits make it dropped.
std::uint32_t dropout_limit(double rate);
/// Returns the factor of the elements that are kept, 1 / (1 - rate).
float dropout_scale(double rate);

/// Computes the masks of `dropout_mask` with tensor operations on any device, for tests and GPUs.
at::Tensor dropout_mask_by_tensors(const std::vector<RandomKey>& keys, std::int64_t sequence,
                                   std::int64_t width, double rate, const c10::Device& device);

}  // namespace trl::runtime
