// NormalFloat4, weights of 4 bits (Dettmers et al. 2023, "QLoRA: Efficient Finetuning of Quantized LLMs").
#pragma once

#include <ATen/core/Tensor.h>

#include <array>

namespace trl::runtime {

/// The value of each code (QLoRA, appendix E).
inline constexpr std::array<float, 16> kNormalFloats = {
    -1.0F,
    -0.6961928009986877F,
    -0.5250730514526367F,
    -0.39491748809814453F,
    -0.28444138169288635F,
    -0.18477343022823334F,
    -0.09105003625154495F,
    0.0F,
    0.07958029955625534F,
    0.16093020141124725F,
    0.24611230194568634F,
    0.33791524171829224F,
    0.44070982933044434F,
    0.5626170039176941F,
    0.7229568362236023F,
    1.0F,
};

/// The number of neighbouring numbers in a row that share a scale.
inline constexpr std::int64_t kNormalFloatBlock = 64;

/// A matrix of codes: weight = kNormalFloats[code] · scale of its block.
struct QuantisedBlocks {
  at::Tensor codes;  // [out, in] uint8, 0 to 15
  at::Tensor scale;  // [out, in / 64] f32: the largest magnitude of the block
};

/// Quantises `weight` [out, in] of any float type; `in` must be a multiple of 64. Each number gets the code
/// of the nearest value; where two values are equally near, the lower value's, as in bitsandbytes. A block of
/// zeros has scale 0.
QuantisedBlocks quantise_blocks(const at::Tensor& weight);

/// Returns the matrix [out, in] in `type`. Each product is computed in f32 and rounded once.
at::Tensor dequantise(const QuantisedBlocks& blocks, at::ScalarType type);

}  // namespace trl::runtime
