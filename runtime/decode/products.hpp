// Which shape of the kernel `product` a matrix gets.
#pragma once

#include <cstdint>

#include "runtime/kernels/kernels.hpp"

namespace trl::runtime::decode {

/// The use of a product's result; the numbers are the same in device/product.cuh.
enum class Epilogue { parts = 0, gated = 1, values = 2, gelu = 3, halves = 4 };

struct ProductShape {
  std::int64_t k = 0;     // length of rows
  std::int64_t rows = 0;  // of W
  Epilogue epilogue = Epilogue::parts;
  int bits = 16;          // of a weight: 16 for bf16; 8 and 4: Storage::int8 and nf4
  std::int64_t tail = 0;  // numbers of an adapter's rows, a multiple of 32; 0: there is none

  /// Numbers of a row in 64 bytes, which a warp multiplies at a time.
  std::int64_t step() const { return 512 / bits; }
};

/// The macros of device/product.cu and device/wide_product.cu.
struct ProductChoice {
  bool wide = false;  // four warps multiply a tile of 64 rows together
  int columns = 8;    // columns that a block multiplies
  int slices = 16;    // of K in a block
  bool serial = false;
  int tiles = 1;  // beside each other; with `wide`, of 64 rows each
  int stages = 4;
  bool cluster = false;
  int copies = 0;  // of the table of codes, with 4 bits

  /// How many parts the kernel leaves for the next to add up.
  int parts() const { return cluster ? 1 : 16 / slices; }
  int warps() const { return wide ? 4 * tiles : slices / (serial ? 4 : 1) * tiles; }
  /// Rows of W that a block multiplies at once.
  std::int64_t rows_at_once(const ProductShape& shape) const {
    return (wide ? 64 : 16) * tiles / (shape.epilogue == Epilogue::gated ? 2 : 1);
  }
  /// Bytes of shared memory: the formulas of the two files, which compare it with their own.
  std::int64_t shared_bytes(const ProductShape& shape) const;
  bool operator==(const ProductChoice&) const = default;
};

/// The shape for up to `columns` columns on a GPU with so much shared memory to a block. Products whose parts
/// are added up by the next kernel are split so that every multiprocessor has the same work; the others keep
/// the whole of K in a block, or in a cluster of four. Throws std::runtime_error when nothing fits.
ProductChoice choose_product(const ProductShape& shape, std::int64_t columns, const Gpu& gpu);

/// A grid of as many blocks as the GPU takes at once, or as many as have rows if these are fewer.
Kernel::Grid grid_of(const ProductShape& shape, const ProductChoice& choice, const Kernel& kernel,
                     std::int64_t columns, const Gpu& gpu);

KernelSource product_source(const ProductShape& shape, const ProductChoice& choice);

}  // namespace trl::runtime::decode
