#include <gtest/gtest.h>

#include "base/support/shell_word.hpp"

namespace trl {
namespace {

TEST(ShellWord, IsQuotedOnlyWhereAShellWouldReadItOtherwise) {
  EXPECT_EQ(shell_word("reinforce.rounds=1"), "reinforce.rounds=1");
  EXPECT_EQ(shell_word("runs/a-b_c.trl"), "runs/a-b_c.trl");
  EXPECT_EQ(shell_word("exam.split=level1[1..4] + level2"), "'exam.split=level1[1..4] + level2'");
  EXPECT_EQ(shell_word("a'b"), "'a'\\''b'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("~/a"), "'~/a'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace trl
