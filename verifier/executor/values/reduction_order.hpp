#pragma once
// The order in which a reduction with a region of its own combines its elements.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "verifier/executor/values/lowering.hpp"

namespace trl::executor {

/// The places of two elements. Their combination, combine(first, second), is stored at the first place.
struct Pair {
  std::int64_t first, second;
};

/// Calls `step` with the pairs of each step of a reduction over `length` elements; the pairs of one step
/// don't depend on each other. The last step leaves the result at place 0.
///
/// By default neighbours are joined, then neighbouring results, and so on, which is right for every
/// associative operation. With `lowering.as_threads`, elements are joined as on a GPU (Triton's
/// ReduceOpToLLVM): each thread joins its own elements one after the other, then the threads of a warp join
/// their results by a butterfly (16, 8, 4, 2, 1 threads apart), and last the warps. This gives a wrong result
/// if the operation isn't commutative. Elements are distributed to registers, threads and warps in this
/// order; the rest goes to registers again.
template <typename Step>
void reduction_steps(std::int64_t length, const Lowering& lowering, const Step& step) {
  std::vector<Pair> pairs;
  const auto take = [&] {
    if (!pairs.empty()) step(pairs);
    pairs.clear();
  };
  if (!lowering.as_threads || !std::has_single_bit(static_cast<std::uint64_t>(length))) {
    for (std::int64_t apart = 1; apart < length; apart *= 2, take())
      for (std::int64_t i = 0; i + apart < length; i += 2 * apart) pairs.push_back({i, i + apart});
    return;
  }
  constexpr std::int64_t most_in_a_thread = 64;
  const std::int64_t registers = std::min(lowering.registers, length);
  const std::int64_t lanes = std::min(lowering.lanes, length / registers);
  const std::int64_t warps =
      std::min(std::max(lowering.warps, length / lanes / most_in_a_thread), length / registers / lanes);
  const auto place = [&](std::int64_t held, std::int64_t lane, std::int64_t warp) {
    return ((held / registers * warps + warp) * lanes + lane) * registers + held % registers;
  };
  for (std::int64_t held = 1; held < length / lanes / warps; ++held, take())
    for (std::int64_t warp = 0; warp < warps; ++warp)
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        pairs.push_back({place(0, lane, warp), place(held, lane, warp)});
  for (std::int64_t apart = lanes / 2; apart > 0; apart /= 2, take())
    for (std::int64_t warp = 0; warp < warps; ++warp)
      for (std::int64_t lane = 0; lane < apart; ++lane)
        pairs.push_back({place(0, lane, warp), place(0, lane + apart, warp)});
  for (std::int64_t apart = warps / 2; apart > 0; apart /= 2, take())
    for (std::int64_t warp = 0; warp < apart; ++warp)
      pairs.push_back({place(0, 0, warp), place(0, 0, warp + apart)});
}

}  // namespace trl::executor
