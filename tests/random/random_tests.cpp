#include "runtime/random.hpp"

#include <gtest/gtest.h>

#include <vector>

using namespace trl::runtime;

// Known answers of the authors' Random123 distribution, kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, MatchesThePublishedVectorForZeroKeyAndCounter) {
  const std::array<std::uint32_t, 4> expected = {0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u};
  EXPECT_EQ(philox(RandomKey{0}, 0), expected);
}

TEST(RandomKey, IsTheFirstEightBytesOfSha256) {
  // SHA-256("abc") = ba7816bf 8f01cfea …
  EXPECT_EQ(random_key("abc").value, 0xeacf018fbf1678baull);
}

TEST(RandomStream, BelowCoversItsRangeEvenly) {
  RandomStream stream("1/test");
  std::vector<int> counts(7);
  for (int i = 0; i < 7000; ++i) ++counts[stream.below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(RandomStream, NormalHasUnitVariance) {
  RandomStream stream("2/test");
  double sum = 0, squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double x = stream.normal();
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.04);
}
