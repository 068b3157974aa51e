#include <gtest/gtest.h>

#include "verifier/executor/launch/memory.hpp"

namespace trl::executor {
namespace {

constexpr std::byte one{1};

TEST(Memory, UnwrittenBytesAreKnown) {
  Memory memory;
  const int temporary = memory.add_unwritten("temporary", 8);
  EXPECT_FALSE(memory.all_written(temporary, 0, 8));
  const std::vector<std::byte> four(4, one);
  EXPECT_TRUE(memory.write(temporary, 4, four));
  EXPECT_TRUE(memory.all_written(temporary, 4, 4));
  EXPECT_FALSE(memory.all_written(temporary, 3, 4));
}

TEST(Memory, CopiesKeepWhatIsUnwritten) {
  Memory memory;
  const int from = memory.add_unwritten("from", 8);
  const int to = memory.add_buffer("to", std::vector<std::byte>(8, one), true);
  memory.write(from, 0, std::vector<std::byte>(4, one));
  EXPECT_TRUE(memory.copy(to, 0, from, 0, 8));
  EXPECT_TRUE(memory.all_written(to, 0, 4));
  EXPECT_FALSE(memory.all_written(to, 4, 4));
}

TEST(Memory, RefusesWhatLiesOutside) {
  Memory memory;
  const int buffer = memory.add_unwritten("buffer", 8);
  const std::vector<std::byte> four(4, one);
  EXPECT_FALSE(memory.write(buffer, 5, four));
  EXPECT_FALSE(memory.write(buffer, -1, four));
  EXPECT_FALSE(memory.write(7, 0, four));
  EXPECT_FALSE(memory.copy(buffer, 0, buffer, INT64_MAX, 4));
  EXPECT_FALSE(memory.copy(buffer, 0, buffer, 0, -1));
  EXPECT_FALSE(memory.all_written(buffer, 0, INT64_MAX));
  EXPECT_TRUE(memory.write(buffer, 8, {}));
}

}  // namespace
}  // namespace trl::executor
