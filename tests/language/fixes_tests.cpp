// Applied fixes: the resulting text, and what stays unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>

#include "language/diagnostics/render.hpp"
#include "language/diagnostics/rule.hpp"
#include "language/program/fixes.hpp"
#include "language/schema/embedded.hpp"
#include "tests/language/habits.hpp"
#include "tests/language/mistakes.hpp"
#include "tests/language/random_program.hpp"
#include "tests/language/stub.hpp"
#include "tests/long_tests.hpp"

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
  EXPECT_GT(applied, 10u);
}

// The values of a text: numbers and what is in quotes, in their order, and words with their number.
struct Values {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::multiset<std::string> words;
};

Values values_of(const std::string& text) {
  Values out;
  const auto word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    std::size_t end = i + 1;
    if (c == '#' || text.compare(i, 2, "//") == 0) {
      end = std::min(text.find('\n', i), text.size());
    } else if (c == '"' || c == '\'') {
      while (end < text.size() && text[end] != c && text[end] != '\n') ++end;
      out.texts.push_back(text.substr(i + 1, end - i - 1));
      end = std::min(end + 1, text.size());
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      std::string number;
      end = i;
      const auto digits = [&] {
        while (end < text.size() &&
               (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) {
          if (text[end] != '_') number += text[end];
          ++end;
        }
      };
      if (i > 0 && text[i - 1] == '.' && (i < 2 || text[i - 2] != '.')) number = "0.";
      digits();
      if (end + 1 < text.size() && text[end] == '.' && text[end + 1] != '.') number += text[end++], digits();
      if (end + 1 < text.size() && (text[end] == 'e' || text[end] == 'E') &&
          (std::isdigit(static_cast<unsigned char>(text[end + 1])) != 0 || text[end + 1] == '-')) {
        number += "e";
        ++end;
        if (text[end] == '-') number += text[end++];
        digits();
      }
      out.numbers.push_back(std::strtod(number.c_str(), nullptr));
    } else if (word(c)) {
      while (end < text.size() && word(text[end])) ++end;
      out.words.insert(text.substr(i, end - i));
    }
    i = end;
  }
  return out;
}

/// Checks the promise of a certain fix for each of a program's diagnostics, and that of `apply_fixes`.
void expect_values_kept(const std::string& text, std::size_t& certain) {
  const Checked checked = test::check_text(text);
  const Values before = values_of(text);
  for (const Diagnostic& d : checked.diagnostics)
    for (const Fix& fix : d.fixes) {
      if (!fix.certain || fix.range.file != 0) continue;
      ++certain;
      std::string changed = text;
      changed.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
      const Values after = values_of(changed);
      const std::string said = render(d, checked.sources) + fix.title;
      // A text in single quotes becomes one in double quotes; a word loses its quotes.
      EXPECT_EQ(before.numbers, after.numbers) << said;
      for (std::string one : before.texts) {
        if (one.ends_with(".trl")) one.erase(one.size() - 4);  // the name of a module
        EXPECT_TRUE(std::count(after.texts.begin(), after.texts.end(), one) > 0 || after.words.contains(one))
            << one << "\n"
            << said;
      }
      std::multiset<std::string> lost;
      std::set_difference(before.words.begin(), before.words.end(), after.words.begin(), after.words.end(),
                          std::inserter(lost, lost.end()));
      for (const std::string& one : lost)
        EXPECT_TRUE((d.message + d.help + fix.title).find(one) != std::string::npos) << one << "\n" << said;
    }
  const Fixed once = fixed(text);
  EXPECT_EQ(values_of(once.text).numbers, before.numbers) << text << "\n" << once.text;
  const Fixed twice = fixed(once.text);
  EXPECT_EQ(twice.text, once.text) << "fixing again changes nothing";
  EXPECT_TRUE(twice.applied.empty());
}

TEST(Fixes, KeepEveryValueThatIsWritten) {
  std::size_t certain = 0, programs = 0;
  const auto check = [&](const std::string& text) {
    SCOPED_TRACE(text);
    expect_values_kept(text, certain);
    ++programs;
  };
  for (const test::Mistake& mistake : test::mistakes()) check(mistake.program);
  for (const test::Habit& habit : test::habits()) check(habit.program);
  for (const Rule* rule : all_rules()) check(std::string(rule->bad));
  std::vector<std::string> files = {TRL_LANGUAGE_TESTS "/ablation.trl"};
  for (const auto& entry : std::filesystem::directory_iterator(TRL_EXPERIMENTS))
    if (entry.path().extension() == ".trl") files.push_back(entry.path());
  for (const auto& [name, text] : embedded())
    for (std::uint64_t seed = 0; seed < 1; ++seed) check(test::mutated(text, seed + 2000));
  for (const std::string& file : files)
    for (std::uint64_t seed = 0; seed < 3; seed += step_of_cases(3))
      check(test::mutated(read_from_disk(file).value(), seed + 1000));
  for (const Rule* rule : all_rules()) check(test::mutated(std::string(rule->good), 7));
  std::printf("programs: %zu, certain fixes: %zu\n", programs, certain);
  EXPECT_GT(programs, 300u);
  EXPECT_GT(certain, 100u);
}

TEST(Fixes, WhatIsNotSureIsNotApplied) {
  const char* const texts[] = {
      "train t : example.reinforce { max_tokens = 2k }\n",
      "train t : example.reinforce { max_tokens = 10 K }\n",
      "train t : example.reinforce { max_tokens = 1 000 }\n",
      "train t : example.reinforce { candidates = [4 8] }\n",
      "split s = example.hard[1:4]\n",
      "split s = example.hard[1 4]\n",
      "split s = example.hard[4..1]\n",
      "split s = example.hard[0..3]\n",
      "split s = example.easy - example.hard[3..4]\n",
      "split s = sample(example.hard, n = 20, seed = 7)\n",
      "machine m { memory = 80 GB }\n",
      "machine m { memory = 80GB }\n",
      "lora a { rank = 16 GiB }\n",
      "lora a { rank = 8, rank = 16 }\n",
      "lora a { dropout = 5 }\n",
      "lora a { rank = \"16\" }\n",
      "lora a { rank: count = 16 }\n",
      "extension inputs : multi_input { variations = [original, scale(2, reseed] }\n",
      "train t : example.reinforce { reward(c) = (0.7 + 0.3 * min(c.speedup, 1) }\n",
      "train t : example.reinforce { tasks = easy | hard }\n",
      "train t : example.reinforce { temperature = 0 }\nexperiment e : example.study { train = t }\n",
      "train t : example.reinforce { keep = 20 }\nexperiment e : example.study { train = t }\n",
      "extension inputs : multi_input {}\n"
      "experiment e : example.study { vary = subsets(inputs), seeds = 1..3 }\n"
      "hypothesis h { of = e, contrast = nofilter }\n",
      "split held1 = example.hard[1]\nevaluation x : example.exam { split = held2 }\n",
      "split seen_a = example.hard[1]\nevaluation x : example.exam { split = seen_b }\n",
      "model m { weights = path('it's mine') }\n",
      "model m { weights = windtunnel.base }\nexperiment e : example.study { model = example.writer }\n",
  };
  for (const char* text : texts) {
    const std::string program = std::string("import example\n") + text;
    const Fixed result = fixed(program);
    EXPECT_EQ(result.text, program) << render(result.checked.diagnostics, result.checked.sources);
    EXPECT_FALSE(result.checked.diagnostics.empty()) << program;
  }
}

TEST(Fixes, AreShownBeforeTheyAreMade) {
  const Checked sure = test::check_text("lora a { rnak = 16 }\n");
  EXPECT_NE(render(sure.diagnostics, sure.sources).find("\n  = fix: lora a { rank = 16 }\n"),
            std::string::npos);
  const Checked unsure = test::check_text("lora a { dropout = 5 }\n");
  EXPECT_NE(render(unsure.diagnostics, unsure.sources).find("\n  = perhaps: lora a { dropout = 5% }\n"),
            std::string::npos);
  const Checked lines = test::check_text("lora a {\n  rank = 16\nlora b {}\n");
  EXPECT_NE(render(lines.diagnostics, lines.sources).find("= fix: } ⏎ lora b {}\n"), std::string::npos)
      << render(lines.diagnostics, lines.sources);
}

// Of a long line what is around the change, so that it is seen what is changed.
TEST(Fixes, OfALongLineAreShownWithWhatIsAroundThem) {
  const std::string before = "lora a { alpha = 1, ";
  for (const std::size_t blanks : {0, 200}) {
    const std::string pad(blanks, ' ');
    const Checked checked = test::check_text(before + pad + "rnak = 16, " + pad +
                                             "use_dora = true  # größe " + std::string(170, 'x') + "\n}\n");
    const auto text = render(checked.diagnostics, checked.sources);
    const auto at = text.find("= fix: ");
    ASSERT_NE(at, std::string::npos) << text;
    const auto shown = text.substr(at + 7, text.find('\n', at) - at - 7);
    EXPECT_NE(shown.find("rank"), std::string::npos) << shown;
    EXPECT_EQ(shown.starts_with("…"), blanks > 0) << shown;
    EXPECT_TRUE(shown.ends_with("…")) << shown;
    EXPECT_LE(shown.size(), 160u + 6) << shown;
    if (blanks == 0) {
      EXPECT_NE(shown.find("alpha = 1, rank = 16"), std::string::npos) << shown;
    }
  }
}

}  // namespace
}  // namespace trl::language
