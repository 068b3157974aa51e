// Which shape of the kernel `product` a matrix gets.
#pragma once

#include <cstdint>

#include "runtime/decode/kernels.hpp"

namespace trl::runtime::decode {

/// What becomes of a product; the numbers are those of device/product.cu.
enum class Epilogue { parts = 0, gated = 1, values = 2, gelu = 3 };

struct ProductShape {
  std::int64_t k = 0;     // length of rows
  std::int64_t rows = 0;  // of W
  Epilogue epilogue = Epilogue::parts;
  int bits = 16;  // of a weight: 16 for bf16, 8 for whole numbers with a scale for each row

  /// Numbers of a row in 64 bytes, which a warp multiplies at a time.
  std::int64_t step() const { return bits == 8 ? 64 : 32; }
};

/// The macros of device/product.cu.
struct ProductChoice {
  int columns = 8;  // that a block multiplies
  int slices = 16;  // of K in a block
  bool serial = false;
  int tiles = 1;
  int stages = 4;
  bool cluster = false;

  /// How many parts the kernel leaves for the next to add up.
  int parts() const { return cluster ? 1 : 16 / slices; }
  /// Bytes of shared memory: the formula of device/product.cu, which compares it with its own.
  std::int64_t shared_bytes(const ProductShape& shape) const;
  bool operator==(const ProductChoice&) const = default;
};

/// The shape for up to `columns` columns on a GPU with so much shared memory to a block. Products whose parts
/// are added up by the next kernel are split so that every multiprocessor has the same work; the others keep
/// the whole of K in a block, or in a cluster of four. Throws std::runtime_error when nothing fits.
ProductChoice choose_product(const ProductShape& shape, std::int64_t columns, const Gpu& gpu);

/// From so many columns on, a feed-forward layer's products leave parts, which `gate` adds up.
inline constexpr std::int64_t kColumnsForParts = 17;

Source product_source(const ProductShape& shape, const ProductChoice& choice);

}  // namespace trl::runtime::decode
