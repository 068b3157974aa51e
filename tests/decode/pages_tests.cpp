#include "runtime/decode/packing.hpp"
#include "runtime/decode/pages.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/decode/prompts.hpp"
#include "runtime/model/normal_float.hpp"
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
  const auto packed = decode::pack_bytes(rows.values);
  EXPECT_TRUE(at::equal(decode::unpack_bytes(packed), rows.values));
  // Byte 16 t + i of a block of 64 is number 8 t + i, for i below 8, and 32 + 8 t + i - 8 from there on.
  for (std::int64_t t = 0; t < 4; ++t) {
    for (std::int64_t i = 0; i < 16; ++i) {
      const auto number = 64 + 8 * t + (i < 8 ? i : 24 + i);
      EXPECT_EQ(packed[1][64 + 16 * t + i].item<int>(), rows.values[1][number].item<int>() + 128);
    }
  }
}

TEST(Quantise, CodesAreTheNearestValuesAndPackedForProducts) {
  at::manual_seed(4);
  auto weight = at::randn({5, 256});
  weight[2].narrow(0, 64, 64).zero_();
  // Halfway between two values, it is the lower one.
  weight[3].narrow(0, 0, 64).copy_(at::full({64}, (kNormalFloats[9] + kNormalFloats[10]) / 2));
  weight[3][0] = 1;
  const auto blocks = quantise_blocks(weight);
  EXPECT_TRUE(at::equal(blocks.scale, std::get<0>(weight.abs().view({5, 4, 64}).max(2))));
  const auto found = dequantise(blocks, at::kFloat);
  for (std::int64_t row = 0; row < 5; ++row) {
    for (std::int64_t i = 0; i < 256; ++i) {
      const auto scale = blocks.scale[row][i / 64].item<float>(), number = weight[row][i].item<float>();
      float nearest = scale;
      for (const auto value : kNormalFloats) nearest = std::min(nearest, std::abs(value * scale - number));
      EXPECT_LE(std::abs(found[row][i].item<float>() - number), nearest + 1e-6F) << row << " " << i;
    }
  }
  EXPECT_EQ(blocks.codes[3][5].item<int>(), 9);
  const auto packed = decode::pack_codes(blocks.codes);
  EXPECT_TRUE(at::equal(decode::unpack_codes(packed), blocks.codes));
  // The lower half of byte 16 t + 4 h + i of a block of 128 is number 32 h + 8 t + 2 i, the upper half the
  // next.
  for (std::int64_t t = 0; t < 4; ++t) {
    for (std::int64_t h = 0; h < 4; ++h) {
      for (std::int64_t i = 0; i < 4; ++i) {
        const auto number = 128 + 32 * h + 8 * t + 2 * i;
        EXPECT_EQ(packed[1][64 + 16 * t + 4 * h + i].item<int>(),
                  blocks.codes[1][number].item<int>() + 16 * blocks.codes[1][number + 1].item<int>());
      }
    }
  }
}

}  // namespace
}  // namespace trl::runtime::decode
