#include "runtime/decode/products.hpp"

#include <algorithm>
#include <stdexcept>

namespace trl::runtime::decode {
namespace {

constexpr std::int64_t kSlices = 16;
constexpr int kMostStages = 16, kFewestStages = 3;

std::int64_t first_step(const ProductShape& shape, std::int64_t slice) {
  return slice * (shape.k / shape.step()) / kSlices;
}

// Sets as many stages as fit if `beside` blocks share a multiprocessor; stages hide the latency of memory.
// Returns false if fewer than `fewest` fit.
bool fit(ProductChoice& choice, const ProductShape& shape, const Gpu& gpu, int fewest = kFewestStages,
         int beside = 1) {
  // The system takes a kilobyte of each block's shared memory.
  const std::int64_t room = beside == 1 ? gpu.shared_memory : (gpu.shared_memory + 1024) / beside - 1024;
  for (const int copies : shape.bits == 4 ? std::vector{32, 8} : std::vector{0}) {
    choice.copies = copies;
    for (choice.stages = kMostStages; choice.stages >= (copies == 32 ? std::max(fewest, 4) : fewest);
         --choice.stages) {
      if (choice.shared_bytes(shape) <= room) return true;
    }
  }
  return false;
}

std::int64_t rounded_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit * unit; }

// Returns how many tiles a block takes at once: from `fewest` to `most`, chosen so that the blocks, one to a
// multiprocessor, have as even a share of all tiles as possible, and the largest such number. `splits` blocks
// share a tile.
int balanced_tiles(std::int64_t tiles, int splits, int fewest, int most, const Gpu& gpu) {
  int best = most;
  std::int64_t least = 0;
  for (int count = most; count >= fewest; --count) {
    const auto units = rounded_up(tiles, count) / count * splits;
    const auto rounds = (units + gpu.multiprocessors - 1) / gpu.multiprocessors;
    if (least == 0 || rounds * count < least) {
      least = rounds * count;
      best = count;
    }
  }
  return best;
}

// Chooses products by four warps at a time, which are for many columns. Returns false if the GPU has no such
// kernel, there are too few columns, rows are too short, the epilogue doesn't allow it, or none fits. Three
// groups hide each other's waits, unless two groups leave room for much deeper rings.
bool choose_wide(ProductChoice& choice, const ProductShape& shape, std::int64_t columns, const Gpu& gpu) {
  const bool parts = shape.epilogue == Epilogue::parts;
  if (gpu.capability != 90 || columns <= (parts ? 32 : 16) || shape.k < 768) return false;
  if (shape.epilogue == Epilogue::halves) return false;
  for (const int width : columns <= 32 ? std::vector{32} : std::vector{64, 32}) {
    for (const int slices : parts ? std::vector{4, 1} : std::vector{4}) {
      for (const int groups : {3, 2}) {
        choice = {true, width, slices, false, groups, 0, !parts, 0};
        if (fit(choice, shape, gpu, groups == 2 ? kFewestStages : parts ? 8 : 4)) return true;
      }
    }
  }
  choice = {};
  return false;
}

// All other products: each warp works alone, and a block has `choice.columns` columns.

// Chooses a kernel that leaves parts, which the next kernel adds up. Returns false if none fits.
bool choose_parts(ProductChoice& choice, const ProductShape& shape, const Gpu& gpu) {
  const auto tiles = (shape.rows + 15) / 16;
  if (shape.k <= 8192) {
    // For short rows: a quarter of K in each block.
    choice.slices = 4;
    choice.serial = choice.columns > 16;
    if (choice.serial) {
      choice.tiles = balanced_tiles(tiles, 4, 6, 12, gpu);
      if (fit(choice, shape, gpu, 5)) return true;
    } else {
      // Four warps, so that several blocks share a multiprocessor; the number of blocks is chosen so that all
      // have the same share of tiles.
      choice.tiles = 1;
      ProductChoice best;
      std::int64_t least = 0;
      for (int beside = 2; beside <= 6; ++beside) {
        if (!fit(choice, shape, gpu, 5, beside)) continue;
        const auto at_once = gpu.multiprocessors * beside / 4;
        const auto work = (tiles + at_once - 1) / at_once * beside;
        if (least == 0 || work <= least) {
          least = work;
          best = choice;
        }
      }
      if (least > 0) choice = best;
      if (least > 0 || fit(choice, shape, gpu, 5)) return true;
    }
  }
  // For long rows: one slice of K in each block, and as many warps as there are rows for.
  choice.slices = 1;
  choice.serial = false;
  for (choice.tiles = static_cast<int>(std::min<std::int64_t>(14, tiles)); choice.tiles > 0; --choice.tiles) {
    if (fit(choice, shape, gpu, choice.tiles > 4 ? 5 : kFewestStages)) return true;
  }
  return false;
}

// Chooses a kernel that leaves whole sums: all of K in a block, or in a cluster of four. Returns false if
// none fits.
bool choose_whole(ProductChoice& choice, const ProductShape& shape, const Gpu& gpu) {
  const bool few_rows = shape.epilogue == Epilogue::halves;
  if (few_rows) choice.columns = std::min(choice.columns, 16);  // as many blocks as possible
  if (!few_rows && (choice.columns <= 16 || shape.k <= 512)) {
    choice.slices = 16;
    choice.cluster = false;
    if (shape.bits < 16) {
      // With few bits, a tile is read so quickly that adding up sixteen slices would take as long as reading
      // it. So a warp takes four slices.
      choice.serial = true;
      const auto tiles = (shape.rows + 15) / 16 * (shape.epilogue == Epilogue::gated ? 2 : 1);
      for (int most = 4; most > 1; --most) {
        choice.tiles = balanced_tiles(tiles, 1, 2, most, gpu);
        if (fit(choice, shape, gpu, 5)) return true;
      }
    }
    choice.serial = false;
    choice.tiles = 1;
    if (fit(choice, shape, gpu)) return true;
  }
  choice.slices = 4;
  choice.cluster = true;
  choice.serial = choice.columns > 16;
  for (choice.tiles = choice.serial ? 10 : few_rows ? 1 : 2; choice.tiles > 0; --choice.tiles) {
    if (fit(choice, shape, gpu, few_rows ? kFewestStages : 4)) return true;
  }
  return false;
}

}  // namespace

std::int64_t ProductChoice::shared_bytes(const ProductShape& shape) const {
  const auto splits = kSlices / slices;
  std::int64_t steps = 0;
  for (std::int64_t split = 0; split < splits; ++split)
    steps = std::max(steps, first_step(shape, (split + 1) * slices) - first_step(shape, split * slices));
  const std::int64_t stage = 1024 + (shape.bits == 4 ? 128 : 0), rings = warps() * stages * stage;
  const std::int64_t table = shape.bits == 4 ? 256 * copies * 4 : 0;
  if (wide) {
    const auto sent = cluster ? tiles * (4 * columns / 2 * 32 * 4 + 5 * 8) : 0;
    return (steps * shape.step() + shape.tail) / 8 * columns * 16 + rings + table + sent;
  }
  const std::int64_t tile_sums = columns * 20 * 4;
  const bool sums_in_memory = slices > (serial ? 4 : 1);
  const auto sums = sums_in_memory ? warps() * tile_sums : 0;
  const auto shares = cluster ? (sums_in_memory ? 2 : 1) * tiles * tile_sums : 0;
  const auto row = rounded_up(steps * shape.step() * 2, 128) + 64;
  const auto tail_row = shape.tail > 0 ? rounded_up(shape.tail * 2, 128) + 64 : 0;
  return columns * (row + tail_row) + rings + table + sums + shares;
}

ProductChoice choose_product(const ProductShape& shape, std::int64_t columns, const Gpu& gpu) {
  ProductChoice choice;
  if (choose_wide(choice, shape, columns, gpu)) return choice;
  for (int width = columns <= 8 ? 8 : columns <= 16 ? 16 : columns <= 32 ? 32 : 64; width >= 8; width /= 2) {
    choice = {};
    choice.columns = width;
    const bool fits = shape.epilogue == Epilogue::parts ? choose_parts(choice, shape, gpu)
                                                        : choose_whole(choice, shape, gpu);
    if (fits) return choice;
  }
  throw std::runtime_error("a matrix with rows of " + std::to_string(shape.k) +
                           " numbers doesn't fit into shared memory");
}

Kernel::Grid grid_of(const ProductShape& shape, const ProductChoice& choice, const Kernel& kernel,
                     std::int64_t columns, const Gpu& gpu) {
  Kernel::Grid grid;
  const int splits = 16 / choice.slices;
  grid.early = true;
  grid.cluster = choice.cluster ? 4 : 1;
  grid.y = static_cast<int>((columns + choice.columns - 1) / choice.columns);
  const auto at_once =
      choice.cluster ? kernel.clusters_at_once(4) * 4 : gpu.multiprocessors * kernel.blocks_at_once();
  // In wide products, each group of warps has its own rows.
  const auto rows = choice.rows_at_once(shape) / (choice.wide ? choice.tiles : 1);
  grid.x =
      static_cast<int>(std::min<std::int64_t>(at_once / splits, (shape.rows + rows - 1) / rows)) * splits;
  if (grid.x == 0) throw std::runtime_error("a kernel of decoding doesn't fit this GPU");
  return grid;
}

KernelSource product_source(const ProductShape& shape, const ProductChoice& choice) {
  const auto text = [](auto value) { return std::to_string(static_cast<long long>(value)); };
  KernelSource source{choice.wide ? "wide_product.cu" : "product.cu",
                      {{"K", text(shape.k)},
                       {"BITS", text(shape.bits)},
                       {"TAIL", text(shape.tail)},
                       {"COPIES", text(choice.copies)},
                       {"COLUMNS", text(choice.columns)},
                       {"SLICES", text(choice.slices)},
                       {"STAGES", text(choice.stages)},
                       {"SHARED_BYTES", text(choice.shared_bytes(shape))},
                       {"EPILOGUE", text(shape.epilogue)},
                       {"CLUSTER", text(choice.cluster)}}};
  source.macros[choice.wide ? "GROUPS" : "TILES"] = text(choice.tiles);
  if (!choice.wide) source.macros["SERIAL"] = text(choice.serial);
  return source;
}

}  // namespace trl::runtime::decode
