#pragma once
// Choices that TTIR leaves to the compiler.
#include <cstdint>

namespace trl::executor {

/// One way in which a compiler may carry out operations that TTIR doesn't define completely: the order in
/// which a reduction or scan joins elements, the places of elements in a block that may be reordered, and
/// whether a product and a sum are rounded once or twice.
struct Lowering {
  /// Whether `a * b + c` is rounded once.
  bool contracts = false;
  /// Whether elements are joined and reordered as threads of a GPU do. False: a reduction joins neighbours,
  /// then neighbouring results, and so on, and no block is reordered.
  bool as_threads = false;
  /// The number of consecutive elements that a thread holds, and the numbers of threads of a warp and of
  /// warps along a reduction's axis, if the axis is long enough.
  std::int64_t registers = 1, lanes = 1, warps = 1;
  /// The number of elements that a scan joins one after the other.
  std::int64_t run = 16;
  /// Elements of a block that may be reordered are numbered; the bits of each number are rotated by this many
  /// places.
  int rotation = 0;

  static constexpr std::uint64_t contraction = 1;  ///< the bit of a key that says `contracts`
  /// The bit of a key that decides between one element per thread and several. Keys that differ in this bit
  /// give different orders for every reduction of at least 4 elements.
  static constexpr std::uint64_t several_registers = 2;

  /// Returns the choices that a key stands for. Key 0 stands for the members' initial values.
  static Lowering of(std::uint64_t key) {
    Lowering one;
    one.contracts = (key & contraction) != 0;
    one.as_threads = key > contraction;
    if (!one.as_threads) return one;
    const bool several = (key & several_registers) != 0;
    const auto pick = [key](int shift, const std::int64_t(&from)[4]) { return from[key >> shift & 3]; };
    one.registers = several ? pick(2, {4, 4, 2, 8}) : 1;
    one.lanes = pick(4, {32, 32, 16, 8});
    one.warps = pick(6, {1, 2, 4, 8});
    one.run = several ? 4 : 2;
    one.rotation = static_cast<int>(1 + (key >> 8) % 5);
    return one;
  }
};

}  // namespace trl::executor
