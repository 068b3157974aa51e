#include "base/support/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace trl {
namespace {

using Words = std::array<std::uint32_t, 4>;

// Known answers of the authors' Random123 distribution, kat_vectors, philox4x32 with 10 rounds.
TEST(Philox, MatchesThePublishedVectors) {
  constexpr std::uint32_t ones = 0xffffffffu;
  EXPECT_EQ(philox(RandomKey{0}, Words{}), (Words{0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u}));
  EXPECT_EQ(philox(RandomKey{~std::uint64_t{0}}, Words{ones, ones, ones, ones}),
            (Words{0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu}));
  EXPECT_EQ(philox(RandomKey{0x299f31d0a4093822u}, Words{0x243f6a88u, 0x85a308d3u, 0x13198a2eu, 0x03707344u}),
            (Words{0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u}));
}

TEST(Philox, CountsInTheLowerTwoWords) {
  EXPECT_EQ(philox(RandomKey{0}, 0), philox(RandomKey{0}, Words{}));
  EXPECT_EQ(philox(random_key("abc"), 0x1'0000'0007u),
            (Words{0x92e59d29u, 0x3eb3d367u, 0x0339b812u, 0x4a444fb1u}));
}

TEST(RandomKey, IsTheFirstEightBytesOfSha256) {
  // SHA-256("abc") = ba7816bf 8f01cfea …
  EXPECT_EQ(random_key("abc").value, 0xeacf018fbf1678bau);
  EXPECT_EQ(random_key("").value, 0x141cfc9842c4b0e3u);
}

TEST(RandomKey, UnderASecretIsTheFirstEightBytesOfItsHmac) {
  EXPECT_EQ(secret_key("secret", "seal/original").value, 0x58573717e51669b4u);
  EXPECT_NE(secret_key("other", "seal/original").value, secret_key("secret", "seal/original").value);
}

TEST(RandomSecret, IsAnotherEachTime) {
  const std::string secret = random_secret();
  EXPECT_EQ(secret.size(), 64u);
  EXPECT_EQ(secret.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(secret, random_secret());
}

// What stored results were drawn with: computed from docs/interfaces.md by another program.
TEST(RandomStream, DrawsWhatItAlwaysDrew) {
  struct Known {
    const char* text;
    std::uint64_t key;
    Words first;
    std::vector<std::uint64_t> below_17, below_million;
  };
  const Known all[] = {{"1/draw/level1/1/0",
                        0x9ff02723ffbbf0d4u,
                        {0xef701c6cu, 0x70c5e4c1u, 0xc0f5acbfu, 0x09ea39a7u},
                        {15, 11, 12, 0, 6, 11},
                        {935304, 704806, 759307, 15206, 399239, 656265}},
                       {"abc",
                        0xeacf018fbf1678bau,
                        {0x2eae8ccfu, 0xcf16bc0cu, 0x6e958f1cu, 0xf6141065u},
                        {3, 16, 3, 12, 1, 5},
                        {182350, 942410, 214288, 708838, 61992, 332867}},
                       {"",
                        0x141cfc9842c4b0e3u,
                        {0x1ff80bf9u, 0x7f3af089u, 0xf154afa7u, 0xc5c5e95fu},
                        {2, 6, 7, 12, 0, 15},
                        {124878, 377612, 453371, 735685, 11407, 890303}}};
  for (const Known& known : all) {
    const RandomKey key = random_key(known.text);
    EXPECT_EQ(key.value, known.key) << known.text;
    EXPECT_EQ(philox(key, 0), known.first) << known.text;
    RandomStream small(known.text), large(key), uniforms(key);
    for (std::size_t i = 0; i < known.below_17.size(); ++i) {
      EXPECT_EQ(small.below(17), known.below_17[i]) << known.text << " " << i;
      EXPECT_EQ(large.below(1'000'000), known.below_million[i]) << known.text << " " << i;
      EXPECT_EQ(uniforms.uniform(), uniform(key, i)) << known.text << " " << i;
    }
    EXPECT_EQ(uniform(key, 0), (known.first[0] >> 8) / 16777216.0) << known.text;
  }
}

TEST(RandomStream, DrawsKnownNormalNumbers) {
  RandomStream stream("abc");
  for (const double known : {0.667719436047848, -0.3161876484659029, 1.3755679384593393})
    EXPECT_NEAR(stream.normal(), known, 1e-14);
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

TEST(RandomStream, ShufflesAsItAlwaysDid) {
  std::vector<int> items = {1, 2, 3, 4, 5, 6, 7};
  RandomStream("x").shuffle(items);
  EXPECT_EQ(items, (std::vector<int>{7, 6, 4, 2, 5, 3, 1}));
}

}  // namespace
}  // namespace trl
