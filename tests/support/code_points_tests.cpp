#include "base/support/code_points.hpp"

#include <gtest/gtest.h>

namespace trl {
namespace {

TEST(CodePoints, CuttingNeverPartsOne) {
  EXPECT_EQ(cut_to("", 1), "");
  EXPECT_EQ(cut_to("abc", 3), "abc");
  EXPECT_EQ(cut_to("abcd", 3), "ab…");
  EXPECT_EQ(cut_to("äöü", 3), "äöü");
  EXPECT_EQ(cut_to("äöüß", 3), "äö…");
  EXPECT_EQ(cut_to("日本語", 2), "日…");
  EXPECT_EQ(cut_to("日本", 1), "…");
  for (std::size_t most = 1; most < 12; ++most) EXPECT_LE(code_points(cut_to("aä日𝄞bö本x𝄞y", most)), most);
}

}  // namespace
}  // namespace trl
