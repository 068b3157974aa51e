// The formatter's layout, and that formatting changes nothing but blanks and newlines.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "language/format/format.hpp"
#include "language/program/program.hpp"
#include "language/schema/embedded.hpp"
#include "language/syntax/parse.hpp"
#include "tests/language/random_program.hpp"
#include "tests/long_tests.hpp"

namespace trl::language {
namespace {

std::string formatted(std::string_view text) { return format(text).text; }

/// The text without blanks and newlines.
std::string ink(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out),
               [](char c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });
  return out;
}

void expect_layout_alone(const std::string& text) {
  const Formatted once = format(text);
  ASSERT_EQ(ink(once.text), ink(text));
  ASSERT_TRUE(same_but_for_layout(text, once.text)) << once.text;
  ASSERT_EQ(formatted(once.text), once.text);
}

TEST(Format, SpacesAndIndentation) {
  EXPECT_EQ(formatted("import   example  as ex\n"
                      "\n\n\n"
                      "lora a:base{rank=2^3*(1+1),alpha=-  1 , dropout = 5 %}  \n"
                      "experiment e : ex.study {\n"
                      "train=a->b\n"
                      "      vary = subsets( inputs ,stages )\n"
                      "share{ level2=rest }\n"
                      "  seeds = 1 .. 3 }"),
            "import example as ex\n"
            "\n"
            "lora a : base { rank = 2 ^ 3 * (1 + 1), alpha = -1, dropout = 5% }\n"
            "experiment e : ex.study {\n"
            "  train = a -> b\n"
            "  vary = subsets(inputs, stages)\n"
            "  share { level2 = rest }\n"
            "  seeds = 1..3 }\n");
  EXPECT_EQ(formatted("kind k{ rank:count in 1 .. 8=2\n f( c:verdict ):fraction }"),
            "kind k { rank: count in 1..8 = 2\n  f(c: verdict): fraction }\n");
  EXPECT_EQ(formatted("extension e : multi_input {   }"), "extension e : multi_input {}\n");
  EXPECT_EQ(formatted("task t[ M=64 ]( x:f32[ M ] )=relu( x )"), "task t[M = 64](x: f32[M]) = relu(x)\n");
}

TEST(Format, ContinuedLines) {
  EXPECT_EQ(formatted("train t : sft {\n"
                      " data = corpus(samples = 1,\n"
                      "  exclude = a,\n"
                      "  unseen = [\n"
                      "  b,\n"
                      "  c\n"
                      "  ])\n"
                      " x = 1 +\n"
                      " 2\n"
                      "}\n"),
            "train t : sft {\n"
            "  data = corpus(samples = 1,\n"
            "                exclude = a,\n"
            "                unseen = [\n"
            "                  b,\n"
            "                  c\n"
            "                ])\n"
            "  x = 1 +\n"
            "    2\n"
            "}\n");
}

TEST(Format, WhatIsAlignedStaysAligned) {
  EXPECT_EQ(formatted("lora a {\n"
                      "  rank     =   1\n"
                      "  # between\n"
                      "  longest  = 2\n"
                      "  x = 3\n"
                      "\n"
                      "  y   = 4\n"
                      "}\n"),
            "lora a {\n"
            "  rank    = 1\n"
            "  # between\n"
            "  longest = 2\n"
            "  x = 3\n"
            "\n"
            "  y = 4\n"
            "}\n");
  EXPECT_EQ(formatted("extension a    :  b    {}\nextension long :  cc   {}\n"),
            "extension a    : b  {}\nextension long : cc {}\n");
}

TEST(Format, CommentsAtTheEndsOfLines) {
  EXPECT_EQ(formatted("a b {\n"
                      "  x =1       # one\n"
                      "  longer=2   # two\n"
                      "             # and more\n"
                      "  y = 3 # alone\n"
                      "  z = 3    # where the author put it\n"
                      "}\n"),
            "a b {\n"
            "  x = 1        # one\n"
            "  longer = 2   # two\n"
            "               # and more\n"
            "  y = 3  # alone\n"
            "  z = 3    # where the author put it\n"
            "}\n");
}

TEST(Format, LineEndingsAndMarks) {
  EXPECT_EQ(formatted("a b {\r\nx=1\r\n}\r\n"), "a b {\r\n  x = 1\r\n}\r\n");
  EXPECT_EQ(formatted("\xEF\xBB\xBF"
                      "a b{}"),
            "\xEF\xBB\xBF"
            "a b {}\n");
  EXPECT_EQ(formatted("\n\n# x  \n\n\n"), "# x\n");
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted(" \n\n"), "");
}

TEST(Format, WhatCannotBeReadStaysAsItIs) {
  const Formatted result =
      format("lora a{rank=1 }\nlora b { rank  8  ,alpha =2 }\nlora   ? (\n   x\nlora c{ }\n");
  EXPECT_EQ(result.text,
            "lora a { rank = 1 }\nlora b { rank  8  , alpha = 2 }\nlora   ? (\n   x\nlora c {}\n");
  EXPECT_TRUE(result.broken);
  EXPECT_FALSE(result.left);
}

TEST(Format, TheRepositorysFilesAreFormatted) {
  for (const auto& [name, text] : embedded()) EXPECT_EQ(formatted(text), text) << name;
  for (const auto& entry : std::filesystem::directory_iterator(TRL_EXPERIMENTS)) {
    if (entry.path().extension() != ".trl") continue;
    const std::string text = read_from_disk(entry.path().string()).value();
    EXPECT_EQ(formatted(text), text) << entry.path();
  }
}

TEST(Format, ChangesTheLayoutAloneOfEveryProgram) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const std::string text = test::random_program(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << text);
    const Parsed parsed = parse(text);
    ASSERT_TRUE(parsed.diagnostics.empty())
        << parsed.diagnostics[0].message << " at " << text.substr(parsed.diagnostics[0].range.begin, 40);
    expect_layout_alone(text);
    if (HasFatalFailure()) return;
  }
}

TEST(Format, ChangesTheLayoutAloneOfEveryBrokenProgram) {
  int broken = 0, left = 0;
  const auto step = step_of_cases<std::uint64_t>(5);
  for (std::uint64_t seed = 0; seed < 6000; seed += step) {
    const std::string text = test::mutated(test::random_program(seed + 100000), seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed << "\n" << text);
    expect_layout_alone(text);
    if (HasFatalFailure()) return;
    const Formatted result = format(text);
    broken += result.broken;
    left += result.left;
  }
  RecordProperty("broken", broken);
  RecordProperty("left", left);
  EXPECT_GT(broken * static_cast<int>(step), 2000);
  EXPECT_LT(left * 20, broken) << "only few files are left unchanged as a whole";
}

}  // namespace
}  // namespace trl::language
