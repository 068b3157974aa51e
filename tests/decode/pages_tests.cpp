#include "runtime/decode/pages.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/decode/prompts.hpp"
#include "runtime/model/quantise.hpp"

namespace trl::runtime::decode {
namespace {

TEST(Pages, AreFreeWhenTheLastLetsGo) {
  Pages pages(3);
  EXPECT_EQ(pages.free(), 3);
  const auto a = pages.take(), b = pages.take();
  EXPECT_NE(a, b);
  pages.hold(a);
  pages.let_go(a);
  EXPECT_EQ(pages.free(), 1) << "one still holds it";
  pages.let_go(a);
  EXPECT_EQ(pages.free(), 2);
  std::set<std::int32_t> others = {pages.take(), pages.take(), b};
  EXPECT_EQ(others.size(), 3U);
  EXPECT_EQ(pages.free(), 0);
}

TEST(Prompts, AreReadInBlocksThatTheirLengthAloneDecides) {
  for (std::int64_t length = 1; length < 40000; length += 37) {
    const auto rows = rows_of_block(length);
    EXPECT_GE(rows, length);
    EXPECT_TRUE(length <= 256 || rows >= 2 * length) << length;
    EXPECT_EQ(rows & (rows - 1), 0) << "a power of two";
  }
}

TEST(Quantise, RowsAreRoundedToTheNearestAndPackedForProducts) {
  at::manual_seed(3);
  auto weight = at::randn({5, 192});
  weight[2].zero_();
  const auto rows = quantise_rows(weight);
  EXPECT_EQ(rows.values.abs().max().item<int>(), 127);
  EXPECT_TRUE(at::equal(rows.scale[2], at::zeros({})));
  const auto error = (dequantise(rows, at::kFloat) - weight).abs();
  EXPECT_TRUE((error <= rows.scale.unsqueeze(1) * 0.5001).all().item<bool>());
  const auto packed = pack_for_products(rows.values);
  EXPECT_TRUE(at::equal(unpack_from_products(packed), rows.values));
  // Byte 16 t + i of a block of 64 is number 8 t + i, for i below 8, and 32 + 8 t + i - 8 from there on.
  for (std::int64_t t = 0; t < 4; ++t) {
    for (std::int64_t i = 0; i < 16; ++i) {
      const auto number = 64 + 8 * t + (i < 8 ? i : 24 + i);
      EXPECT_EQ(packed[1][64 + 16 * t + i].item<int>(), rows.values[1][number].item<int>() + 128);
    }
  }
}

}  // namespace
}  // namespace trl::runtime::decode
