#include "runtime/decode/products.hpp"

#include <algorithm>
#include <stdexcept>

namespace trl::runtime::decode {
namespace {

constexpr std::int64_t kSlices = 16;
constexpr int kMostStages = 10, kFewestStages = 3;

std::int64_t first_step(const ProductShape& shape, std::int64_t slice) {
  return slice * (shape.k / shape.step()) / kSlices;
}

// As many stages as fit: they hide the latency of memory.
bool fit(ProductChoice& choice, const ProductShape& shape, const Gpu& gpu, int fewest = kFewestStages) {
  for (choice.stages = kMostStages; choice.stages >= fewest; --choice.stages) {
    if (choice.shared_bytes(shape) <= gpu.shared_memory) return true;
  }
  return false;
}

// How many warps, each with a tile of its own, so that the blocks of a quarter of K have as even a share of
// all tiles as can be, where a multiprocessor has one block at a time; more warps where it makes no
// difference.
int balanced_tiles(std::int64_t tiles, const Gpu& gpu) {
  int best = 12;
  std::int64_t least = 0;
  for (int count = 12; count >= 6; --count) {
    const auto units = (tiles + count - 1) / count * 4;
    const auto rounds = (units + gpu.multiprocessors - 1) / gpu.multiprocessors;
    if (least == 0 || rounds * count < least) {
      least = rounds * count;
      best = count;
    }
  }
  return best;
}

}  // namespace

std::int64_t ProductChoice::shared_bytes(const ProductShape& shape) const {
  const auto splits = kSlices / slices;
  std::int64_t steps = 0;
  for (std::int64_t split = 0; split < splits; ++split)
    steps = std::max(steps, first_step(shape, (split + 1) * slices) - first_step(shape, split * slices));
  const std::int64_t warps = serial ? tiles : std::int64_t{slices} * tiles;
  const std::int64_t tile_sums = columns * 20 * 4;
  const auto sums = slices > 1 && !serial ? warps * tile_sums : 0;
  const auto shares = cluster ? (serial ? 1 : 2) * tiles * tile_sums : 0;
  return columns * ((steps * shape.step() * 2 + 127) / 128 * 128 + 64) + warps * stages * 1024 + sums +
         shares;
}

ProductChoice choose_product(const ProductShape& shape, std::int64_t columns, const Gpu& gpu) {
  ProductChoice choice;
  choice.columns = columns <= 8 ? 8 : columns <= 16 ? 16 : columns <= 32 ? 32 : 64;
  const auto tiles = (shape.rows + 15) / 16;
  for (;; choice.columns /= 2) {
    if (choice.columns < 8)
      throw std::runtime_error("a matrix with rows of " + std::to_string(shape.k) +
                               " numbers doesn't fit into shared memory");
    if (shape.epilogue == Epilogue::parts) {
      // Short rows: a quarter of K in each block, of four warps, so that several blocks share a
      // multiprocessor.
      choice.slices = 4;
      choice.serial = choice.columns > 16;
      choice.tiles = choice.serial ? balanced_tiles(tiles, gpu) : 1;
      if (shape.k <= 8192 && fit(choice, shape, gpu, 5)) return choice;
      // Long ones: a slice in each block, and as many warps as have rows.
      choice.slices = 1;
      choice.serial = false;
      for (choice.tiles = static_cast<int>(std::min<std::int64_t>(14, tiles)); choice.tiles > 0;
           --choice.tiles) {
        if (fit(choice, shape, gpu, choice.tiles > 4 ? 5 : kFewestStages)) return choice;
      }
      continue;
    }
    choice.slices = 16;
    choice.serial = choice.cluster = false;
    choice.tiles = 1;
    if (choice.columns <= 16 || shape.k <= 512) {
      if (fit(choice, shape, gpu)) return choice;
    }
    choice.slices = 4;
    choice.cluster = true;
    choice.serial = choice.columns > 16;
    for (choice.tiles = choice.serial ? 10 : 2; choice.tiles > 0; --choice.tiles) {
      if (fit(choice, shape, gpu, 4)) return choice;
    }
    choice.cluster = false;
  }
}

Source product_source(const ProductShape& shape, const ProductChoice& choice) {
  const auto text = [](auto value) { return std::to_string(static_cast<long long>(value)); };
  return {"product.cu",
          {{"K", text(shape.k)},
           {"BITS", text(shape.bits)},
           {"COLUMNS", text(choice.columns)},
           {"SLICES", text(choice.slices)},
           {"SERIAL", text(choice.serial)},
           {"TILES", text(choice.tiles)},
           {"PER_WARP", "1"},
           {"STAGES", text(choice.stages)},
           {"SHARED_BYTES", text(choice.shared_bytes(shape))},
           {"EPILOGUE", text(shape.epilogue)},
           {"CLUSTER", text(choice.cluster)}}};
}

}  // namespace trl::runtime::decode
