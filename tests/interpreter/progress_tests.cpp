#include "interpreter/schedule/progress.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "interpreter/wrap.hpp"

using namespace trl::interpreter;

TEST(Progress, PlainLinesWithoutATerminal) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {}, [&] { return now; });
  progress.begin(3, 10, "exam/sample");
  now = 2;
  progress.update(5, 20, "candidates");
  now = 65;
  progress.finish("kept 3");
  EXPECT_EQ(out.str(), "[3/10] exam/sample  1 min 05 s  kept 3\n");
}

TEST(Progress, OneLiveLineOnATerminal) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.terminal = true, .colour = false, .width = 100}, [&] { return now; });
  progress.begin(3, 10, "exam/sample");
  now = 2;
  progress.update(5, 20, "candidates");
  EXPECT_EQ(out.str().find('\n'), std::string::npos);
  EXPECT_NE(out.str().find("[3/10] ###......... 5/20 candidates, 2.5/s, 6 s left  exam/sample"),
            std::string::npos)
      << out.str();
  EXPECT_EQ(out.str().find("\x1b[36m"), std::string::npos);
}

TEST(Duration, ReadsWell) {
  EXPECT_EQ(duration_text(3.4), "3 s");
  EXPECT_EQ(duration_text(125), "2 min 05 s");
  EXPECT_EQ(duration_text(4020), "1 h 07 min");
}

TEST(Wrapped, BreaksBetweenWordsAndCountsCodePoints) {
  EXPECT_EQ(wrapped("one two three", 2, 7), "one two\n  three");
  EXPECT_EQ(wrapped("a-word-that-is-long no", 0, 6), "a-word-that-is-long\nno");
  EXPECT_EQ(wrapped("ab…d efgh", 0, 9), "ab…d efgh");
  EXPECT_EQ(wrapped("kept\nlines\n", 2, 80), "kept\nlines\n");
  EXPECT_EQ(wrapped("", 2), "");
}
