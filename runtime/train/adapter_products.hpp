// The products of LoRA on a GPU, by the kernels of device/adapter.cu.
#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <vector>

#include "runtime/kernels/kernels.hpp"

namespace trl::runtime {

/// The rank of a unit. An adapter's rank is split into units of this rank; the last unit is filled up with
/// zeros.
constexpr std::int64_t kUnitRank = 16;
/// The number of tokens must be a multiple of this.
constexpr std::int64_t kRowMultiple = 128;

inline std::int64_t units_of(std::int64_t rank) { return (rank + kUnitRank - 1) / kUnitRank; }

/// The product x Aᵀ of one unit, in two layouts.
struct Low {
  at::Tensor rows;     // [tokens, 16] bf16
  at::Tensor columns;  // [16, tokens]: `rows` transposed
};

/// The gradient of one unit's matrix, to which a kernel adds. Number (rank, column) lies at rank ·
/// rank_stride + column · column_stride.
struct UnitGradient {
  at::Tensor first;  // f32; its first element is number (0, 0)
  std::int64_t ranks = kUnitRank;
};

/// These functions take any number of units. Tensors on the GPU are bf16 unless said otherwise, and their
/// last dimension is contiguous. `kept` holds for each unit the bits of the dropout mask, [tokens, width / 8]
/// uint8, or is empty. Sums are in f32, in an order that depends on the shapes alone.
namespace adapter_products {

/// Returns scale · dropout(x) Aᵀ for each A [16, width] of `a`; x [tokens, width], where width is a multiple
/// of 64.
std::vector<Low> down(const at::Tensor& x, std::span<const at::Tensor> a, std::span<const at::Tensor> kept,
                      double scale);

/// Returns the same as `down`, from its partial sums over `count` ranges of columns: parts [count, tokens, 16
/// · units] f32.
std::vector<Low> gathered(const at::Tensor& parts, double scale);

/// y += scale · Σ dropout(low bᵀ); y [tokens, width], b [width, 16].
void up(const at::Tensor& y, std::span<const Low> low, std::span<const at::Tensor> b,
        std::span<const at::Tensor> kept, double scale);

/// gradient += scale · lowᵀ dropout(x); x [tokens, width].
void outer(const at::Tensor& x, std::span<const Low> low, std::span<const at::Tensor> kept, double scale,
           std::span<const UnitGradient> gradients, std::int64_t rank_stride, std::int64_t column_stride);

/// The sources of the kernels that these functions launch, for every number of units.
std::vector<KernelSource> sources();

}  // namespace adapter_products
}  // namespace trl::runtime
