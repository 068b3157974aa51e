#include "interpreter/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "language/formulas/draw_key.hpp"
#include "runtime/random.hpp"

using trl::interpreter::RandomStream;

TEST(RandomStream, IsTheRuntimesToTheBit) {
  for (const char* text : {"1/draw/level1/1/0", "abc", ""}) {
    RandomStream ours(text);
    trl::runtime::RandomStream theirs(text);
    EXPECT_EQ(ours.key(), trl::runtime::random_key(text).value);
    EXPECT_EQ(ours.key(), trl::language::draw_key(text));
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(ours.uniform(), theirs.uniform());
      EXPECT_EQ(ours.below(17), theirs.below(17));
    }
  }
}

TEST(RandomStream, TheLanguagesKeyIsTheSameForTextsOfEveryLength) {
  std::string text;
  for (int length = 0; length < 200; ++length, text += static_cast<char>('a' + length % 26))
    EXPECT_EQ(RandomStream(text).key(), trl::language::draw_key(text)) << length;
}

TEST(RandomStream, ShufflesEveryThingOnce) {
  std::vector<int> items = {1, 2, 3, 4, 5, 6, 7};
  RandomStream("x").shuffle(items);
  EXPECT_NE(items, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
  std::sort(items.begin(), items.end());
  EXPECT_EQ(items, (std::vector<int>{1, 2, 3, 4, 5, 6, 7}));
}
