#include "interpreter/report/column.hpp"

#include <gtest/gtest.h>

using namespace trl::interpreter;

TEST(PassAt, IsTheUnbiasedEstimate) {
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 1), 0.25);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 1), 0.5);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 3), 1.0);
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 0), 0.0);
  EXPECT_FALSE(pass_at(5, 4, 1));
}
