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

TEST(Progress, WhatAnEarlierRunHasDoneIsNoPartOfTheRate) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.terminal = true, .colour = false, .width = 100}, [&] { return now; });
  progress.begin(3, 10, "imitate/finetune");
  progress.resume(60, 100, "steps");
  EXPECT_NE(out.str().find("[3/10] imitate/finetune  goes on after 60 of 100 steps\n"), std::string::npos)
      << out.str();
  now = 2;
  progress.update(70, 100, "steps");
  EXPECT_NE(out.str().find("70/100 steps, 5.0/s, 6 s left"), std::string::npos) << out.str();
}

TEST(Progress, ShowsLossAndRewardBesideTheForecast) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.terminal = true, .colour = false, .width = 120, .quiet = false},
                    [&] { return now; });
  ProgressSnapshot told;
  progress.observe([&](const ProgressSnapshot& snapshot) { told = snapshot; });
  progress.begin(3, 10, "reinforce/round 2/finetune", 60);
  progress.metric("reward", 0.4124);
  progress.metric("loss", 1.2);
  progress.metric("tokens_per_second", 99);
  now = 2;
  progress.update(5, 20, "steps");
  EXPECT_NE(out.str().find("2.5/s, 6 s left, loss 1.200, mean reward 0.412  reinforce/round 2/finetune"),
            std::string::npos)
      << out.str();
  EXPECT_EQ(told.metrics,
            (std::map<std::string, double>{{"loss", 1.2}, {"reward", 0.4124}, {"tokens_per_second", 99}}));
  out.str("");
  Progress plain(out, {}, [&] { return now; });
  plain.begin(3, 10, "reinforce/round 2/finetune");
  plain.metric("loss", 0.5);
  now = 40;
  plain.update(5, 20, "steps");
  EXPECT_EQ(out.str(), "[3/10] 5/20 steps, 0.1/s, 1 min 54 s left, loss 0.500  reinforce/round 2/finetune\n");
  progress.begin(4, 10, "exam/sample");
  EXPECT_EQ(out.str().find("loss", out.str().size() - 20), std::string::npos) << "another stage has none yet";
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
