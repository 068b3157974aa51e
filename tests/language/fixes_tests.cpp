// Applied fixes: the resulting text, and what stays unchanged.
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "language/program/fixes.hpp"
#include "tests/language/random_program.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

Fixed fixed(const std::string& text) {
  return apply_fixes("test.trl", test::in_memory({{"test.trl", text}}));
}

TEST(Fixes, AreAppliedUntilNothingChanges) {
  const Fixed result = fixed(
      "import exampel\n"
      "lroa a { rnak 16, alhpa = 32\n"
      "train t : example.reinforce {\n"
      "  tasks = example.esay; rounds = 3\n"
      "  reward(c) = if !c.correct then 0 else min(c.speedup, 1\n"
      "}\n");
  EXPECT_EQ(result.text,
            "import example\n"
            "lora a { rank = 16, alpha = 32 }\n"
            "train t : example.reinforce {\n"
            "  tasks = example.easy, rounds = 3\n"
            "  reward(c) = if not c.correct then 0 else min(c.speedup, 1)\n"
            "}\n")
      << render(result.checked.diagnostics, result.checked.sources);
  EXPECT_TRUE(result.checked.diagnostics.empty())
      << render(result.checked.diagnostics, result.checked.sources);
  EXPECT_EQ(result.applied.size(), 10u);
}

TEST(Fixes, WordsOfOtherLanguages) {
  EXPECT_EQ(
      fixed("import example\n"
            "lora a { rank: 8, targets : q_proj }\n"
            "train t : example.reinforce { reward(c) = if c.correct == True && c.valid then 1 else 0 }\n")
          .text,
      "import example\n"
      "lora a { rank = 8, targets = q_proj }\n"
      "train t : example.reinforce { reward(c) = if c.correct == true and c.valid then 1 else 0 }\n");
}

TEST(Fixes, ASoundFileStaysAsItIs) {
  const std::string text = "import example\nlora a { rank = 16 }\n";
  const Fixed result = fixed(text);
  EXPECT_EQ(result.text, text);
  EXPECT_TRUE(result.applied.empty());
}

TEST(Fixes, ImportedFilesStayAsTheyAre) {
  const Fixed result =
      apply_fixes("test.trl", test::in_memory({{"test.trl", "import other\nlora a { rnak = 2 }\n"},
                                               {"memory/other.trl", "lora b { rnak = 2 }\n"}}));
  EXPECT_EQ(result.text, "import other\nlora a { rank = 2 }\n");
  ASSERT_EQ(result.checked.diagnostics.size(), 1u);
  EXPECT_EQ(result.checked.sources[result.checked.diagnostics[0].range.file].path(), "memory/other.trl");
}

TEST(Fixes, NeverLeadToMoreErrors) {
  const std::string text = read_from_disk(TRL_LANGUAGE_TESTS "/ablation.trl").value();
  std::size_t applied = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::string broken = test::mutated(text, seed);
    const auto errors = [](const Checked& checked) {
      return std::count_if(checked.diagnostics.begin(), checked.diagnostics.end(),
                           [](const Diagnostic& d) { return d.severity == Severity::error; });
    };
    const Fixed result = fixed(broken);
    ASSERT_LE(errors(result.checked), errors(test::check_text(broken))) << broken;
    applied += result.applied.size();
  }
  EXPECT_GT(applied, 20u);
}

}  // namespace
}  // namespace trl::language
