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

// As many stages as fit, with `beside` blocks to a multiprocessor: they hide the latency of memory.
bool fit(ProductChoice& choice, const ProductShape& shape, const Gpu& gpu, int fewest = kFewestStages,
         int beside = 1) {
  // A kilobyte of each block is the system's.
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

// How many tiles a block takes at once, `most` or fewer, so that blocks, one to a multiprocessor, have as
// even a share of all tiles as can be; more where it makes no difference. `splits` blocks share a tile.
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

// Four warps at a time: where there are many columns, and rows that are worth it. As many groups of warps as
// leave the most bytes under way.
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
  choice.columns = columns <= 8 ? 8 : columns <= 16 ? 16 : columns <= 32 ? 32 : 64;
  const auto tiles = (shape.rows + 15) / 16;
  for (;; choice.columns /= 2) {
    if (choice.columns < 8)
      throw std::runtime_error("a matrix with rows of " + std::to_string(shape.k) +
                               " numbers doesn't fit into shared memory");
    if (shape.epilogue == Epilogue::parts) {
      // Short rows: a quarter of K in each block, of four warps, so that several blocks share a
      // multiprocessor: as many as give every multiprocessor the same share of tiles.
      choice.slices = 4;
      choice.serial = true;
      const auto all_at_once =
          std::max(4, static_cast<int>((4 * tiles + gpu.multiprocessors - 1) / gpu.multiprocessors));
      if (choice.columns > 16) {
        choice.tiles = balanced_tiles(tiles, 4, 6, 12, gpu);
        if (shape.k <= 8192 && fit(choice, shape, gpu, 5)) return choice;
      } else if (shape.k <= 8192 && all_at_once <= 14) {
        // Few rows: a warp for each tile's quarter, so that most weights are there when x is.
        choice.tiles = all_at_once;
        if (fit(choice, shape, gpu, 5)) return choice;
      } else if (shape.k <= 8192) {
        choice.serial = false;
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
        if (least > 0) return best;
        if (fit(choice, shape, gpu, 5)) return choice;
      }
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
    if (shape.epilogue == Epilogue::halves) {
      // A few rows: as many blocks as can be.
      choice.columns = std::min(choice.columns, 16);
      choice.slices = 4;
      choice.cluster = true;
      if (fit(choice, shape, gpu)) return choice;
      choice.cluster = false;
      choice.slices = 16;
    }
    if (choice.columns <= 16 || shape.k <= 512) {
      // Few bits: a tile is read so quickly that adding up sixteen slices would take as long.
      if (shape.bits < 16) {
        choice.serial = true;
        const auto all = shape.epilogue == Epilogue::gated ? 2 * tiles : tiles;
        for (int most = 4; most > 1; --most) {
          choice.tiles = balanced_tiles(all, 1, 2, most, gpu);
          if (fit(choice, shape, gpu, 5)) return choice;
        }
        choice.serial = false;
        choice.tiles = 1;
      }
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
  Source source{choice.wide ? "wide_product.cu" : "product.cu",
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
