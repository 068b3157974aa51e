// Dropout whose mask depends on the module's name and the position alone, never on batching.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "base/support/random.hpp"

namespace trl::runtime {

/// Returns the multipliers of a batch, each 0 or 1 / (1 - rate): [keys.size(), sequence, width] in f32 on
/// `device`. Element (b, t, i) has number e = t·width + i. Its random bits are 16-bit part e mod 8 (lowest
/// first) of philox(keys[b], e / 8); it is dropped if they are < dropout_limit(rate). width must be a
/// multiple of 8. The CPU runs a loop; other devices compute equal masks by tensor operations.
at::Tensor dropout_mask(const std::vector<RandomKey>& keys, std::int64_t sequence, std::int64_t width,
                        double rate, const c10::Device& device);

/// Returns the limit below which an element's 16 random bits make it dropped: rate · 65536, rounded.
std::uint32_t dropout_limit(double rate);
/// Returns the factor of the elements that are kept, 1 / (1 - rate).
float dropout_scale(double rate);

/// Computes the masks of `dropout_mask` with tensor operations on any device, for tests and GPUs.
at::Tensor dropout_mask_by_tensors(const std::vector<RandomKey>& keys, std::int64_t sequence,
                                   std::int64_t width, double rate, const c10::Device& device);

}  // namespace trl::runtime
