// Sets of tasks: what an expression selects, and its errors.
#include <gtest/gtest.h>

#include "base/support/random.hpp"
#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

/// The tasks of `split s = …`, or its findings.
std::string selected(const std::string& expression) {
  const Checked checked =
      test::check_text("import example\nimport windtunnel as wind\nsplit s = " + expression +
                       "\nmodel m { weights = wind.base }\ntrain t : example.reinforce { tasks = s }\n"
                       "evaluation x : example.exam { split = wind.pairs }\n"
                       "experiment e : example.study { model = m, train = t, evaluate = x }\n");
  std::string out;
  for (const Diagnostic& d : checked.diagnostics) {
    const Position at = checked.sources.position(d.range);
    out += (out.empty() ? "" : "\n") + std::to_string(at.column - 10) + " " + d.rule + ": " + d.message +
           (d.help.empty() ? "" : " (" + d.help + ")") + (d.fixes.empty() ? "" : " -> " + d.fixes[0].text);
  }
  if (!checked.resolved || !out.empty()) return out;
  for (const auto& task :
       checked.resolved->at("experiments").at("e").at("train").at(0).at("tasks").at("tasks"))
    out += (out.empty() ? "" : " ") + task.get<std::string>();
  return out;
}

TEST(Sets, ADifferenceKeepsTheOrderOfTheLeft) {
  EXPECT_EQ(selected("example.easy - example.easy[2..3]"), "easy/1 easy/4");
  EXPECT_EQ(selected("example.hard + example.easy - example.hard[1..3]"),
            "hard/4 easy/1 easy/2 easy/3 easy/4");
  EXPECT_EQ(selected("(example.easy - example.easy[1])[1..2]"), "easy/2 easy/3");
}

TEST(Sets, WhatWasTakenAwayCanBeAddedAgain) {
  EXPECT_EQ(selected("example.easy - example.easy[1] + example.easy[1]"), "easy/2 easy/3 easy/4 easy/1");
}

TEST(Sets, PartOfWhatIsSubtractedMayBeElsewhere) {
  EXPECT_EQ(selected("example.easy[1..2] - example.easy[2..4]"), "easy/1");
}

TEST(Sets, ADifferenceThatTakesNothingAwayIsWrong) {
  EXPECT_EQ(
      selected("example.easy - example.hard[3..4]"),
      "16 empty_difference: nothing is removed: none of the 2 tasks (`hard/3..4`) is among the 4 tasks on "
      "the left (subtract tasks of the left side, leave the `-` out, or write `+` if both are meant) -> ");
}

TEST(Sets, ADifferenceThatLeavesNothingIsWrong) {
  EXPECT_EQ(selected("example.hard[1] - example.hard"),
            "1 empty_split: no task is left: its one task is removed (subtract less)");
}

TEST(Where, AsksForNumbers) {
  EXPECT_EQ(selected("where(example.hard, operators <= 2 and inputs == 1)"), "hard/1 hard/3");
  EXPECT_EQ(selected("where(example.hard, rank == 1 or inputs > 2)"), "hard/1 hard/2 hard/4");
  EXPECT_EQ(selected("where(example.easy + example.hard, mod(id, 2) == 0)"), "easy/2 easy/4 hard/2 hard/4");
  EXPECT_EQ(selected("where(example.easy, not id < 2 + 1)"), "easy/3 easy/4");
}

TEST(Where, AsksForWordsAndOperators) {
  EXPECT_EQ(selected("where(example.hard, has(matmul))"), "hard/2");
  EXPECT_EQ(selected("where(example.easy + example.hard, suite == hard and not has(gelu))"),
            "hard/2 hard/3 hard/4");
  EXPECT_EQ(selected("where(example.easy, name != doubled and dtype == f32)"), "easy/1 easy/2 easy/3");
}

TEST(Where, TakesItsArgumentsByLabelAndInSets) {
  EXPECT_EQ(selected("where(tasks = example.hard, condition = has(matmul)) + example.easy[1]"),
            "hard/2 easy/1");
  EXPECT_EQ(selected("where(where(example.hard, operators == 2), inputs == 1)[2]"), "hard/3");
}

TEST(Where, SaysWhyNothingIsLeft) {
  EXPECT_EQ(selected("where(example.hard, operators > 7)"),
            "21 empty_split: the condition holds for none of the 4 tasks of `example.hard` (`operators` goes "
            "from 2 to 2 "
            "there)");
  EXPECT_EQ(selected("where(example.hard, dtype == f16)").substr(0, 15), "21 empty_split:");
}

TEST(Where, FindsMistakesInTheCondition) {
  EXPECT_EQ(selected("where(example.hard, operatrs > 1)"),
            "21 unknown_name: a task has no property `operatrs` (did you mean `operators`?) -> operators");
  EXPECT_EQ(selected("where(example.hard, has(matmull))"),
            "25 unknown_name: there is no operator `matmull` (did you mean `matmul`?) -> matmul");
  EXPECT_EQ(selected("where(example.hard, suite == hrad)"),
            "30 unknown_name: no task has the suite `hrad` (did you mean `hard`?) -> hard");
  EXPECT_EQ(selected("where(example.hard, operators)"),
            "21 wrong_type: expected a boolean, found a number (compare it: `… <= 3`)");
  EXPECT_EQ(selected("where(example.hard, dtype < 3)"),
            "21 wrong_type: expected a number, found a name (numbers are `id`, `operators`, `inputs` and "
            "`rank`)");
  EXPECT_EQ(selected("where(example.hard, rank > 2 ms)").substr(0, 13), "30 wrong_unit");
  EXPECT_EQ(selected("where(example.hard, 1 / (id - 1) > 0)").substr(0, 15), "21 out_of_range");
  EXPECT_EQ(selected("where(example.hard)").substr(0, 16), "1 missing_field:");
  EXPECT_EQ(selected("were(example.hard, id > 1)"),
            "1 unknown_name: there is no function `were` (did you mean `where`?) -> where");
}

TEST(Sample, DrawsTheSameWheneverItIsDrawn) {
  EXPECT_EQ(selected("sample(wind.level2, n = 5, seed = 7)"),
            selected("sample(wind.level2, seed = 7, n = 5)"));
  EXPECT_NE(selected("sample(wind.level2, n = 5, seed = 7)"),
            selected("sample(wind.level2, n = 5, seed = 8)"));
  EXPECT_EQ(selected("sample(wind.level2, n = 5, seed = 7)"),
            "level2/9 level2/47 level2/74 level2/85 level2/97");
}

TEST(Sample, ASmallerOneLiesInALarger) {
  EXPECT_EQ(
      selected("sample(wind.level2, n = 60, seed = 7) - sample(wind.level2, n = 59, seed = 7)").find(' '),
      std::string::npos);
}

TEST(Sample, KeepsTheSetsOrderAndTakesAllWhenAskedTo) {
  EXPECT_EQ(selected("sample(example.hard + example.easy, n = 8, seed = 1)"),
            selected("example.hard + example.easy"));
}

TEST(Sample, CannotDrawMoreThanThereAre) {
  EXPECT_EQ(
      selected("sample(example.hard, n = 5, seed = 1)"),
      "26 sample_too_large: `example.hard` has 4 tasks, but 5 are to be sampled (sample at most 4, or leave "
      "`sample` out to take all of them) -> 4");
  EXPECT_EQ(selected("sample(example.hard, n = 0, seed = 1)").substr(0, 16), "26 out_of_range:");
}

TEST(DrawKey, IsTheBeginningOfSha256) {
  // FIPS 180-4: SHA-256("abc") = ba7816bf 8f01cfea …, of the empty text e3b0c442 98fc1c14 …
  EXPECT_EQ(random_key("abc").value, 0xeacf018fbf1678baull);
  EXPECT_EQ(random_key("").value, 0x141cfc9842c4b0e3ull);
}

}  // namespace
}  // namespace trl::language
