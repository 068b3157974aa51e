// The sources of the decoding kernels: files of device/ with the values of their macros for a model.
#pragma once

#include <array>

#include "runtime/decode/products.hpp"
#include "runtime/decode/step.hpp"
#include "runtime/kernels/kernels.hpp"
#include "runtime/model/config.hpp"

namespace trl::runtime::decode {

/// Returns the source of the norm's kernel. `parts` is the number of partial sums of the product that is
/// added to the residual stream, or 0 if the kernel reads the embedding instead. With `y_bf16` the product is
/// one part, in bf16.
KernelSource norm_source(const ModelConfig& config, int parts, bool y_bf16);
/// Returns the source of the attention's kernel. `parts` is the number of partial sums of q, k and v;
/// `blocks` is the number of blocks in the cluster that computes one column and key head.
KernelSource attention_source(const ModelConfig& config, int parts, int blocks);
KernelSource prompt_source(const ModelConfig& config);
KernelSource draw_source(std::int64_t choices, std::int64_t vocabulary);

/// Returns the source of the activation between the products of a feed-forward layer, for products that leave
/// `parts` partial sums.
KernelSource gate_source(const ModelConfig& config, int parts);

/// Returns the shapes of a layer's four products (q, k, v; o; gate and up; down), then of the output matrix's
/// product, for `columns` columns.
std::array<ProductShape, 5> product_shapes(const ModelConfig& config, Storage storage, const Tails& tails,
                                           std::int64_t columns, const Gpu& gpu);
/// Returns the shapes of the adapter's products z = A x, one before each of a layer's four products; `rows`
/// is 0 if there is no adapter.
std::array<ProductShape, 4> adapter_shapes(const ModelConfig& config, const Tails& tails);

/// The sources of all kernels that a step with `columns` columns launches.
std::vector<KernelSource> step_sources(const ModelConfig& config, Storage storage, const Tails& tails,
                                       std::int64_t choices, const Gpu& gpu, std::int64_t columns,
                                       int attention_blocks);

}  // namespace trl::runtime::decode
