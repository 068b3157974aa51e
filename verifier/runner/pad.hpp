#pragma once
// A one-time pad that hides data on the GPU from kernels that run there.

namespace trl::runner {

/// Returns the 64-bit word at index `number` of the pad that belongs to `key`: SplitMix64 (Steele, Lea and
/// Flood, OOPSLA 2014). Host and GPU compute the same words.
constexpr unsigned long long pad(unsigned long long key, unsigned long long number) {
  unsigned long long z = key + (number + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

}  // namespace trl::runner
