#pragma once
// The order in which a launch's programs run.
#include <bit>
#include <cstdint>

namespace trl::executor {

/// A permutation of 0 … count − 1, chosen by a seed; seed 0 gives the identity. The permutation is computed
/// from steps (multiplication by an odd factor, addition, xor with a shifted copy), each of which is
/// invertible modulo the smallest power of two that is at least `count`. A result outside the range is
/// permuted again until it is inside, which takes less than two rounds on average. `reversed` is the same
/// order from its end.
class ProgramOrder {
 public:
  ProgramOrder(std::uint64_t count, std::uint64_t seed, bool reversed = false)
      : count_(count),
        in_order_(seed == 0),
        reversed_(reversed),
        bits_(count > 1 ? std::bit_width(count - 1) : 0) {
    for (Step& step : steps_) step = {next(seed) | 1, next(seed)};
  }

  std::uint64_t operator()(std::uint64_t number) const {
    if (reversed_) number = count_ - 1 - number;
    if (in_order_) return number;
    do {
      for (const Step& step : steps_) {
        number = (number * step.factor + step.sum) & mask();
        number ^= number >> (bits_ + 1) / 2;
      }
    } while (number >= count_);
    return number;
  }

 private:
  struct Step {
    std::uint64_t factor = 1, sum = 0;
  };

  std::uint64_t mask() const { return (std::uint64_t{1} << bits_) - 1; }

  // SplitMix64 (Steele, Lea, Flood 2014).
  static std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
  }

  std::uint64_t count_;
  bool in_order_, reversed_;
  int bits_;
  Step steps_[3];
};

}  // namespace trl::executor
