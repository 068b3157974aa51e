#include "base/support/feedback.hpp"

#include <gtest/gtest.h>

using namespace trl;

TEST(Feedback, NamesInBracesAreFilledAndOtherBracesStay) {
  const std::map<std::string, std::string> values = {{"task", "T"}, {"answer", "a {task} b"}, {"line", "7"}};
  EXPECT_EQ(filled("{task}|{answer}|{line}", values), "T|a {task} b|7") << "values are not looked up again";
  EXPECT_EQ(filled("{other} {} {1} { task } {task", values), "{other} {} {1} { task } {task");
  EXPECT_EQ(filled("f\"{{x}}\" {{task}}", {{"x", "1"}, {"task", "T"}}), "f\"{1}\" {T}");
  EXPECT_EQ(filled("", values), "");
}

TEST(Feedback, MentionsAreWhereTheyStand) {
  const auto found = mentions("a{task}{aB_9}{Ab}");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "task");
  EXPECT_EQ(found[0].begin, 1u);
  EXPECT_EQ(found[0].end, 7u);
  EXPECT_EQ(found[1].name, "aB_9");
  EXPECT_TRUE(mentions("x {answer}", "answer"));
  EXPECT_FALSE(mentions("x {answers}", "answer"));
}

TEST(Feedback, AMessageIsCutBetweenCharacters) {
  EXPECT_EQ(first_line("one\ntwo"), "one");
  EXPECT_EQ(first_line("aéé", 3), "aé");
  EXPECT_EQ(first_line("aéé", 4), "aé") << "the second one has its first byte within four";
  EXPECT_EQ(first_line("aéé", 2), "a");
  EXPECT_EQ(first_line(std::string(300, 'x')).size(), 200u);
}

TEST(Feedback, ALineOfAnAnswer) {
  const std::string text = "one\n  two \n\nfour";
  EXPECT_EQ(line_of(text, 1), "one");
  EXPECT_EQ(line_of(text, 2), "two");
  EXPECT_EQ(line_of(text, 3), "");
  EXPECT_EQ(line_of(text, 4), "four");
  for (const int none : {0, -1, 5, 100}) EXPECT_EQ(line_of(text, none), "");
}
