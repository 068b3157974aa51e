// Mistakes that look right at first get an answer that names what was meant.
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "language/program/fixes.hpp"
#include "tests/has.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

/// A study in which an experiment is called as the field that it varies, with one of its parts replaced.
std::string keep_study(const std::string& part = "", const std::string& instead = "") {
  std::string text =
      "import example\n"
      "import windtunnel\n"
      "model base { weights = windtunnel.base }\n"
      "lora writer { rank = 16 }\n"
      "split held_out = windtunnel.level1[41..60] + windtunnel.level2[61..100]\n"
      "extension inputs : multi_input { variations = [original, reseed] }\n"
      "train imitate : sft { data = windtunnel.corpus(level1 = 60, level2 = 40, exclude = held_out), batch = "
      "10 }\n"
      "train reinforce : best_of_n { tasks = windtunnel.level1[1..40], rounds = 2, keep = 4, max_tokens = "
      "256 }\n"
      "train unfiltered : reinforce { keep_by = random }\n"
      "evaluation exam { split = held_out, samples = 4, max_tokens = 256 }\n"
      "experiment keep {\n"
      "  model = base, adapter = writer, train = imitate -> reinforce, controls = [imitate -> unfiltered]\n"
      "  evaluate = exam, vary = grid(reinforce.keep = [1, 4]), seeds = 1..5\n"
      "}\n"
      "experiment more : keep { vary = subsets(inputs) }\n"
      "hypothesis helps { of = keep, contrast = reinforce.keep, metric = correct, expect = less }\n"
      "hypothesis inputs_help { of = more, contrast = inputs, metric = correct }\n"
      "table main { of = keep, rows = cells + controls, columns = [valid, correct, speedup] }\n"
      "table second { of = more, rows = cells + controls }\n";
  const std::size_t at = text.find(part);
  EXPECT_NE(at, text.npos) << part;
  return text.replace(at, part.size(), instead);
}

std::string advice_on(const std::string& program) {
  CheckOptions options = test::in_memory({{"test.trl", program}});
  options.try_fixes = true;
  const Checked checked = check_file("test.trl", options);
  return render(checked.diagnostics, checked.sources);
}

struct AdviceCase {
  std::string part, instead;
  std::vector<std::string> words;          ///< the answer has each
  std::vector<std::string> no_words = {};  ///< and none of these
};

void expect_advice(const std::vector<AdviceCase>& cases) {
  for (const AdviceCase& one : cases) {
    const std::string text = advice_on(keep_study(one.part, one.instead));
    EXPECT_NE(text, "") << one.instead;
    for (const std::string& word : one.words) EXPECT_TRUE(has(text, word)) << word << "\n" << text;
    for (const std::string& word : one.no_words) EXPECT_FALSE(has(text, word)) << word << "\n" << text;
  }
}

TEST(Advice, IsNotGivenOnTheStudyItself) { EXPECT_EQ(advice_on(keep_study()), ""); }

TEST(Advice, OnAListWithoutBrackets) {
  expect_advice(
      {{"[valid, correct, speedup]", "valid, correct, speedup", {"columns = [valid, correct, speedup]"}},
       {"[valid, correct, speedup]", "valid, fast(1)", {"columns = [valid, fast(1)]"}},
       {"seeds = 1..5", "seeds = 1, 2, 3", {"seeds = [1, 2, 3]"}}});
}

// A bracket that ends a list which nothing begins was a certain fix.
TEST(Advice, FixesLeaveNoNewMistake) {
  for (const std::string list : {"columns = valid, correct, speedup", "rows = cells, controls"}) {
    const std::string text = keep_study("rows = cells + controls, columns = [valid, correct, speedup]", list);
    const Fixed fixed = apply_fixes("test.trl", test::in_memory({{"test.trl", text}}));
    EXPECT_EQ(fixed.text, text);
  }
}

TEST(Advice, DoesNotTakeOneFieldForAnother) {
  expect_advice({{"rounds = 2, keep",
                  "rounds = 2, seed = 42, keep",
                  {"`seeds` is a field of `experiment`"},
                  {"given already"}},
                 {"cells + controls, columns", "cells + controls, cols", {"`columns`"}, {"given already"}},
                 {"expect = less", "expect = less, effect = 5%", {"`smallest_effect`"}, {"given already"}},
                 {"expect = less", "expect = less, expcet = greater", {"`expect` is given already"}},
                 {"rank = 16", "rank = 16, lora_r = 8", {"`rank` is given already"}}});
}

TEST(Advice, OnPathsByTheirLastName) {
  expect_advice({{"grid(reinforce.keep = [1, 4])", "grid(lora.rank = [8, 16])", {"write `writer.rank`"}},
                 {"grid(reinforce.keep", "grid(keep", {"`keep` is a field: write", "`reinforce.keep`"}},
                 {"contrast = reinforce.keep",
                  "contrast = keep",
                  {"`keep` is an experiment", "name the whole path that is varied: `reinforce.keep`"},
                  {"expected an extension"}}});
}

TEST(Advice, OnAContrastOfOneLevel) {
  expect_advice(
      {{"[1, 4]", "[4]", {"warning[one_level]", "`reinforce.keep` has one level, 4: nothing is compared"}}});
}

TEST(Advice, OnAVariantInPlaceOfAnExtension) {
  expect_advice(
      {{"contrast = inputs",
        "contrast = multi_input",
        {"did you mean `inputs`, which derives from it?", "perhaps: "}},
       {"subsets(inputs)", "subsets(multi_input)", {"did you mean `inputs`, which derives from it?"}}});
}

TEST(Advice, OnIdsFromZeroOrFromTheEnd) {
  expect_advice(
      {{"level1[1..40]", "level1[0..39]", {"level1[1..40]"}, {"[1..39]"}},
       {"level1[1..40]", "level1[0..40]", {"level1[1..40]"}, {"[1..41]"}},
       {"level1[1..40]", "level1[0]", {"level1[1]"}},
       {"level1[41..60]", "level1[-20..-1]", {"none counts from the end", "level1[41..60]"}, {"only 0"}}});
}

TEST(Advice, OnControls) {
  expect_advice({{"contrast = reinforce.keep",
                  "contrast = unfiltered",
                  {"against = imitate -> unfiltered",
                   "perhaps: hypothesis helps { of = keep, against = imitate -> unfiltered,"}},
                 {"[imitate -> unfiltered]",
                  "[unfiltered]",
                  {"warning[unequal_control]", "perhaps: ", "controls = [imitate -> unfiltered]"}},
                 {"train = imitate -> reinforce",
                  "train = reinforce -> imitate",
                  {"warning[unequal_control]", "another order", "controls = [unfiltered -> imitate]"}}});
}

TEST(Advice, OnWordsOfOtherTools) {
  expect_advice({{"hypothesis helps { of", "hypothesis helps { experiment", {"write `of`"}},
                 {"table main { of", "table main { experiment", {"write `of`"}},
                 {"expect = less", "expect = less, significance = 5%", {"write `alpha`"}},
                 {"expect = less", "expect = less, min_effect = 25%", {"write `smallest_effect`"}},
                 {"evaluate = exam, vary", "evaluate = exam, sweep", {"vary = grid("}},
                 {"evaluate = exam, vary", "evaluate = exam, grid", {"vary = grid("}},
                 {"adapter = writer", "lora = writer", {"write `adapter`"}},
                 {"seeds = 1..5", "repeats = 5", {"`seeds = 1..3`"}},
                 {"controls, columns", "controls, metrics", {"write `columns`"}},
                 {"evaluation exam { split", "evaluation exam { tasks", {"write `split`"}},
                 {"evaluation exam { split", "evaluation exam { dataset", {"write `split`"}},
                 {"base { weights = windtunnel.base", "base { path = \"x\"", {"weights = path("}},
                 {"base { weights = windtunnel.base", "base { checkpoint = \"x\"", {"weights = path("}},
                 {"rounds = 2", "rounds = 2, n = 8", {"write `candidates`"}},
                 {"rounds = 2", "rounds = 2, k = 8", {"write `candidates`"}},
                 {"rounds = 2", "rounds = 2, num_samples = 8", {"write `candidates`"}},
                 {"rounds = 2", "rounds = 2, per_device_train_batch_size = 8", {"write `batch`"}}});
}

TEST(Advice, OnValues) {
  expect_advice(
      {{"speedup]", "fast_1]", {"write `fast(1)`", "columns = [valid, correct, fast(1)]"}},
       {"expect = less", "expect = less, smallest_effect = 25 points", {"`25%`", "smallest_effect = 25% }"}},
       {"rounds = 2", "rounds = 2, warmup = 100", {"a share of the steps"}, {"100%?"}},
       {"evaluate = exam", "evaluate = 3", {"the name of an evaluation"}}});
}

TEST(Advice, OnAFunctionInPlaceOfADeclaration) {
  expect_advice(
      {{"model = base",
        "model = windtunnel.base",
        {"`windtunnel.base` gives weights", "name the model that has it: `base`", "perhaps: "}},
       {"model = base", "model = windtunnel.corpus", {"`windtunnel.corpus` gives "}, {"perhaps: "}}});
}

}  // namespace
}  // namespace trl::language
