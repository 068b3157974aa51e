// Counter-based randomness: a draw doesn't depend on the batching, the order of draws or whether a run was
// resumed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trl {

/// The key of a stream of random numbers.
struct RandomKey {
  std::uint64_t value = 0;
};

/// Returns the key of a stream from a text that names its purpose: the first 8 bytes, little endian, of
/// SHA-256(text). Sampling uses "{seed}/{purpose}/{task key}/{round}/{sample}".
RandomKey random_key(std::string_view text);

/// Like `random_key`, but only those who know the secret can compute the key: returns the first 8 bytes,
/// little endian, of HMAC-SHA256(secret, text).
RandomKey secret_key(std::string_view secret, std::string_view text);

/// Returns 32 random bytes of the operating system as 64 hexadecimal digits. Throws UserError when the system
/// has none.
std::string random_secret();

/// Computes random bits from key and counter by Philox 4×32 with 10 rounds (Salmon et al., "Parallel random
/// numbers: as easy as 1, 2, 3", 2011). The counter's lowest word comes first.
std::array<std::uint32_t, 4> philox(RandomKey key, const std::array<std::uint32_t, 4>& counter);
/// Like `philox` above, with a counter whose upper two words are 0.
std::array<std::uint32_t, 4> philox(RandomKey key, std::uint64_t counter);

/// Returns a uniform number in [0, 1), made of the top 24 bits of Philox's first word.
double uniform(RandomKey key, std::uint64_t counter);

/// A sequence of random numbers from one key, for code without a natural counter (shuffling, generating a
/// corpus).
class RandomStream {
 public:
  explicit RandomStream(RandomKey key) : key_(key) {}
  explicit RandomStream(std::string_view text) : key_(random_key(text)) {}

  double uniform();
  /// Returns a uniform integer from 0 to n - 1; n > 0. The bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n);
  /// Returns a standard normal number (Box–Muller).
  double normal();
  /// Shuffles items by the Fisher–Yates algorithm.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  RandomKey key_;
  std::uint64_t counter_ = 0;
};

}  // namespace trl
