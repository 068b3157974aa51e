// Counter-based randomness: a draw doesn't depend on the batching, the order of draws or whether a run was
// resumed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace trl::runtime {

/// Names one stream of draws.
struct RandomKey {
  std::uint64_t value = 0;
};

/// The key of a purpose: the first 8 bytes, little endian, of SHA-256(text).
/// Sampling uses "{seed}/{purpose}/{task key}/{round}/{sample}" (docs/seams.md, Randomness).
RandomKey random_key(std::string_view text);

/// Philox 4×32 with 10 rounds (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011).
std::array<std::uint32_t, 4> philox(RandomKey key, std::uint64_t counter);

/// Uniform in [0, 1): the top 24 bits of the first word.
double uniform(RandomKey key, std::uint64_t counter);

/// Draws in sequence from one key, for code that has no natural counter (shuffles, corpus draws).
class RandomStream {
 public:
  explicit RandomStream(RandomKey key) : key_(key) {}
  explicit RandomStream(std::string_view text) : key_(random_key(text)) {}

  double uniform();
  /// Uniform in 0..n-1; n > 0. The bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n);
  /// Standard normal (Box–Muller).
  double normal();

 private:
  RandomKey key_;
  std::uint64_t counter_ = 0;
};

}  // namespace trl::runtime
