#pragma once
// The order in which a scan combines its elements.
#include <cstdint>

namespace trl::executor {

/// A set of independent steps of a scan: each of the `count` elements at positions i = first, first + stride,
/// … is replaced by combine(element at i − distance, element at i).
struct ScanRound {
  std::int64_t first, stride, count, distance;
};

/// Calls `round` with each round of an inclusive scan over `length` elements. With `step` > 1 (in the
/// recursion) only the last element of every `step` elements is scanned. First each `run` of elements is
/// scanned one element after the other, as a GPU's thread scans its own elements; then the runs' last
/// elements are scanned by the same method, as threads and warps exchange them; then the total of the
/// preceding runs is added to the elements of each run. The result is right for every associative operation,
/// commutative or not, and with runs of 16 a sum over n elements is rounded about 16·log16(n) times, as on a
/// GPU, rather than n times. The function calls only `round`, so the vector kernels may use it with a local
/// function.
template <typename Round>
void scan_rounds(std::int64_t length, std::int64_t run, const Round& round, std::int64_t step = 1) {
  const std::int64_t elements = length / step;
  for (std::int64_t t = 1; t < run && t < elements; ++t)
    round(ScanRound{(t + 1) * step - 1, run * step, (elements - t + run - 1) / run, step});
  if (elements <= run) return;
  scan_rounds(length, run, round, run * step);
  for (std::int64_t t = 0; t + 1 < run && run + t < elements; ++t)
    round(ScanRound{(run + t + 1) * step - 1, run * step, (elements - run - t + run - 1) / run,
                    (t + 1) * step});
}

}  // namespace trl::executor
