// Counter-based random numbers, defined in docs/seams.md ("Randomness"). runtime/random, which doesn't link
// the interpreter, is a copy; a test in tests/interpreter compares the two.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace trl::interpreter {

/// The stream of random numbers that belongs to a text: "{seed}/{purpose}/{task key}/{round}/{sample}".
class RandomStream {
 public:
  explicit RandomStream(std::string_view text);

  /// Uniform in [0, 1).
  double uniform();
  /// Uniform in 0..n-1; n > 0. The bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n);

  /// Shuffles by Fisher and Yates' method.
  template <typename T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  std::uint64_t key() const { return key_; }

 private:
  std::array<std::uint32_t, 4> next();

  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace trl::interpreter
