#include "runtime/decode/pages.hpp"

#include <gtest/gtest.h>

#include <set>

#include "runtime/decode/prompts.hpp"

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

}  // namespace
}  // namespace trl::runtime::decode
