#pragma once
// The order in which a scan joins its elements.
#include <cstdint>

namespace trl::executor {

/// Joins that don't depend on each other: each element of first, first + stride, … (`count` of them) becomes
/// the element that lies `distance` before it, joined with itself.
struct ScanRound {
  std::int64_t first, stride, count, distance;
};

/// Calls `round` with the rounds of an inclusive scan over `length` elements, `step` of which are one element
/// of this level. Runs of 16 elements are scanned one element after the other, as a thread does with its own;
/// then the runs' last elements are scanned in the same way, as threads and warps exchange them; then each
/// run adds the total of the runs before it. It is right for every associative operation, also for one that
/// isn't commutative, and a sum over n elements is rounded about 16·log16(n) times rather than n times, as on
/// a GPU. It calls nothing but `round`, so the vector kernels may use it with a local function.
template <typename Round>
void scan_rounds(std::int64_t length, const Round& round, std::int64_t step = 1) {
  constexpr std::int64_t run = 16;
  const std::int64_t elements = length / step;
  for (std::int64_t t = 1; t < run && t < elements; ++t)
    round(ScanRound{(t + 1) * step - 1, run * step, (elements - t + run - 1) / run, step});
  if (elements <= run) return;
  scan_rounds(length, round, run * step);
  for (std::int64_t t = 0; t + 1 < run && run + t < elements; ++t)
    round(ScanRound{(run + t + 1) * step - 1, run * step, (elements - run - t + run - 1) / run,
                    (t + 1) * step});
}

}  // namespace trl::executor
