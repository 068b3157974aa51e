// The files of device/ with the macros that a model gives them.
#pragma once

#include <array>

#include "runtime/decode/products.hpp"
#include "runtime/decode/step.hpp"
#include "runtime/kernels/kernels.hpp"
#include "runtime/model/config.hpp"

namespace trl::runtime::decode {

/// `parts` of the product that is added, 0 where the embedding is read; with y_bf16 it is one part, in bf16.
KernelSource norm_source(const ModelConfig& config, int parts, bool y_bf16);
/// `parts` of q, k and v; `blocks` in the cluster of a column and key head.
KernelSource attention_source(const ModelConfig& config, int parts, int blocks);
KernelSource prompt_source(const ModelConfig& config);
KernelSource draw_source(std::int64_t choices, std::int64_t vocabulary);

/// The activation between a feed-forward layer's products, where they leave parts.
KernelSource gate_source(const ModelConfig& config, int parts);

/// A layer's products, in the order of the forward pass (q, k, v; o; gate and up; down), then the head's, for
/// so many columns.
std::array<ProductShape, 5> product_shapes(const ModelConfig& config, Storage storage, const Tails& tails,
                                           std::int64_t columns, const Gpu& gpu);
/// The adapter's products z = A x before a layer's; `rows` is 0 where there is none.
std::array<ProductShape, 4> adapter_shapes(const ModelConfig& config, const Tails& tails);

/// All that a step with so many columns launches.
std::vector<KernelSource> step_sources(const ModelConfig& config, Storage storage, const Tails& tails,
                                       std::int64_t choices, const Gpu& gpu, std::int64_t columns,
                                       int attention_blocks);

}  // namespace trl::runtime::decode
