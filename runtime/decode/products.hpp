// Chooses the macros and the grid of the matrix-product kernels (device/product.cu, device/wide_product.cu)
// for a matrix.
#pragma once

#include <cstdint>

#include "runtime/kernels/kernels.hpp"

namespace trl::runtime::decode {

/// The form of the result of a product W x; the numbers are the same in device/product.cuh:
/// - parts: partial sums in f32, which the next kernel adds up;
/// - gated: silu(W x) · (W2 x) in bf16;
/// - values: W x in f32;
/// - gelu: gelu(W x + b) in bf16;
/// - halves: W x in bf16.
enum class Epilogue { parts = 0, gated = 1, values = 2, gelu = 3, halves = 4 };

struct ProductShape {
  std::int64_t k = 0;     // columns of W, the length of x
  std::int64_t rows = 0;  // rows of W
  Epilogue epilogue = Epilogue::parts;
  int bits = 16;          // bits of a weight: 16 (Storage::bf16), 8 (int8) or 4 (nf4)
  std::int64_t tail = 0;  // columns of an adapter's matrix T (step.hpp), a multiple of 32; 0: no adapter

  /// The number of weights in 64 bytes of a row, which a warp multiplies at a time.
  std::int64_t step() const { return 512 / bits; }
};

/// The macros of device/product.cu and device/wide_product.cu.
struct ProductChoice {
  bool wide = false;  // four warps multiply a tile of 64 rows together
  int columns = 8;    // columns of x that a block multiplies
  int slices = 16;    // how many of the 16 slices of each row of W a block multiplies
  bool serial = false;
  int tiles = 1;  // tiles of 16 rows that a block multiplies at once; with `wide`, of 64 rows
  int stages = 4;
  bool cluster = false;
  int copies = 0;  // copies of the table of 4-bit codes in shared memory

  /// The number of partial sums of each result, which the next kernel adds up.
  int parts() const { return cluster ? 1 : 16 / slices; }
  int warps() const { return wide ? 4 * tiles : slices / (serial ? 4 : 1) * tiles; }
  /// Rows of W that a block multiplies at once.
  std::int64_t rows_at_once(const ProductShape& shape) const {
    return (wide ? 64 : 16) * tiles / (shape.epilogue == Epilogue::gated ? 2 : 1);
  }
  /// The bytes of shared memory of a block. Both kernels check that their own formulas give the same number.
  std::int64_t shared_bytes(const ProductShape& shape) const;
  bool operator==(const ProductChoice&) const = default;
};

/// Returns the macros for up to `columns` columns on this GPU. With Epilogue::parts a product is split so
/// that every multiprocessor has the same work. With another epilogue, a block or a cluster of four blocks
/// computes whole rows. Throws std::runtime_error when nothing fits into the GPU's shared memory.
ProductChoice choose_product(const ProductShape& shape, std::int64_t columns, const Gpu& gpu);

/// Returns a grid with as many blocks as the GPU can run at the same time, or fewer if there are rows for
/// fewer blocks only.
Kernel::Grid grid_of(const ProductShape& shape, const ProductChoice& choice, const Kernel& kernel,
                     std::int64_t columns, const Gpu& gpu);

KernelSource product_source(const ProductShape& shape, const ProductChoice& choice);

}  // namespace trl::runtime::decode
