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

// An escape of another language isn't mended by the end of the text, which can stand after it, too.
TEST(Advice, OnEscapesOfOtherLanguages) {
  const auto with = [](const std::string& caption) {
    return keep_study("columns = [valid, correct, speedup]", "caption = \"" + caption + "\"");
  };
  const auto fix_of = [&](const std::string& caption) {
    const Checked checked = test::check_text(with(caption));
    std::string text = with(caption);
    for (auto d = checked.diagnostics.rbegin(); d != checked.diagnostics.rend(); ++d)
      for (const Fix& fix : d->fixes)
        text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
    EXPECT_TRUE(test::check_text(text).diagnostics.empty()) << text;
    const std::string head = "caption = \"";
    const std::size_t begin = text.find(head) + head.size();
    return text.substr(begin, text.find("\" }", begin) - begin);
  };
  EXPECT_EQ(fix_of("with 95\\% intervals"), "with 95% intervals");
  EXPECT_EQ(fix_of("\\%"), "%");
  EXPECT_EQ(fix_of("50\\% \\& 95\\%\\% of fast\\_1, \\#2 \\$3"), "50% & 95%% of fast_1, #2 $3");
  EXPECT_EQ(fix_of("\\\\\\% of it"), "\\\\% of it");
  EXPECT_EQ(fix_of("\\d+ times"), "\\\\d+ times");
  EXPECT_EQ(fix_of("the model\\.layers"), "the model\\\\.layers");
  EXPECT_EQ(fix_of("by \\λ"), "by \\\\λ");
  EXPECT_EQ(fix_of("by \\u03bb"), "by \\u{03bb}");
  EXPECT_EQ(fix_of("\\underline{a}"), "\\\\underline{a}");
  EXPECT_EQ(fix_of("\\u{3xb}"), "\\\\u{3xb}");
  const std::string columns = "columns = [valid, correct, speedup]";
  expect_advice(
      {{columns, "caption = \"95\\% of it\"", {"`%` needs no escape: leave the backslash out"}, {"\\\"%"}},
       {columns, "caption = \"\\d\"", {"a backslash in a text is written `\\\\`: `\\\\d`"}},
       {columns, "caption = \"a " + std::string(300, 'a') + "\\%\"", {"`%` needs no escape"}}});
}

TEST(Advice, OnSharesThatAreNoFractions) {
  const auto advice = [](const std::string& shares) {
    return advice_on("import example\nextension p : adaptive_curriculum { share { " + shares +
                     " } }\nexperiment e : example.study { vary = subsets(p) }\n");
  };
  const auto expect = [&](const std::string& shares, const std::vector<std::string>& words,
                          const std::vector<std::string>& no_words) {
    const std::string text = advice(shares);
    for (const std::string& word : words) EXPECT_TRUE(has(text, word)) << word << "\n" << text;
    for (const std::string& word : no_words) EXPECT_FALSE(has(text, word)) << word << "\n" << text;
  };
  const std::vector<std::string> never = {"clamp it", "curriculum_tasks", "e+0", "[0, 1]"};
  expect("hard = 60, easy = 40",
         {"the share of `hard` is 60, above 1", "did you mean 60%?", "did you mean 40%?",
          "hard = 60%, easy = 40"},
         {"shares_sum", "clamp it", "curriculum_tasks", "[0, 1]"});
  expect("hard = 60, easy = rest", {"did you mean 60%?", "1 error"}, never);
  expect("hard = 3, easy = 1",
         {"the shares sum to 4, not to 1", "write `share { hard = 75%, easy = 25% }`", "1 error"}, never);
  expect("hard = 200%, easy = rest", {"is 2, above 1", "from 0% to 100%"}, {"did you mean"});
  expect("hard = 0.1 - 0.3, easy = rest", {"is -0.2, below 0"}, never);
  expect("hard = 0.5, easy = 0.2", {"the shares sum to 0.7, not to 1", "give one group `rest`"},
         {"fraction"});
  EXPECT_EQ(advice("hard = 60%, easy = 40%"), "");
  EXPECT_EQ(advice("hard = 1, easy = 0"), "");
}

TEST(Advice, OnAWarmUpInSteps) {
  const std::string data = "batch = 10 }", rounds = "rounds = 2, keep = 4";
  expect_advice(
      {{data,
        "batch = 10, warmup = 2 }",
        {"`warmup` is a share of the steps: 2 of these 10 steps are 20%", "warmup = 20% }"},
        {" 2%", "did you mean"}},
       {data,
        "batch = 1, epochs = 6, warmup = 30 }",
        {"30 of these 600 steps are 5%", "warmup = 5% }"},
        {"30%"}},
       {data,
        "batch = 1, epochs = 6, warmup = 100 }",
        {"100 of these 600 steps are 16.7%", "warmup = 16.7%"}},
       {data, "batch = 10, warmup = 20 }", {"a share of the steps: did you mean 20%?", "warmup = 20% }"}},
       {data, "batch = 10, warmup = 2.5 }", {"did you mean 2.5%?"}},
       {data,
        "batch = 10, warmup = 10 }",
        {"10 of these 10 steps are 100%; 5% to 10% are usual", "warmup = 10% }"}},
       {data, "batch = 10, warmup = 200% }", {"200% is outside"}, {"of these 10 steps"}},
       {rounds,
        "rounds = 2, warmup = 3, batch = 8, keep = 4",
        {"3 of at most ", "steps are "},
        {"did you mean"}},
       {"rank = 16", "rank = 16, dropout = 5", {"help: did you mean 5%?"}, {"share of the steps"}}});
}

TEST(Advice, OnRewardsThatIncorrectKernelsGet) {
  const auto expect = [&](const std::string& train, const std::string& reward,
                          const std::vector<std::string>& words, const std::vector<std::string>& no_words) {
    const std::string text = advice_on("import example\ntrain t : " + train + " reward(c) = " + reward +
                                       " }\nexperiment e : example.study { train = t }\n");
    EXPECT_EQ(text.empty(), words.empty()) << text;
    for (const std::string& word : words) EXPECT_TRUE(has(text, word)) << word << "\n" << text;
    for (const std::string& word : no_words) EXPECT_FALSE(has(text, word)) << word << "\n" << text;
  };
  const std::string selected = "example.reinforce { min_reward = 0.5,",
                    grouped = "grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-4,";
  for (const std::string asked : {"compiled", "valid", "tiny"}) {
    const std::string reward = "if c." + asked + " then 0.7 + 0.3 * min(c.speedup, 1) else ";
    expect(selected, reward + "c.credit",
           {"error[keeps_incorrect]", "`c." + asked + "` holds for incorrect kernels, too: ask `c.correct`"},
           {"perhaps", "raise"});
    expect(grouped, reward + "0",
           {"warning[pays_incorrect]", "0.7, more than half of the most", "ask `c.correct`"}, {"perhaps"});
  }
  // Whoever asks both questions gives partial credit on purpose.
  expect(selected, "if c.correct then 1 else if c.compiled then 0.6 else 0",
         {"raise min_reward to 0.6", "perhaps"}, {"holds for"});
  expect(grouped, "if c.correct then 1 else if c.compiled then 0.6 else 0", {}, {});
  expect(grouped, "if c.compiled then 0.2 + 0.8 * min(c.speedup, 1) else 0", {}, {});
  expect(grouped, "if c.compiled then min(c.speedup, 1) else 0", {}, {});
}

TEST(Advice, OnABatchOfEachGpu) {
  const auto advice = [](const std::string& fields, int gpus) {
    return advice_on("import example\nmachine node { gpus = " + std::to_string(gpus) +
                     ", memory = 40 GiB }\ntrain t : example.reinforce { " + fields +
                     " }\nexperiment e : example.study { train = t, machine = node }\n");
  };
  const std::string four = advice("batch = 4", 8);
  EXPECT_TRUE(has(four, "`batch` counts samples over all GPUs: for 4 on each write 32; otherwise 8 does"))
      << four;
  EXPECT_FALSE(has(four, "perhaps")) << four;
  const std::string twenty = advice("batch = 20", 8);
  EXPECT_TRUE(has(twenty, "for 20 on each write 160; otherwise 16 and 24 do")) << twenty;
  EXPECT_TRUE(has(twenty, "batch = 24")) << twenty;
  const std::string odd = advice("batch = 3, micro_batch = 2", 4);
  EXPECT_TRUE(has(odd, "help: 8 does")) << odd;
  EXPECT_EQ(advice("batch = 16", 8), "");
  // What one rule advises, the other accepts.
  const auto sft = [](int batch) {
    std::string text = keep_study("train imitate : sft { data = windtunnel.corpus(level1 = 60, level2 = 40",
                                  "machine node { gpus = 8, memory = 40 GiB }\ntrain imitate : sft { data = "
                                  "windtunnel.corpus(level1 = 60, level2 = 40");
    text.replace(text.find("batch = 10"), 10, "batch = " + std::to_string(batch));
    return advice_on(text.replace(text.find("seeds = 1..5"), 12, "seeds = 1..5, machine = node"));
  };
  EXPECT_TRUE(has(sft(10), "8 and 16 do")) << sft(10);
  EXPECT_TRUE(has(sft(10), "held_out), batch = 8 }")) << sft(10);
  EXPECT_TRUE(has(sft(16), "too_few_steps") && has(sft(16), "or a batch of 8")) << sft(16);
  EXPECT_FALSE(has(sft(8), "too_few_steps") || has(sft(8), "batch_over_gpus: `imitate`")) << sft(8);
}

TEST(Advice, OnWhatAWayToTrainLearnsFrom) {
  const auto expect = [](const std::string& train, const std::vector<std::string>& words) {
    const std::string text = advice_on("import example\nimport windtunnel\ntrain t : " + train +
                                       " }\nexperiment e : example.study { train = t }\n");
    for (const std::string& word : words) EXPECT_TRUE(has(text, word)) << word << "\n" << text;
    EXPECT_TRUE(has(text, "1 error")) << text;
    EXPECT_FALSE(has(text, "write it in such a declaration")) << text;
  };
  const std::string corpus = "windtunnel.corpus(level1 = 60)";
  for (const std::string field : {"data", "dataset", "train_dataset"}) {
    expect("dpo { max_tokens = 256, " + field + " = " + corpus,
           {"`dpo` makes its pairs from the model's own answers to `tasks`: leave `" + field +
                "` out and give `tasks = …`, or train on it before",
            "sft { data = … }"});
    for (const std::string way : {"grpo", "best_of_n", "policy_gradient", "weighted_sft"})
      expect(
          way + " { tasks = example.easy, max_tokens = 256, learning_rate = 1e-4, " + field + " = " + corpus,
          {"`" + way + "` trains on the model's own answers to `tasks`: leave `" + field +
           "` out, or train"});
  }
  expect("sft { tasks = example.easy",
         {"`sft` trains on answers that are given, its `data`: write `data = ", "by `best_of_n`, `dpo`"});
  expect("sft { tasks = example.easy, data = " + corpus, {"its `data`: leave `tasks` out, or train on"});
}

TEST(Advice, OnSamplesOfTheMostLikelyToken) {
  expect_advice(
      {{"samples = 4",
        "samples = 4, top_k = 1",
        {"error[greedy_candidates]", "with `top_k = 1` the 4 samples", "leave `top_k` out"}},
       {"rounds = 2", "rounds = 2, top_k = 1", {"greedy_candidates", "leave `top_k` out"}, {"perhaps"}}});
  EXPECT_EQ(advice_on(keep_study("samples = 4", "samples = 4, top_k = 20")), "");
  // A table that needs the samples is told first how to draw them.
  std::string text = keep_study("samples = 4", "samples = 4, temperature = 0");
  EXPECT_TRUE(has(advice_on(text), "help: sample one, or")) << advice_on(text);
  text.replace(text.find("[valid, correct, speedup]"), 25, "[correct, pass_at(4)]");
  EXPECT_TRUE(has(advice_on(text), "help: sample at the temperature of training")) << advice_on(text);
  EXPECT_TRUE(has(advice_on(text), "temperature = 0.8,")) << advice_on(text);
}

TEST(Advice, OnTheBoundOfRatiosUnderTheNameOfTheNorms) {
  const auto clipped = [](const std::string& fields) {
    return advice_on(
        "import example\ntrain t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-4, "
        "epochs = 2, " +
        fields + " }\nexperiment e : example.study { train = t }\n");
  };
  const std::string said = clipped("clip = 20%, clip_higher = 28%");
  EXPECT_TRUE(has(said, "warning[clip_bounds]")) << said;
  EXPECT_TRUE(has(said, "clip_ratio = 20%, clip_higher = 28%")) << said;
  for (const char* right : {"clip = 1, clip_higher = 28%", "clip = 0.5, clip_higher = 28%", "clip = 0.2",
                            "clip = 0.2, clip_ratio = 20%, clip_higher = 28%"})
    EXPECT_FALSE(has(clipped(right), "clip_bounds")) << right;
}

TEST(Advice, OnAnEffectThatTheDesignSupports) {
  for (const char* effect : {"2%", "9%"}) {
    std::string text = keep_study("expect = less", std::string("expect = less, smallest_effect = ") + effect);
    const std::string said = advice_on(text), start = "as it is, the design supports `smallest_effect = ";
    ASSERT_TRUE(has(said, "underpowered")) << said;
    const std::size_t at = said.find(start);
    ASSERT_NE(at, said.npos) << said;
    const std::size_t begin = at + start.size();
    const std::string supported = said.substr(begin, said.find('`', begin) - begin);
    text.replace(text.find(effect, text.find("smallest_effect")), 2, supported);
    EXPECT_EQ(advice_on(text), "") << text;
  }
}

TEST(Advice, OnTwoDesigns) {
  expect_advice({{"vary = grid(reinforce.keep = [1, 4])",
                  "vary = grid(reinforce.keep = [1, 4]), vary = grid(reinforce.epochs = [2, 3])",
                  {"an experiment has one design",
                   "vary = grid(reinforce.keep = [1, 4]) * grid(reinforce.epochs = [2, 3])"},
                  {"remove one of them"}}});
}

TEST(Advice, OnABooleanInASum) {
  expect_advice({{"rounds = 2",
                  "rounds = 2, reward(c) = 0.7 * c.correct + 0.1",
                  {"write `(if c.correct then 1 else 0)`"}}});
}

TEST(Advice, OnHeadsThatDoNotDivideTheWidth) {
  const auto model = [](const std::string& sizes) {
    return advice_on(keep_study("weights = windtunnel.base", "weights = random(" + sizes + ")"));
  };
  EXPECT_TRUE(has(model("hidden = 256, heads = 5"), "error[random_weights]"));
  EXPECT_TRUE(has(model("hidden = 256, heads = 5"), "write `heads = 4` or `heads = 8`"));
  EXPECT_FALSE(has(model("hidden = 256, heads = 5"), "no multiple of kv_heads"));
  EXPECT_TRUE(has(model("hidden = 256, heads = 8, kv_heads = 3"), "write `kv_heads = 2` or `kv_heads = 4`"));
  EXPECT_FALSE(has(model("hidden = 256, heads = 8, kv_heads = 8"), "is no multiple of"));
}

TEST(Advice, OnFunctionsOfPlainNumbers) {
  const auto task = [](const std::string& formula) {
    return advice_on("suite s {\n  task t[E = 32](x: f32[E]) = " + formula + "\n}\n");
  };
  EXPECT_TRUE(has(task("x / sqrt(32)"), "write `32 ^ 0.5`; of a dimension it is calculated, `sqrt(N)`"));
  EXPECT_TRUE(has(task("x * rsqrt(32)"), "write `32 ^ -0.5`"));
  EXPECT_TRUE(has(task("x * square(-3)"), "write `(-3) ^ 2`"));
  EXPECT_TRUE(has(task("x * relu(2.5)"), "write the number that it gives"));
  EXPECT_EQ(task("x / 32 ^ 0.5"), "");
  EXPECT_EQ(task("x / sqrt(E)"), "");
}

TEST(Advice, OnAPatternOfFileNames) {
  expect_advice({{"rank = 16",
                  "rank = 16, patterns = [modules(\"*mlp*\", rank = 8)]",
                  {"`*mlp*` is no regular expression", "modules(\".*mlp.*\", rank = 8)"},
                  {"Mismatched"}}});
}

TEST(Advice, OnABandwidthInOtherUnits) {
  const std::string machine = "machine node { gpus = 1, memory = 80 GiB, bandwidth = ";
  const Checked checked = test::check_text(machine + "4.8 TB/s }\n");
  ASSERT_EQ(checked.diagnostics.size(), 1u);
  ASSERT_EQ(checked.diagnostics[0].fixes.size(), 1u);
  const Fix& fix = checked.diagnostics[0].fixes[0];
  std::string mended = machine + "4.8 TB/s }\n";
  mended.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
  EXPECT_EQ(mended, machine + "4470 GiB / 1 s }\n");
  EXPECT_FALSE(test::check_text(mended).has_errors());
}

TEST(Advice, OnPercentAndCounts) {
  expect_advice(
      {{"[original, reseed]",
        "[original, resize(150)]",
        {"150 is outside 1%..1000%", "did you mean 150%?", "resize(150%)"}},
       {"[original, reseed]", "[original, resize(5000)]", {"goes from 1% to 1000%"}, {"did you mean"}},
       {"keep = 4", "keep = 25%", {"`keep` is a count, not a share: "}, {"units that fit"}}});
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

/// The study with several of its parts replaced.
std::string changed_study(const std::vector<std::pair<std::string, std::string>>& changes) {
  std::string text = keep_study();
  for (const auto& [part, instead] : changes) {
    const std::size_t at = text.find(part);
    EXPECT_NE(at, text.npos) << part;
    text.replace(at, part.size(), instead);
  }
  return text;
}

// Mending one range alone would leave two that share a task.
TEST(Advice, OnRangesThatGoOnFromOneThatBeginsAtZero) {
  const std::string from_zero =
      advice_on(changed_study({{"level1[41..60]", "level1[40..59]"}, {"level1[1..40]", "level1[0..39]"}}));
  EXPECT_TRUE(
      has(from_zero, "`[40..59]` goes on from there, so that it counts from 0 as well: write `[41..60]`"))
      << from_zero;
  // One after another, single ids and ranges in the same brackets.
  const std::string chain = advice_on(
      changed_study({{"level1[41..60]", "level1[40..49, 50]"}, {"level1[1..40]", "level1[0..39]"}}));
  EXPECT_TRUE(has(chain, "`[40..49]` goes on") && has(chain, "write `[51]`")) << chain;
  // The others are right where the first is written with its number of tasks, or leaves a gap.
  for (const char* first : {"level1[0..40]", "level1[0..29]"}) {
    const std::string text = advice_on(keep_study("level1[1..40]", first));
    EXPECT_FALSE(has(text, "goes on from there")) << text;
  }
}

TEST(Advice, OnCountsThatAreMeantForEachTask) {
  expect_advice({{"level1 = 60, level2 = 40, exclude = held_out), batch = 10",
                  "level1 = 4, level2 = 2, exclude = held_out), batch = 4",
                  {"`level1` counts answers in all, not for each of its 40 tasks",
                   "if so many were meant for each task, `level1 = 160, level2 = 120`"}},
                 {"level1 = 60, level2 = 40, exclude = held_out), batch = 10",
                  "level1 = 60, exclude = held_out), batch = 10",
                  {"too_few_steps"},
                  {"counts answers in all"}}});
}

TEST(Advice, OnACountWithATime) {
  for (const char* written : {"25 ms", "2 usd", "1 h"})
    expect_advice({{"rounds = 2",
                    std::string("rounds = ") + written,
                    {"error[wrong_unit]", "`rounds` is a count, not a", "Rounds of sampling"},
                    {"perhaps"}}});
  expect_advice(
      {{"rounds = 2", "rounds = 2, warmup = 0.1 s", {"`warmup` is a share, not a time"}, {"perhaps"}},
       {"rounds = 2", "rounds = 2 %", {"perhaps", "`rounds` is a count, not a share"}}});
}

TEST(Advice, OnDesignsThatAreAdded) {
  for (const char* joined :
       {"subsets(inputs) + grid(reinforce.keep = [1, 4])", "[subsets(inputs), grid(reinforce.keep = [1, 4])]",
        "subsets(inputs) -> grid(reinforce.keep = [1, 4])", "subsets(inputs), grid(reinforce.keep = [1, 4])"})
    expect_advice({{"grid(reinforce.keep = [1, 4])", joined, {"crosses two designs"}, {"perhaps"}}});
}

TEST(Advice, OnAnAlgorithmOfAnotherTool) {
  const auto grpo = [](const std::string& field) {
    return advice_on(
        "import example\ntrain t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3, " +
        field + " }\nexperiment e : example.study { train = t }\n");
  };
  EXPECT_TRUE(has(grpo("loss_type = dr_grpo"),
                  "perhaps: train t : grpo { tasks = example.easy, max_tokens = 256, "
                  "learning_rate = 1e-3, standardised = false, mean_over = constant }"));
  EXPECT_TRUE(has(grpo("loss_type = \"dapo\""), "write `clip_higher = 28%, mean_over = tokens`"));
  EXPECT_TRUE(has(grpo("loss_agg_mode = \"seq-mean-token-mean\""), "write `mean_over = answers`"));
  EXPECT_TRUE(has(grpo("scale_rewards = none"), "write `standardised = false`"));
  // What is given stays as it is.
  EXPECT_TRUE(has(grpo("standardised = false, loss_type = dr_grpo"),
                  "learning_rate = 1e-3, standardised = false, mean_over = constant }"));
  // An algorithm that is unknown here names the field alone.
  EXPECT_TRUE(has(grpo("loss_type = cispo"), "in grpo write `mean_over`"));
  EXPECT_TRUE(
      has(advice_on(keep_study("rounds = 2", "rounds = 2, loss_type = dr_grpo")), "error[unknown_field]"));
}

TEST(Advice, OnRewardsThatMayHaveNoValue) {
  const auto reward = [](const std::string& formula) {
    return advice_on("import example\ntrain t : example.reinforce { reward(c) = " + formula +
                     " }\nexperiment e : example.study { train = t }\n");
  };
  for (const char* formula : {"clamp(0.5 + 0.25 * log(c.speedup), 0, 1)",
                              "if c.correct then clamp(log(max(c.speedup, 0)), 0, 1) else 0"}) {
    const std::string text = reward(formula);
    EXPECT_TRUE(has(text, "log of 0") && has(text, "c.speedup = 0") && has(text, "log(max(c.speedup, 0.01))"))
        << text;
    EXPECT_FALSE(has(text, "clamp it")) << text;
  }
  EXPECT_TRUE(
      has(reward("if c.correct then min(sqrt(c.speedup - 1), 1) else 0"), "sqrt(max(c.speedup - 1, 0))"));
  // What asks first, or bounds the argument, is believed.
  for (const char* formula : {"if c.speedup > 0 then clamp(0.5 + 0.25 * log(c.speedup), 0, 1) else 0",
                              "if c.correct then clamp(0.5 + 0.25 * log(max(c.speedup, 0.01)), 0, 1) else 0",
                              "if c.correct then clamp(1 - log(c.time) / 10, 0, 1) else 0",
                              "if c.correct then min(log(1 + c.speedup), 1) else 0"})
    EXPECT_EQ(reward(formula), "") << formula;
}

TEST(Advice, OnOtherFormulasThatMayHaveNoValue) {
  const std::string plans = advice_on(
      "import example\ntrain t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3, "
      "plan_reward(c) = log(c.speedup) }\nexperiment e : example.study { train = t }\n");
  EXPECT_TRUE(has(plans, "the reward of plans can have no value") &&
              has(plans, "`log(max(c.speedup, 0.01))`"))
      << plans;
  const std::string shares = advice_on(
      "import example\nextension p : adaptive_curriculum { share { hard = clamp(1 + log(accuracy(easy)), 0, "
      "1), "
      "easy = rest } }\nexperiment e : example.study { vary = subsets(p) }\n");
  EXPECT_TRUE(has(shares, "`log(max(accuracy(easy), 0.01))`")) << shares;
}

TEST(Advice, OnAContextThatASequenceExceeds) {
  const auto sequence = [](int tokens) {
    return advice_on(
        "import windtunnel\nimport example\nmodel tiny { weights = random(context = 1024) }\n"
        "train t : pretrain { data = windtunnel.chains(samples = 4000), steps = 400, sequence = " +
        std::to_string(tokens) + " }\nexperiment e { model = tiny, train = t, evaluate = example.exam }\n");
  };
  EXPECT_TRUE(has(sequence(2048), "`sequence` is at most 1024") && has(sequence(2048), "sequence = 1024 }"))
      << sequence(2048);
  EXPECT_FALSE(has(sequence(1024), "context_exceeded")) << sequence(1024);
}

TEST(Advice, OnClaimsOverListsThatDescend) {
  expect_advice({{"keep = [1, 4]",
                  "keep = [4, 1]",
                  {"note[descending_claim]",
                   "`helps` claims that `correct` is less with keep = 1 than with keep = 4"}}});
  EXPECT_EQ(
      advice_on(changed_study({{"keep = [1, 4]", "keep = [4, 1]"}, {"expect = less", "expect = different"}})),
      "");
}

TEST(Advice, OnAdaptersWhoseScaleDiffers) {
  const auto varied = [](const std::string& lora, const std::string& vary) {
    return advice_on("import example\nlora writer { " + lora +
                     " }\nexperiment e : example.study { adapter = writer, vary = " + vary + " }\n");
  };
  EXPECT_TRUE(has(varied("alpha = 32", "grid(writer.rank = [8, 64])"),
                  "`zip(writer.rank = [8, 64], writer.alpha = [16, 128])`"));
  EXPECT_TRUE(has(varied("alpha = 32", "zip(writer.rank = [8, 64], writer.alpha = [8, 16])"), "4-fold"));
  // One step of ranks, one scale, other scales on purpose, and learning rates that follow.
  for (const char* vary :
       {"grid(writer.rank = [8, 16])", "zip(writer.rank = [8, 64], writer.alpha = [16, 128])",
        "grid(writer.alpha = [8, 64])", "grid(writer.rank = [8, 64], writer.alpha = [16, 128])",
        "grid(writer.rank = [8, 64], example.reinforce.learning_rate = [1e-3, 2e-3])"})
    EXPECT_EQ(varied("alpha = 32", vary), "") << vary;
  EXPECT_EQ(varied("use_rslora = true, alpha = 16", "grid(writer.rank = [8, 64])"), "");
  EXPECT_TRUE(has(varied("use_rslora = true, rank = 256, alpha = 512", "none"), "is multiplied by 32"));
}

TEST(Advice, OnExtensionsThatActOnNothing) {
  const auto extended = [](const std::string& extension, const std::string& reward,
                           const std::string& more = "") {
    return advice_on("import example\nextension x : " + extension +
                     "\ntrain t : example.reinforce { reward(c) = " + reward +
                     " }\nexperiment e : example.study { train = t, vary = subsets(x)" + more + " }\n");
  };
  const std::string small = "staged_evaluation { failing { compile = 0.1, tiny = 0.2, full = 0.3 } }";
  EXPECT_TRUE(has(extended(small, "if c.correct then 1 else 0"), "warning[inert_extension]"));
  EXPECT_EQ(extended(small, "if c.correct then 1 else c.credit"), "");
  // Without credit its early end is what is studied.
  EXPECT_EQ(extended("staged_evaluation { failing { compile = 0, tiny = 0, full = 0 } }",
                     "if c.correct then 1 else 0"),
            "");
  EXPECT_TRUE(has(extended("timing_noise {}", "if c.correct then 1 else 0"), "warning[inert_extension]"));
  EXPECT_TRUE(
      has(extended("calibrated_timing {}", "if c.correct then 1 else 0"), "warning[inert_extension]"));
  EXPECT_EQ(extended("timing_noise {}", "if c.correct then min(c.speedup, 1) else 0"), "");
  EXPECT_TRUE(has(extended("multi_input { variations = [original] }", "if c.correct then 1 else 0"),
                  "warning[inert_extension]"));
  EXPECT_EQ(extended("multi_input { variations = [original, reseed] }", "if c.correct then 1 else 0"), "");
  EXPECT_EQ(extended("placebo {}", "if c.correct then 1 else 0"), "");
}

TEST(Advice, OnAContrastByItsFieldAlone) {
  const std::string text = advice_on(changed_study(
      {{"grid(reinforce.keep", "grid(rounds"}, {"contrast = reinforce.keep", "contrast = rounds"}}));
  EXPECT_FALSE(has(text, "declare an `extension`")) << text;
}

TEST(Advice, OnWhatOnlyAControlVaries) {
  expect_advice({{"grid(reinforce.keep = [1, 4])",
                  "grid(unfiltered.match = [samples, tokens])",
                  {"error[unused_override]", "changes no cell of `keep`"},
                  {"unequal_control"}}});
}

TEST(Advice, OnControls) {
  expect_advice(
      {{"contrast = reinforce.keep",
        "contrast = unfiltered",
        // Its own cells have other settings than the control.
        {"`experiment NAME : keep { vary = none }`", "`of = NAME, against = imitate -> unfiltered`"}},
       {"[imitate -> unfiltered]",
        "[unfiltered]",
        {"warning[unequal_control]", "perhaps: ", "controls = [imitate -> unfiltered]"}},
       {"train = imitate -> reinforce",
        "train = reinforce -> imitate",
        {"warning[unequal_control]", "overwrites what rewards taught", "train = imitate -> reinforce,"},
        {"controls = [unfiltered -> imitate]"}},
       {"[imitate -> unfiltered]",
        "[unfiltered -> imitate]",
        {"warning[unequal_control]", "another order", "controls = [imitate -> unfiltered]"}}});
  EXPECT_TRUE(
      has(advice_on(keep_study("vary = grid(reinforce.keep = [1, 4])", "vary = subsets(inputs)")
                        .replace(keep_study("vary = grid(reinforce.keep = [1, 4])", "vary = subsets(inputs)")
                                     .find("contrast = reinforce.keep"),
                                 25, "contrast = unfiltered")),
          "compare with it by `against = imitate -> unfiltered, cell = []`"));
}

TEST(Advice, OnHeadersOfOtherLanguages) {
  const char* const header = "train reinforce : best_of_n {";
  expect_advice(
      {{header, "train \"reinforce\" \"best_of_n\" {", {"perhaps: train reinforce : best_of_n {", "1 error"}},
       {header, "train reinforce best_of_n {", {"perhaps: train reinforce : best_of_n {", "1 error"}},
       {header, "train \"best_of_n\" \"reinforce\" {", {"perhaps: train reinforce : best_of_n {", "1 error"}},
       {"experiment keep {", "experiment \"keep\" = {", {"fix: experiment keep {", "1 error"}},
       {"experiment keep {", "experiment keep = {", {"fix: experiment keep {", "1 error"}},
       {"lora writer {", "lora \"writer\" {", {"names have no quotes", "fix: lora writer {"}}});
  EXPECT_TRUE(has(advice_on("suite s {\n  task t(M = 64)(x: f32[M]) = relu(x)\n}\n"),
                  "task t[M = 64](x: f32[M]) = relu(x)"));
}

TEST(Advice, OnOtherToolsSwitchesByTheirValue) {
  const auto exam = [](const std::string& field) {
    return advice_on(keep_study("held_out, samples = 4,", "held_out, samples = 1, " + field + ","));
  };
  EXPECT_TRUE(has(exam("do_sample = True"), "leave it out: a temperature above 0 samples"));
  EXPECT_TRUE(has(exam("do_sample = False"),
                  "perhaps: evaluation exam { split = held_out, samples = 1, temperature = 0,"));
  EXPECT_TRUE(has(exam("greedy = true"), "samples = 1, temperature = 0,"));
  EXPECT_TRUE(has(exam("greedy = false"), "leave it out: a temperature above 0 samples"));
  EXPECT_TRUE(has(advice_on(keep_study("weights = windtunnel.base }",
                                       "weights = windtunnel.base, load_in_4bit = False }")),
                  "leave it out: weights are quantised where"));
}

TEST(Advice, OnNumbersOfAnotherSize) {
  expect_advice(
      {{"rank = 16", "rank = 16, alpha = 0.05", {"warning[adapter_scale]", "alpha = 32"}},
       {"rank = 16", "rank = 16, alpha = 5%", {"warning[adapter_scale]", "alpha is no share"}},
       {"rank = 16", "rank = 16, alpha = 320", {"warning[adapter_scale]", "alpha = 32 }"}},
       {"rank = 16", "rank = 4, alpha = 100", {"warning[adapter_scale]", "alpha = 8 }"}},
       {"rank = 16", "rank = 16, dropout = 0.05%", {"warning[tiny_share]", "dropout = 5%"}},
       {"batch = 10", "batch = 10, warmup = 0.03%", {"warning[tiny_share]", "warmup = 3%"}},
       {"batch = 10", "batch = 10, epochs = 0.5", {"one epoch of fewer samples"}},
       {"samples = 4,", "samples = 4, temperature = 7,", {"warning[unusual_value]", "temperature = 0.7,"}},
       {"keep = 4,", "keep = 4, temperature = 0.01,", {"warning[unusual_value]", "temperature = 0.8,"}}});
  EXPECT_EQ(advice_on(keep_study("rank = 16", "rank = 16, alpha = 1.6")), "");
  EXPECT_EQ(advice_on(keep_study("rank = 16", "rank = 16, alpha = 128")), "");
  EXPECT_EQ(advice_on(keep_study("rank = 16", "rank = 1, alpha = 64")), "");  // one alpha for all ranks
  EXPECT_EQ(advice_on(keep_study("samples = 4,", "samples = 4, temperature = 0.01,")), "");
}

// A way to train that compares the answers of a task can't draw one.
TEST(Advice, SaysOnlyWhatTheFieldCanHave) {
  const std::string grpo =
      "train t : grpo { tasks = windtunnel.level1[1..40], rounds = 2, max_tokens = 256, learning_rate = "
      "1e-4, "
      "top_k = 1 }\nexperiment again : keep { train = imitate -> t, controls = [], vary = none }\n";
  const std::string text = advice_on(keep_study() + grpo);
  EXPECT_TRUE(has(text, "greedy_candidates") && has(text, "= help: leave `top_k` out\n")) << text;
}

TEST(Advice, OnRewardsOfSlownessReplacesThePartThatPaysIt) {
  expect_advice({{"keep = 4,",
                  "keep = 4, reward(c) = if c.correct then min(1 / max(c.speedup, 0.1), 1) else 0,",
                  {"write in place of this part `0.7 + 0.3 * min(c.speedup, 1)`",
                   "reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0,"}}});
}

TEST(Advice, OnTuningNamesTasksThatAreFree) {
  const std::string tuned = "evaluate = exam, dev = exam,";
  // The study trains on half of level1, and its answers are of all that the exam lacks.
  const std::string text = advice_on(keep_study("evaluate = exam,", tuned));
  EXPECT_TRUE(has(text,
                  "`windtunnel.level2[41..60]` is neither in the exam nor in training: write `evaluation "
                  "tuning : exam { split = windtunnel.level2[41..60] }` and `dev = tuning`; add `+ "
                  "windtunnel.level2[41..60]` to `exclude`"))
      << text;
  std::string followed = keep_study("evaluate = exam,", "evaluate = exam, dev = tuning,");
  followed += "evaluation tuning : exam { split = windtunnel.level2[41..60] }\n";
  followed.replace(followed.find("exclude = held_out"), 18, "exclude = held_out + windtunnel.level2[41..60]");
  EXPECT_EQ(advice_on(followed), "");
  // An evaluation of such tasks may be there already, or its name be taken.
  const std::string unused = keep_study("evaluate = exam,", tuned) +
                             "evaluation tuning : exam { split = windtunnel.level2[41..60] }\n";
  EXPECT_TRUE(has(advice_on(unused), "neither in the exam nor in training: write `dev = tuning`"))
      << advice_on(unused);
  const std::string taken =
      keep_study("evaluate = exam,", tuned) + "split tuning = windtunnel.level2[41..60]\n";
  EXPECT_TRUE(has(advice_on(taken), "and `dev = tuning2`")) << advice_on(taken);
  // An evaluation that is there already asks other tasks.
  const std::string there = advice_on(keep_study("evaluate = exam,", "evaluate = exam, dev = during,") +
                                      "evaluation during : exam { split = windtunnel.level1[31..50] }\n");
  EXPECT_TRUE(has(there,
                  "let `during` ask it, `split = windtunnel.level2[41..60]`, in place of what it asks "
                  "now; `exclude` of the written answers must then have it, too"))
      << there;
  // Where training has the rest, some of its tasks are taken.
  std::string whole = keep_study("evaluate = exam,", tuned);
  const std::string tasks = "tasks = windtunnel.level1[1..40]";
  whole.replace(whole.find(tasks), tasks.size(), tasks + " + windtunnel.level2[1..60]");
  const std::string some = advice_on(whole);
  EXPECT_TRUE(has(some, "take `windtunnel.level2[41..60]` out of `reinforce`, `tasks = … - ")) << some;
  // An evaluation of what is trained on is no matter of the written answers.
  const std::string same = advice_on(keep_study("evaluate = exam,", "evaluate = exam, dev = seen,") +
                                     "evaluation seen : exam { split = windtunnel.level1[1..40] }\n");
  EXPECT_TRUE(has(same, "`seen` examines what `reinforce` trains on") &&
              has(same, "windtunnel.level2[41..60]"))
      << same;
  EXPECT_FALSE(has(same, "may answer what")) << same;
}

TEST(Advice, OnAnUnequalControlNamesItsOwnStage) {
  expect_advice({{"train unfiltered : reinforce { keep_by = random }",
                  "train unfiltered : reinforce { keep_by = random, rounds = 8 }",
                  {"`train unfiltered : reinforce { keep_by = random }`"}}});
  // What the control is there for stays, and what differs besides goes.
  expect_advice(
      {{"{ keep_by = random }",
        "{ rounds = 8, reward(c) = if c.correct then 1 else 0.5 * c.credit }",
        {"leave `rounds` out of `unfiltered`, so that it differs in `reward` alone: `train unfiltered : "
         "reinforce { reward(c) = if c.correct then 1 else 0.5 * c.credit }`",
         "perhaps: ", "{ rounds = 2, reward(c)"}},
       {"{ keep_by = random }",
        "{ rounds = 8, epochs = 3, keep_by = random }",
        {"leave `rounds` and `epochs` out of `unfiltered`"},
        {"perhaps"}}});
  // Few steps of a control are no reason to give it others than the study has.
  const std::string few = advice_on(
      changed_study({{"{ keep_by = random }", "{ keep_by = random, batch = 48 }"},
                     {"keep = 4,", "keep = 2, tasks_per_round = 24, batch = 8, learning_rate = 2e-4,"}}));
  EXPECT_TRUE(has(few, "too_few_steps") && has(few, "give it `batch` of `reinforce`")) << few;
  EXPECT_FALSE(has(few, "use a batch of")) << few;
  std::string text = keep_study("{ keep_by = random }", "{ keep_by = random, rounds = 8 }");
  for (std::size_t at = 0; (at = text.find("reinforce", at)) != text.npos; at += 2) text.replace(at, 9, "rl");
  EXPECT_TRUE(has(advice_on(text), "`train unfiltered : rl { keep_by = random }`")) << advice_on(text);
}

TEST(Advice, OnOtherNamesOfAPlotsAxis) {
  const auto plot = [](const std::string& x) {
    return advice_on(keep_study() + "plot p { of = keep, x = " + x + ", y = reward }\n");
  };
  for (const char* round : {"step", "epoch", "iteration"})
    EXPECT_TRUE(has(plot(round), "x = round, y")) << plot(round);
  EXPECT_TRUE(has(plot("samples"), "x = candidates, y"));
}

TEST(Advice, OnALargeRankChangesItsAlphaToo) {
  const std::string text = advice_on(changed_study(
      {{"rank = 16", "rank = 1024, alpha = 2048"},
       {"weights = windtunnel.base", "weights = random(hidden = 256, layers = 2, heads = 4)"}}));
  EXPECT_TRUE(has(text, "large_rank") && has(text, "write `rank = 16` and `alpha = 32`")) << text;
}

TEST(Advice, OnValuesFarFromUsualOnes) {
  const auto warned = [](const std::string& part, const std::string& instead, const std::string& fix) {
    const std::string text = advice_on(keep_study(part, instead));
    EXPECT_TRUE(has(text, "warning[unusual_value]") && has(text, fix)) << instead << "\n" << text;
  };
  warned("rank = 16", "rank = 16, dropout = 90%", "dropout = 9%");
  warned("keep = 4,", "keep = 4, clip = 1e-6,", "clip = 1,");
  warned("keep = 4,", "keep = 4, weight_decay = 10,", "weight_decay = 0.1,");
  warned("keep = 4,", "keep = 4, epochs = 50,", "epochs = 5,");
  warned("keep = 4,", "keep = 4, epochs = 200,", "epochs = 2,");
  warned("level2 = 40", "level2 = 400000", "400000 answers to 100 tasks");
  warned("samples = 4", "samples = 500", "samples = 10,");
  warned("seeds = 1..5", "seeds = 1..500", "seeds = 1..5");
  warned("expect = less", "expect = less, alpha = 0.5", "alpha = 5%");
  warned("expect = less", "expect = less, alpha = 50%", "alpha = 5%");
  warned("expect = less", "expect = less, smallest_effect = 90%", "2% to 20% is usual");
  // What a design varies is its question.
  EXPECT_FALSE(has(advice_on(changed_study({{"reinforce.keep = [1, 4]", "reinforce.epochs = [1, 50]"},
                                            {"contrast = reinforce.keep", "contrast = reinforce.epochs"}})),
                   "unusual_value"));
}

TEST(Advice, OnCreditAboveWhatACorrectAnswerGets) {
  const auto with = [](const std::string& reward) {
    std::string text = keep_study("vary = grid(reinforce.keep = [1, 4])", "vary = subsets(stages)");
    text.replace(text.find("train reinforce : best_of_n {"), 29,
                 "extension stages : staged_evaluation {}\ntrain reinforce : grpo { reward(c) = " + reward +
                     ", learning_rate = 1e-4, candidates = 4,");
    text.erase(text.find("keep = 4, "), 10);
    return advice_on(text);
  };
  const std::string text = with("if c.correct then min(c.speedup / 10, 1) else c.credit");
  EXPECT_TRUE(has(text, "pays_incorrect") && has(text, "fails at stage `full` 0.7") &&
              has(text, "as fast as PyTorch 0.1") &&
              has(text, "reward(c) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit"))
      << text;
  EXPECT_FALSE(has(with("if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit"), "pays_incorrect"));
}

TEST(Advice, OnARandomTreatmentBesideARandomControl) {
  const std::string text = advice_on(changed_study(
      {{"keep = 4,", "keep = 4, keep_by = random,"}, {"reinforce.keep = [1", "reinforce.keep = [2"}}));
  EXPECT_TRUE(has(text, "warning[equal_control]") && has(text, "`reinforce` keeps answers at random") &&
              has(text, "keep_by = reward,"))
      << text;
  EXPECT_FALSE(has(text, "leave it out of")) << text;
}

TEST(Advice, OnFewStepsAsksForALargerLearningRate) {
  const auto at = [](const std::string& rate) {
    return advice_on(keep_study("keep = 4,",
                                "keep = 1, tasks_per_round = 12, batch = 8, epochs = 2, "
                                "learning_rate = " +
                                    rate + ","));
  };
  const std::string text = at("2e-4");
  EXPECT_TRUE(has(text, "too_few_steps") && has(text, "a learning rate of 0.0003")) << text;
  EXPECT_FALSE(has(at("3e-4"), "too_few_steps")) << at("3e-4");
  EXPECT_TRUE(has(at("1e-7"), "unmoving_training") && has(at("1e-7"), "a learning rate of 0.0003"))
      << at("1e-7");
}

TEST(Advice, OnAClampWithItsBoundsSwapped) {
  for (const char* swapped : {"max(min(c.speedup, 0), 1)", "min(max(c.speedup, 1), 0)"})
    expect_advice({{"keep = 4,",
                    "keep = 4, reward(c) = if c.correct then " + std::string(swapped) + " else 0,",
                    {"its bounds are swapped", "then clamp(c.speedup, 0, 1) else 0,"},
                    {"whatever `min(c.speedup, 0)`"}}});
}

TEST(Advice, OnAnExamThatFindsNothing) {
  const std::string text = advice_on(
      changed_study({{"windtunnel.level1[41..60] + windtunnel.level2[61..100]", "windtunnel.level1[41..42]"},
                     {"samples = 4", "samples = 1"},
                     {"seeds = 1..5", "seeds = 1..3"}}));
  EXPECT_TRUE(has(text, "warning[underpowered]") && has(text, "not even one of 100 points")) << text;
  EXPECT_TRUE(has(text, "tasks finds 25 points")) << text;
}

TEST(Advice, OnRewardAsAMetric) {
  expect_advice({{"metric = correct, expect",
                  "metric = reward, expect",
                  {"an exam measures no reward", "metric = correct"}}});
}

TEST(Advice, OnAFileOfAnotherKind) {
  const Checked checked =
      check_file("conf.yaml", test::in_memory({{"conf.yaml", "model:\n  name: base\n  lr: 1e-4\n"}}));
  ASSERT_EQ(checked.diagnostics.size(), 1u);
  EXPECT_TRUE(has(checked.diagnostics[0].message, "`conf.yaml` is no .trl file"));
  EXPECT_TRUE(has(checked.diagnostics[0].help, "`trl new NAME`"));
}

TEST(Advice, OnATaskUnderTwoNames) {
  const auto second = [](const std::string& task) {
    return advice_on("suite s {\n  task one[M = 64, N = 32](x: f32[M, N], b: f32[N]) = relu(x + b)\n  task " +
                     task + "\n}\n");
  };
  EXPECT_TRUE(has(second("two[M = 64, N = 32](a: f32[M, N], bias: f32[N]) = relu(a + bias)"),
                  "`two` is `one` under another name"));
  EXPECT_FALSE(
      has(second("two[M = 128, N = 32](a: f32[M, N], bias: f32[N]) = relu(a + bias)"), "duplicate_task"));
  EXPECT_FALSE(
      has(second("two[M = 64, N = 32](a: f32[M, N], bias: f32[N]) = relu(a - bias)"), "duplicate_task"));
}

TEST(Advice, NamesWhatTheFileHas) {
  expect_advice(
      {{"adapter = writer, ",
        "",
        {"add `adapter = writer`", "`imitate` (sft), `reinforce` (best_of_n) and `unfiltered` (best_of_n)"}},
       {"train = imitate -> reinforce",
        "train = [imitate, reinforce]",
        {"imitate -> reinforce"},
        {"unused_override"}},
       {"train = imitate -> reinforce",
        "train = imitate + reinforce",
        {"imitate -> reinforce"},
        {"unused_override"}},
       {"exclude = held_out", "exclude = reinforce.tasks", {"exclude = exam.split)"}, {" + exam.split"}}});
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

TEST(Advice, OnAValueBehindAColon) {
  // The sign and the value are mended at once.
  expect_advice(
      {{"rounds = 2", "rounds: \"2\"", {"follows `=`, not `:`", "rounds = 2, keep", "1 error"}},
       {"rounds = 2, keep = 4", "rounds: \"2\", keep: \"4\"", {"rounds = 2, keep: \"4\"", "keep = 4,"}},
       {"keep = 4", "keep = 4, schedule: \"linear\"", {"schedule = linear"}},
       {"keep = 4", "keep = 4, learning_rate: 1e-3", {"learning_rate = 1e-3"}},
       {"keep = 4", "keep = 4, warmup: 2.5", {"warmup = 2.5%"}}});
}

TEST(Advice, OnTheRestOfAShare) {
  expect_advice(
      {{"expect = less", "expect = less, alpha = 95%", {"did you mean 5%", "alpha = 5% }"}},
       {"expect = less", "expect = less, alpha = 0.99", {"did you mean 1%", "alpha = 1% }"}},
       {"expect = less", "expect = less, alpha = 95", {"did you mean 5%", "alpha = 5% }"}, {"95%?\n"}},
       {"expect = less", "expect = less, confidence = 95%", {"`alpha = 5%`"}},
       {"rank = 16", "rank = 16, dropout = 95%", {"did you mean 5%"}},
       {"rank = 16", "rank = 16, dropout = 110%", {"goes from 0% to 90%"}, {"did you mean"}}});
}

TEST(Advice, OnSeveralExtensionsInAContrast) {
  const auto of = [](const std::string& contrast) {
    std::string text = keep_study("vary = subsets(inputs)", "vary = subsets(inputs, memory)") +
                       "extension memory : memory_checks {}\n";
    const std::string written = "contrast = inputs";
    return advice_on(text.replace(text.find(written), written.size(), "contrast = " + contrast));
  };
  EXPECT_TRUE(has(of("inputs * memory"), "cell = [inputs, memory], against = [inputs],"));
  EXPECT_TRUE(has(of("[inputs, memory]"), "cell = [inputs, memory], against = [],"));
  EXPECT_TRUE(has(of("inputs - memory"), "cell = [inputs], against = [memory],"));
}

TEST(Advice, OnRewardsThatEndTooEarlyOrPayFailuresMore) {
  const auto with = [](const std::string& reward) {
    return advice_on(keep_study("keep = 4,", "keep = 4, reward(c) = " + reward + ","));
  };
  const std::string early = with("if c.correct then 0.8 else 0 + 0.2 * min(c.speedup, 1)");
  EXPECT_TRUE(has(early, "`0.2 * min(c.speedup, 1)` is always 0 here: `else` takes all that follows") &&
              has(early, "`(if c.correct then 0.8 else 0) + 0.2 * min(c.speedup, 1)`"))
      << early;
  EXPECT_FALSE(has(early, "never comes near")) << early;
  EXPECT_TRUE(has(with("if c.correct then 0.8 else 0 + 0.2 * c.speedup"), "always 0 here"));
  EXPECT_TRUE(has(with("if c.correct then 0.8 else 0.2 * min(c.speedup, 1)"), "never above 0 here"));
  EXPECT_FALSE(has(with("(if c.correct then 0.8 else 0) + 0.2 * min(c.speedup, 1)"), "idle_condition"));

  const auto grouped = [](const std::string& reward) {
    return advice_on(
        "import example\ntrain t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = "
        "1e-4, reward(c) = " +
        reward + " }\nexperiment e : example.study { train = t }\n");
  };
  const std::string slow =
      grouped("if c.correct then 0.5 * min(c.speedup, 2) else if c.compiled then 0.3 else 0");
  EXPECT_TRUE(has(slow, "pays an incorrect kernel 0.3, and a correct one of half of PyTorch's speed 0.25") &&
              has(slow, "if c.correct then 0.4 + 0.6 * min(c.speedup, 1) else …"))
      << slow;
  EXPECT_EQ(grouped("if c.correct then 0.5 + 0.5 * min(c.speedup, 1) else if c.compiled then 0.3 else 0"),
            "");
}

TEST(Advice, OnAShorterControlOfAnotherTrainer) {
  std::string text = keep_study("controls = [imitate -> unfiltered]", "controls = [imitate, chance]");
  text.replace(text.find("vary = grid(reinforce.keep = [1, 4])"), 36, "vary = subsets(inputs)");
  text.replace(
      text.find("train unfiltered : reinforce { keep_by = random }"), 49,
      "train chance : grpo { tasks = windtunnel.level1[1..40], max_tokens = 256, learning_rate = 1e-4 }");
  const std::string said = advice_on(text);
  EXPECT_TRUE(has(said, "leaves a stage out and trains by grpo in place of best_of_n") &&
              has(said, "controls = [imitate, imitate -> chance]"))
      << said;
}

TEST(Advice, OnWordsForSchedulesOperatorsAndStages) {
  expect_advice({{"batch = 10 }",
                  "batch = 10, schedule = constant_with_warmup }",
                  {"write `constant`; the warm-up before it is a field of its own", "schedule = constant }"}},
                 {"split held_out = windtunnel.level1[41..60]",
                  "split held_out = where(windtunnel.level1[41..60], has(gemm))",
                  {"there is no operator `gemm`", "write `has(matmul)`"}},
                 {"split held_out = windtunnel.level1[41..60]",
                  "split held_out = where(windtunnel.level1[41..60], has(frobnicate))",
                  {"these tasks have `"}},
                 {"rows = cells + controls, columns",
                  "rows = cells, controls, columns",
                  {"rows are joined by `+`", "rows = cells + controls, columns"}},
                 {"rows = cells + controls, columns",
                  "rows = cells + controls + baseline, columns",
                  {"the model before training is always the last row"}},
                 {"train = imitate -> reinforce",
                  "train = imitate => reinforce",
                  {"join stages of training by `->`", "train = imitate -> reinforce"}},
                 {"keep = 4,",
                  "keep = 4, reward(c) = if c.correct then max(c.speedup, 0.3) else 0,",
                  {"clamp it: write `min(max(c.speedup, 0.3), 1)`"}},
                 {"keep = 4,",
                  "keep = 4, reward(c) = if c.correct then max(c.speedup, 1) else 0,",
                  {"`max` takes the larger of two: write `min(c.speedup, 1)`"}}});
  // A cell can't be named where settings vary, too.
  const std::string grid = advice_on(keep_study(
      "hypothesis helps { of = keep, contrast = reinforce.keep, metric = correct, expect = less }",
      "hypothesis helps { of = keep, against = imitate -> unfiltered, cell = [], metric = correct }"));
  EXPECT_TRUE(has(grid,
                  "compare in an experiment that varies extensions alone: `experiment NAME : keep { "
                  "vary = subsets(…) }`"))
      << grid;
}

TEST(Advice, OnFieldsOfWhatAnExperimentNames) {
  const auto more = [](const std::string& fields) {
    return advice_on(keep_study() + "experiment longer : keep { " + fields + " }\n");
  };
  EXPECT_TRUE(has(more("rounds = 12"), "`override { reinforce.rounds = 12 }`") &&
              has(more("rounds = 12"), "perhaps"))
      << more("rounds = 12");
  EXPECT_TRUE(has(more("lr = 3e-4"),
                  "`override { imitate.learning_rate = 0.0003 }`, or "
                  "`reinforce.learning_rate`"))
      << more("lr = 3e-4");
  EXPECT_TRUE(has(more("samples = 8"), "`override { exam.samples = 8 }`")) << more("samples = 8");
  const std::string both = more("rank = 8, override { reinforce.rounds = 12 }");
  EXPECT_TRUE(has(both, "`override { writer.rank = 8 }`") && !has(both, "perhaps")) << both;
  const std::string imported = advice_on("import example\nexperiment e : example.study { rounds = 12 }\n");
  EXPECT_TRUE(has(imported, "override { example.reinforce.rounds = 12 }")) << imported;
  EXPECT_TRUE(has(more("seed = 3"), "seeds")) << more("seed = 3");
  const std::string reward = more("reward(c) = if c.correct then 1 else 0");
  EXPECT_TRUE(has(reward, "`override { reinforce.reward(c) = … }`")) << reward;
}

TEST(Advice, OnWhatACorpusLeavesOut) {
  // One line leaves out what both evaluations ask.
  std::string both = keep_study(", exclude = held_out", "");
  both.replace(both.find("evaluate = exam,"), 16, "evaluate = exam, dev = tuning,");
  both += "evaluation tuning : exam { split = windtunnel.level2[41..60] }\n";
  EXPECT_TRUE(has(advice_on(both), "exclude = exam.split + tuning.split)")) << advice_on(both);
  expect_advice(
      {{", exclude = held_out", "", {"error[exam_overlap]", "level2 = 40, exclude = exam.split), batch"}},
       {"exclude = held_out", "exclude = windtunnel.level1[1..2]", {"level1[1..2] + exam.split)"}},
       {"exclude = held_out", "exclude = exam", {"exclude = exam.split)"}},
       {"exclude = held_out", "exclude = [held_out]", {"exclude = held_out)"}},
       {"exclude = held_out",
        "exclude = [held_out, windtunnel.level1[1..2]]",
        {"expected a set of tasks, found a list"},
        {"perhaps"}},
       {"tasks = windtunnel.level1[1..40]", "tasks = exam", {"tasks = exam.split,"}}});
}

// What is advised leads to no further finding.
TEST(Advice, OnAMarginThatTheDesignSupports) {
  for (const char* seeds : {"seeds = 1..5", "seeds = 1..20"}) {
    std::string text = keep_study("expect = less", "expect = same");
    text.replace(text.find("seeds = 1..5"), 12, seeds);
    CheckOptions options = test::in_memory({{"test.trl", text}});
    options.try_fixes = true;
    const Checked checked = check_file("test.trl", options);
    ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
    ASSERT_EQ(checked.diagnostics[0].fixes.size(), 1u) << render(checked.diagnostics, checked.sources);
    const Fix& fix = checked.diagnostics[0].fixes[0];
    text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
    EXPECT_EQ(advice_on(text), "") << text;
  }
  std::string alone = keep_study("expect = less", "expect = same");
  EXPECT_TRUE(has(advice_on(alone.replace(alone.find("seeds = 1..5"), 12, "seeds = [1]")), "`seeds = 1..3`"));
}

TEST(Advice, OnRewardsOnAnotherScale) {
  const auto reward = [](const std::string& formula) {
    return advice_on(keep_study("rounds = 2", "rounds = 2, reward(c) = " + formula));
  };
  EXPECT_TRUE(has(reward("if c.correct then 70 + 30 * min(c.speedup, 1) else c.credit"),
                  "/ 100`, so that 100 becomes 1"));
  EXPECT_TRUE(has(reward("if c.correct then 1 + min(c.speedup, 1) else 0"), "/ 2`, so that 2 becomes 1"));
  const std::string unbounded = reward("if c.correct then c.speedup else 0");
  EXPECT_TRUE(has(unbounded, "clamp it: `if c.correct then min(c.speedup, 1) else 0`"));
  EXPECT_FALSE(has(unbounded, "becomes"));
}

/// The text of the first correction of a program, applied to it; the program itself where there is none.
std::string corrected(const std::string& program, const std::string& rule) {
  CheckOptions options = test::in_memory({{"test.trl", program}});
  options.try_fixes = true;
  for (const Diagnostic& d : check_file("test.trl", options).diagnostics)
    if (d.rule == rule && !d.fixes.empty()) {
      const Fix& fix = d.fixes.front();
      std::string text = program;
      return text.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.text);
    }
  return program;
}

TEST(Advice, OnRewardsIsOneRewriteThatPasses) {
  const auto study = [](const std::string& formula) {
    return "import example\ntrain t : example.reinforce { reward(c) = " + formula +
           " }\nexperiment e : example.study { train = t }\n";
  };
  for (const auto& [formula, instead] : std::vector<std::pair<std::string, std::string>>{
           {"if c.correct then log(c.speedup) else 0",
            "if c.correct then clamp(log(max(c.speedup, 0.01)), 0, 1) else 0"},
           {"if c.correct then sqrt(c.speedup) else 0", "if c.correct then min(sqrt(c.speedup), 1) else 0"},
           {"if c.correct then exp(c.speedup) / 10 else 0",
            "if c.correct then min(exp(min(c.speedup, 20)) / 10, 1) else 0"},
           {"if c.correct then 1 else -1", "if c.correct then 1 else 0"},
           {"if c.correct then c.speedup ^ 0.5 else 0", "if c.correct then min(c.speedup ^ 0.5, 1) else 0"},
           {"if c.correct then 80 + 20 * min(c.speedup, 1) else 0",
            "(if c.correct then 80 + 20 * min(c.speedup, 1) else 0) / 100"}}) {
    EXPECT_TRUE(has(advice_on(study(formula)), "`" + instead + "`")) << advice_on(study(formula));
    EXPECT_EQ(corrected(study(formula), "reward_range"), study(instead));
    EXPECT_EQ(advice_on(study(instead)), "");
  }
}

TEST(Advice, OnFunctionsOfOtherLanguagesInRewards) {
  const auto study = [](const std::string& formula) {
    return "import example\ntrain t : example.reinforce { reward(c) = " + formula +
           " }\nexperiment e : example.study { train = t }\n";
  };
  for (const auto& [formula, instead] : std::vector<std::pair<std::string, std::string>>{
           {"if c.correct then tanh(c.speedup) else 0",
            "if c.correct then (1 - 2 / (exp(2 * min(c.speedup, 20)) + 1)) else 0"},
           {"if c.correct then sigmoid(c.speedup) else 0",
            "if c.correct then (1 / (1 + exp(-max(c.speedup, -20)))) else 0"},
           {"if c.correct then min(np.log1p(c.speedup), 1) else 0",
            "if c.correct then min(log(1 + c.speedup), 1) else 0"},
           {"float(c.correct) * min(pow(c.speedup, 2), 1)",
            "(if c.correct then 1 else 0) * min(pow(c.speedup, 2), 1)"},
           {"where(c.correct, 1, 0)", "(if c.correct then 1 else 0)"}})
    EXPECT_EQ(corrected(study(formula), "unknown_name"), study(instead)) << advice_on(study(formula));
  // Of one that lacks a clamp, too, the whole formula is said.
  EXPECT_TRUE(has(advice_on(study("if c.correct then log2(c.speedup) else 0")),
                  "`if c.correct then clamp(log(max(c.speedup, 0.01)) / log(2), 0, 1) else 0`"))
      << advice_on(study("if c.correct then log2(c.speedup) else 0"));
  EXPECT_TRUE(has(advice_on(study("if c.correct then zeta(c.speedup) else 0")), "functions of formulas are"));
}

TEST(Advice, OnBatchesThatAreNeverFilledUp) {
  const auto rl = [](const std::string& fields) {
    return advice_on("import example\ntrain t : example.reinforce { " + fields +
                     " }\nexperiment e : example.study { train = t }\n");
  };
  const std::string kept = rl("tasks_per_round = 4, candidates = 8, keep = 3, epochs = 4, batch = 64");
  EXPECT_TRUE(has(kept, "at most 12 answers in a round and a batch of 64") &&
              has(kept, "each of the 4 epochs is one step") && has(kept, "`batch = 12`") &&
              has(kept, "`batch = 2` for several steps"))
      << kept;
  EXPECT_EQ(rl("tasks_per_round = 4, candidates = 8, keep = 3, epochs = 4, batch = 12"), "");
  // The split has six tasks.
  EXPECT_TRUE(has(rl("tasks_per_round = 64, candidates = 8, keep = 3, epochs = 4, batch = 32"),
                  "at most 18 answers"));
  // A batch that nobody wrote is the schema's.
  EXPECT_EQ(rl("tasks_per_round = 2, candidates = 4, keep = 2"), "");
  const std::string pairs = advice_on(
      "import example\ntrain t : dpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3, "
      "candidates = 4, pairs = 2, batch = 128 }\nexperiment e : example.study { train = t }\n");
  EXPECT_TRUE(has(pairs, "at most 8 pairs in a round")) << pairs;
  const std::string varied =
      advice_on(changed_study({{"grid(reinforce.keep = [1, 4])", "grid(reinforce.batch = [16, 1024])"},
                               {"keep = 4,", "keep = 4, learning_rate = 1e-3,"}}));
  EXPECT_TRUE(has(varied, "batch_exceeds_samples")) << varied;
}

TEST(Advice, OnBatchesIsARoundNumber) {
  const auto sft = [](int samples, int batch) {
    return advice_on(keep_study(
        "level1 = 60, level2 = 40, exclude = held_out), batch = 10",
        "level1 = " + std::to_string(samples) + ", exclude = held_out), batch = " + std::to_string(batch)));
  };
  EXPECT_TRUE(has(sft(510, 256), "a batch of 48")) << sft(510, 256);
  EXPECT_TRUE(has(sft(1000, 500), "a batch of 96")) << sft(1000, 500);
  EXPECT_TRUE(has(sft(130, 64), "a batch of 8")) << sft(130, 64);
  EXPECT_TRUE(has(sft(60, 64), "a batch of 4")) << sft(60, 64);
}

TEST(Advice, OnTasksInTwoSpellings) {
  const auto tasks = [](const std::string& suite, const std::string& use = "tasks = mine") {
    return advice_on("import example\nimport windtunnel\nsuite mine { " + suite +
                     " }\ntrain t : example.reinforce { " + use +
                     " }\nexperiment e : example.study { train = t }\n");
  };
  const std::string relus =
      tasks("task a[N = 4096](x: f32[N]) = exp(relu(x))\n task b[N = 4096](y: f32[N]) = exp(maximum(y, 0))");
  EXPECT_TRUE(has(relus, "`mine/2` (b) is `mine/1` (a) in another spelling") &&
              has(relus, "training asks it twice as often"))
      << relus;
  EXPECT_TRUE(has(tasks("task a[N = 4096](x: f32[N]) = exp(x / 4)\n task b[N = 4096](x: f32[N]) = "
                        "exp(x * (1 / 4))"),
                  "respelt_task"));
  for (const char* other :
       {"task a[N = 4096](x: f32[N]) = exp(x / 4)\n task b[N = 4096](x: f32[N]) = exp(x / 2)",
        "task a[N = 4096](x: f32[N]) = exp(relu(x))\n task b[N = 512](x: f32[N]) = "
        "exp(maximum(x, 0))",
        "task a[N = 4096](x: f32[N]) = leaky_relu(x, 0.1)\n task b[N = 4096](x: f32[N]) "
        "= leaky_relu(x, 0.2)"})
    EXPECT_FALSE(has(tasks(other), "respelt_task")) << other;
}

TEST(Advice, OnTrainingWhoseRewardHasNoControl) {
  const auto study = [](const std::string& train, const std::string& controls, const std::string& more = "") {
    return advice_on(
        "import example\nimport windtunnel\n"
        "train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }\n"
        "train rl : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-3 }\n"
        "train chance : rl { reward(c) = mod(c.tokens, 2) / 2 }\n"
        "train other : example.reinforce { tasks = example.easy }\n"
        "experiment e : example.study { train = " +
        train + ", controls = [" + controls + "]" + more +
        " }\ntable main { of = e, rows = cells + controls }\n");
  };
  const std::string none = study("first -> rl", "");
  EXPECT_TRUE(has(none, "no_reward_control") && has(none, "a gain may be that of `first` alone") &&
              has(none, "`controls = [first]`") && has(none, "`first -> chance`"))
      << none;
  const std::string alone = study("rl", "");
  EXPECT_TRUE(has(alone, "any training on the model's own samples") && has(alone, "`controls = [chance]`"))
      << alone;
  const std::string another = study("first -> rl", "first -> other");
  EXPECT_TRUE(has(another, "every control of `e` is trained by another way than `rl`")) << another;
  for (const auto& [train, controls] : std::vector<std::pair<std::string, std::string>>{
           {"first -> rl", "first"}, {"first -> rl", "first -> chance"}, {"rl", "chance"}}) {
    const std::string text = study(train, controls);
    for (const char* rule : {"no_reward_control", "ignores_correctness", "reward_range", "pays_padding"})
      EXPECT_FALSE(has(text, rule)) << text;
  }
  EXPECT_FALSE(has(study("rl", "", ", vary = grid(rl.rounds = [4, 8])"), "no_reward_control"));
}

TEST(Advice, OnRewardsOfPadding) {
  const auto reward = [](const std::string& formula) {
    return has(advice_on(keep_study("rounds = 2", "rounds = 2, reward(c) = " + formula)), "pays_padding");
  };
  EXPECT_TRUE(reward("if c.correct then min(0.5 + c.launches / 100, 1) else 0"));
  EXPECT_TRUE(reward("if c.correct then 0.5 + c.tokens / 512 else 0"));
  EXPECT_TRUE(reward("if c.correct then 1 - 1 / max(c.launches + 1, 2) else 0"));
  // A least length that is asked for, and more that is worth less.
  EXPECT_FALSE(reward("if c.correct and c.tokens > 50 then 1 else 0"));
  EXPECT_FALSE(reward("if c.correct then 1 - c.tokens / 512 else 0"));
  EXPECT_FALSE(reward("if c.correct then 0.6 + 0.4 / max(c.launches, 1) else 0"));
  EXPECT_FALSE(reward("if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else 0"));
}

TEST(Advice, OnWeightsThatCannotBeRun) {
  const auto weights = [](const std::string& written) {
    return advice_on(keep_study("weights = windtunnel.base", "weights = " + written));
  };
  const auto refused = [&](const std::string& name) {
    return has(weights("huggingface(\"" + name + "\")"), "unsupported_model");
  };
  for (const char* name :
       {"Qwen/Qwen2.5-Coder-7B-Instruct-AWQ", "TheBloke/CodeLlama-7B-GGUF", "Qwen/Qwen3-8B-FP8",
        "unsloth/Qwen3-8B-bnb-4bit", "deepseek-ai/DeepSeek-V3", "mistralai/Mistral-7B-v0.3",
        "google/gemma-2-9b", "Qwen/Qwen3-30B-A3B", "Qwen/Qwen2.5-VL-7B-Instruct",
        "meta-llama/Llama-4-Scout-17B-16E", "bigcode/starcoder", "microsoft/phi-4", "openai/gpt-oss-20b",
        "deepseek-ai/DeepSeek-R1"})
    EXPECT_TRUE(refused(name)) << name;
  for (const char* name : {"Qwen/Qwen2.5-Coder-7B-Instruct", "Qwen/Qwen3-8B", "meta-llama/Llama-3.1-8B",
                           "bigcode/starcoder2-7b", "deepseek-ai/deepseek-coder-6.7b-base",
                           "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B", "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B",
                           "me/delphi-7b", "me/kernel-writer", "me/qwen2.5-beats-mistral"})
    EXPECT_FALSE(refused(name)) << name;
  EXPECT_TRUE(has(weights("huggingface(\"Qwen/Qwen2.5-Coder-7B-Instruct-AWQ\")"),
                  "perhaps: model base { weights = huggingface(\"Qwen/Qwen2.5-Coder-7B-Instruct\")"));
  EXPECT_TRUE(has(weights("path(\"model.gguf\")"), "names a file"));
  EXPECT_TRUE(has(weights("path(\"$HOME/model\")"), "write \"~/model\""));
  EXPECT_TRUE(has(weights("random()"), "warning[random_weights]"));
  const auto config = [](const std::string& text) {
    CheckOptions options =
        test::in_memory({{"test.trl", keep_study("weights = windtunnel.base", "weights = path(\"m\")")},
                         {"m/config.json", text}});
    const Checked checked = check_file("test.trl", options);
    return render(checked.diagnostics, checked.sources);
  };
  EXPECT_TRUE(has(config(R"({"model_type": "mixtral"})"), "error[unsupported_model]"));
  EXPECT_TRUE(has(config(R"({"model_type": "qwen2", "quantization_config": {"bits": 4}})"), "quantised"));
  EXPECT_FALSE(has(config(R"({"model_type": "qwen2"})"), "unsupported_model"));
}

TEST(Advice, OnStopTextsThatAnswersHaveEarly) {
  const auto stop = [](const std::string& text) {
    return has(advice_on(keep_study("samples = 4", "samples = 4, stop = [\"" + text + "\"]")), "early_stop");
  };
  for (const char* text : {"```", "```python", "\\n```triton", "\\n", "\\n\\n", "<|im_end|>", "</s>"})
    EXPECT_TRUE(stop(text)) << text;
  for (const char* text : {"\\n```", "```\\n", "\\n```\\n", "END", "# done", "\\nclass ModelNew2"})
    EXPECT_FALSE(stop(text)) << text;
}

TEST(Advice, OnAPromptInAnotherLanguage) {
  const auto prompt = [](const std::string& text, const std::string& language = "triton") {
    std::string program =
        keep_study("weights = windtunnel.base", "weights = windtunnel.base, prompt = \"" + text + "\"");
    return advice_on(
        program.replace(program.find("seeds = 1..5"), 12, "seeds = 1..5, language = " + language));
  };
  EXPECT_TRUE(has(prompt("Write a CUDA kernel:\\n{task}"), "prompt_language"));
  EXPECT_TRUE(has(prompt("Write it in CUDA.\\n{task}"), "prompt_language"));
  EXPECT_TRUE(has(prompt("Write a Triton kernel:\\n{task}", "cuda"), "prompt_language"));
  EXPECT_FALSE(has(prompt("Write a Triton kernel for a CUDA device:\\n{task}"), "prompt_language"));
  EXPECT_FALSE(has(prompt("Tensors are on a CUDA device.\\n{task}"), "prompt_language"));
  EXPECT_FALSE(has(prompt("Write a {language} kernel:\\n{task}", "cuda"), "prompt_language"));
  EXPECT_TRUE(has(prompt("Write ${language}: {task}"), "write {language}, without another sign"));
  EXPECT_TRUE(has(prompt("Write a kernel: {{task}}"), "write {task}, without another sign"));
}

TEST(Advice, OnARepositoryByItsAddress) {
  const auto weights = [](const std::string& name) {
    return advice_on(keep_study("weights = windtunnel.base", "weights = huggingface(\"" + name + "\")"));
  };
  for (const char* name : {"https://huggingface.co/Qwen/Qwen3-8B", "huggingface.co/Qwen/Qwen3-8B/tree/main",
                           "hf.co/Qwen/Qwen3-8B/", "Qwen/Qwen3-8B:main"})
    EXPECT_TRUE(has(weights(name), "{ weights = huggingface(\"Qwen/Qwen3-8B\") }")) << weights(name);
  EXPECT_TRUE(has(weights("Qwen/Qwen3-8B@v1"), "(\"Qwen/Qwen3-8B\", revision = \"v1\")"));
  EXPECT_FALSE(has(weights("Qwen/Qwen3-8B"), "repository_name"));
}

TEST(Advice, OnWordsForChoices) {
  expect_advice({{"rank = 16", "rank = 16, alpha = 2 * rank", {"`rank = shared`"}}});
  expect_advice(
      {{"expect = less", "expect = lower", {"write `less`", "expect = less }"}},
       {"expect = less", "expect = no_difference", {"write `same`"}},
       {"expect = less", "expect = higher", {"expect = greater }"}},
       {"columns = [valid, correct, speedup]", "columns = [fast@1]", {"columns = [fast(1)]"}},
       {"rank = 16", "rank = 16, targets = \"all-linear\"", {"targets = all_linear }"}},
       {"train = imitate -> reinforce", "train = imitate + reinforce", {"train = imitate -> reinforce,"}},
       {"rounds = 2", "rounds = 2, reward(c) = if c.passed then 1 else 0", {"if c.correct then 1 else 0"}},
       {"seeds = 1..5\n}", "seeds = 1..5, machine = m\n}\nmachine m { gpu = \"H100\" }", {"is an H100"}}});
}

TEST(Advice, OnArgumentsBlocksAndFactors) {
  const std::string variations = "variations = [original, reseed]", split = "windtunnel.level1[1..40]";
  expect_advice({{variations, "variations = [original, scale 2]", {"variations = [original, scale(2)]"}},
                 {variations, "variations = [original, resize(1.5x)]", {"resize(1.5)"}},
                 {split, "windtunnel.level1[:40]", {"windtunnel.level1[1..40]"}, {"level1[40]"}},
                 {split, "sample(windtunnel.level1, 40, seed = 1)", {"n = 40, seed = 1)", "1 error"}},
                 {split, "sample(windtunnel.level1, n = 40)", {"add `seed = …`"}},
                 {"weights = windtunnel.base", "weights = windtunnel.base, quantize = 4", {"quantize = nf4"}},
                 {"level1 = 60", "level1 = all", {"expected an integer"}, {"cells"}},
                 {"metric = correct", "metric = [correct, speedup]", {"has one value"}},
                 {"rounds = 2", "rounds = 2, min_reward > 0.5", {"written with `=`"}},
                 {"seeds = 1..5",
                  "seeds = 1..5, override = { reinforce.rounds = 3 }",
                  {"override { reinforce.rounds = 3 }"}}});
  const std::string staged = advice_on(
      "import example\nextension s : staged_evaluation { compile = 0.1 }\n"
      "experiment e : example.study { vary = subsets(s) }\n");
  EXPECT_TRUE(has(staged, "`failing { compile = … }`")) << staged;
}

TEST(Advice, OnNumbersWithoutTheirUnits) {
  const auto machine = [](const std::string& fields) {
    return advice_on(
        keep_study("seeds = 1..5\n}", "seeds = 1..5, machine = m\n}\nmachine m { " + fields + " }"));
  };
  EXPECT_TRUE(has(machine("memory = 81920"), "memory = 81920 MiB }"));
  EXPECT_TRUE(has(machine("memory = 80"), "memory = 80 GiB }"));
  EXPECT_TRUE(has(machine("memory = 80 GiB, spot = 2.5"), "spot = 2.5 usd / 1 h }"));
  EXPECT_TRUE(has(machine("memory = 80 GiB, spot = 2.5 usd"), "spot = 2.5 usd / 1 h }"));
  EXPECT_TRUE(has(machine("memory = 80 GiB, verify = 2"), "verify = 2 s }"));
  EXPECT_TRUE(has(machine("memory = 80 GiB, compute = 989 TFLOPS"), "compute = 989e12 }"));
  const auto endpoint = [](const std::string& argument) {
    return advice_on(
        "import example\nmodel m { weights = endpoint(\"http://localhost:8000/v1\", name = \"q\", " +
        argument + ") }\nexperiment e { model = m, evaluate = example.exam }\n");
  };
  EXPECT_TRUE(has(endpoint("price_in = 2.5"), "price_in = 2.5 usd)"));
  EXPECT_TRUE(has(endpoint("timeout = 60"), "timeout = 60 s)"));
  EXPECT_TRUE(has(endpoint("max_tokens = 512"), "is a field of `evaluation`"));
  EXPECT_FALSE(has(endpoint("api_key = \"sk-1\""), "key_env = \"sk-1\""));
}

TEST(Advice, OnNotationOfOtherLanguages) {
  expect_advice(
      {{"experiment more : keep {", "experiment more extends keep {", {"experiment more : keep {"}},
       {"hypothesis inputs_help {", "hypothesis inputs help {", {"hypothesis inputs_help {"}},
       {"[valid, correct, speedup]", "[correct as \"solved\"]", {"[titled(correct, \"solved\")]"}},
       {"vary = subsets(inputs) }", "extensions = inputs, helper }", {"write a list in brackets"}},
       {"grid(reinforce.keep = [1, 4])", "grid(reinforce.keep = 1, 4)", {"`grid(path = [1, 2])`"}},
       {"metric = correct, expect", "metric = correct, allow(underpowered), expect", {"give the reason"}}});
}

TEST(Advice, OnTheModelInPlaceOfAControl) {
  expect_advice({{"contrast = reinforce.keep", "against = base", {"last row of every table"}, {"perhaps"}}});
}

TEST(Advice, OnPricesInTheOtherOrder) {
  const auto prices = [](const std::string& in, const std::string& out) {
    return advice_on(
        "import example\nmodel m { weights = endpoint(\"http://localhost:8000/v1\", name = \"q\", price_in "
        "= " +
        in + " usd, price_out = " + out + " usd) }\nexperiment e { model = m, evaluate = example.exam }\n");
  };
  EXPECT_TRUE(has(prices("2", "0.25"), "`price_in = 0.25 usd, price_out = 2 usd`"));
  EXPECT_FALSE(has(prices("0.25", "2"), "token_price"));
  EXPECT_FALSE(has(prices("1", "1"), "token_price"));
}

TEST(Advice, OnPricesOfFewerTokens) {
  const auto price = [](const std::string& usd) {
    return advice_on(
        "import example\nmodel m { weights = endpoint(\"http://localhost:8000/v1\", name = \"q\", price_in "
        "= " +
        usd + " usd, price_out = 10 usd) }\nexperiment e { model = m, evaluate = example.exam }\n");
  };
  EXPECT_TRUE(has(price("0.0025"), "price of a thousand tokens, write that of a million: `2.5 usd`"));
  EXPECT_TRUE(has(price("0.00000005"), "price of one token, write that of a million: `0.05 usd`"));
  EXPECT_TRUE(has(price("0.00002"), "`20 usd` if this is that of one token, `0.02 usd`"));
  EXPECT_FALSE(has(price("0.02"), "token_price"));
}

TEST(Advice, OnAFunctionInPlaceOfADeclaration) {
  expect_advice(
      {{"model = base",
        "model = windtunnel.base",
        {"`windtunnel.base` gives weights", "name the model that has it: `base`", "perhaps: "}},
       {"model = base", "model = windtunnel.corpus", {"`windtunnel.corpus` gives "}, {"perhaps: "}}});
}

TEST(Advice, OnRewardsThatDoNotActAsTheyRead) {
  const auto reward = [](const std::string& formula) {
    return advice_on(
        "import example\ntrain t : grpo { tasks = example.easy, max_tokens = 256, learning_rate = 1e-4\n"
        "  reward(c) = " +
        formula + " }\nexperiment e : example.study { train = t }\n");
  };
  EXPECT_TRUE(
      has(reward("if c.correct then 0.7 + 0.3 * max(c.speedup, 1) else 0"), "write `min(c.speedup, 1)`"));
  EXPECT_TRUE(has(reward("if c.correct and c.time < 0.001 then 1 else c.credit"), "in microseconds"));
  EXPECT_TRUE(has(reward("if c.correct and c.speedup > 120 then 1 else c.credit"), "never holds here"));
  EXPECT_TRUE(has(reward("if c.correct and c.tokens < 4096 then 1 else 0"), "always holds here"));
  EXPECT_TRUE(has(reward("if c.correct or c.compiled then 0.5 + 0.5 * min(c.speedup, 1) else 0"),
                  "`c.correct` changes nothing beside `c.compiled`"));
  EXPECT_TRUE(has(reward("if c.correct then 0.5 + 0.5 * min(c.tokens / 100000, 1) else 0"),
                  "this bound does nothing"));
  EXPECT_TRUE(has(reward("0.2 + (if c.correct then 0.8 else 0)"), "pays every answer 0.2"));
  for (const char* sound :
       {"if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else c.credit",
        "if c.correct and c.speedup > 0 then clamp(c.speedup / 2, 0.1, 1) else 0",
        "if c.valid and c.compiled and c.correct then 1 / max(c.launches, 1) else 0",
        "if c.correct then 1 else if c.compiled then 0.2 else if c.valid then 0.1 else 0"})
    EXPECT_EQ(reward(sound), "") << sound;
}

TEST(Advice, OnControlsThatCompareNothing) {
  expect_advice(
      {{"controls = [imitate -> unfiltered]\n  evaluate = exam, vary = grid(reinforce.keep = [1, 4])",
        "controls = [imitate -> unfiltered]\n  evaluate = exam, vary = grid(reinforce.keep_by = [reward, "
        "random])",
        {"this control trains as the cell `"}},
       {"controls = [imitate -> unfiltered]",
        "controls = [imitate -> unfiltered -> imitate]",
        {"trained by a stage more than the study"}},
       {"experiment more : keep { vary = subsets(inputs) }",
        "experiment more : keep {}",
        {"`more` is `keep` once more"}}});
}

TEST(Advice, OnTasksAsOthersWriteThem) {
  const auto tasks = [](const std::string& kind, const std::string& task) {
    return advice_on(
        "import example\n" + kind + " mine { task a[B = 4, M = 64, N = 64]" + task +
        " }\nevaluation x : example.exam { split = mine }\nexperiment e : example.study { evaluate = x }\n");
  };
  EXPECT_TRUE(has(tasks("dataset", "(x: f32[M, N]) = relu(x)"), "write `suite mine { task … }`"));
  EXPECT_TRUE(has(tasks("suite", "(x: f32[M, N]) = layer_norm(x, N)"), "`axis = -1`"));
  EXPECT_TRUE(has(tasks("suite", "(x: f32[M, N]) = layer_norm(x, normalized_shape = N)"), "`axis = -1`"));
  EXPECT_TRUE(has(tasks("suite", "(q: f32[B, M, N], k: f32[B, M, N]) = q @ k.T"), "transpose(k, -2, -1)"));
  EXPECT_TRUE(has(tasks("suite", "(x: f32[M, N]) = sqrt(x - 1)"), "is NaN for many of its inputs"));
  EXPECT_TRUE(
      has(tasks("suite", "(x: f32[M, N]) = x * rsqrt(mean(x, axis = 1, keepdim = true))"), "undefined_task"));
  for (const char* sound : {"(x: f32[M, N]) = sqrt(x * x + 1)", "(x: f32[M, N]) = where(x > 0, log(x), x)",
                            "(x: f32[M, N]) = log(relu(x) + 1)", "(x: f32(0..4)[M, N]) = sqrt(x)",
                            "(x: f32[M, N]) = x * rsqrt(mean(x ^ 2, axis = 1, keepdim = true) + 0.00001)",
                            "(x: f32[M, N]) = x ^ 3"})
    EXPECT_FALSE(has(tasks("suite", sound), "undefined_task")) << sound;
}

TEST(Advice, OnNumbersBesideTheirScale) {
  expect_advice({{"speedup] }", "fast(120)] }", {"`fast(1.2)` counts"}},
                 {"speedup] }", "fast(20%)] }", {"`fast(1.2)` counts"}},
                 {"samples = 4, max_tokens = 256", "samples = 4, max_tokens = 32", {"hold no kernel"}},
                 {"keep = 4, max", "epochs = 2.5, keep = 4, max", {"`2` or `3`"}},
                 {"grid(reinforce.keep =", "grid(reinforce.keeps =", {"did you mean `keep`?"}},
                 {"windtunnel.level1[1..40]", "windtunnel.level7[1..40]", {"level1"}}});
  const std::string longer = advice_on(
      "import example\ntrain t : example.reinforce { max_tokens = 16384 }\nexperiment e : example.study { "
      "train = t }\n");
  EXPECT_TRUE(has(longer, "1024 leave half"));
  EXPECT_FALSE(has(longer, "truncated_exam"));
}

TEST(Advice, OnOverlapsThatAreToldOnce) {
  const auto study = [](const std::string& seen, const std::string& held_out, const std::string& tune,
                        const std::string& exclude) {
    return advice_on("import example\nimport windtunnel\nsplit seen = " + seen +
                     "\nsplit held_out = " + held_out + "\nsplit tune = " + tune +
                     "\ntrain first : sft { data = windtunnel.corpus(level1 = 160, exclude = " + exclude +
                     "), batch = 16 }\ntrain rl : example.reinforce { tasks = seen }\n"
                     "evaluation exam : example.exam { split = held_out }\nevaluation tuning : example.exam "
                     "{ split = tune }\n"
                     "experiment e : example.study { train = first -> rl, evaluate = exam, dev = tuning }\n");
  };
  const std::string level = "windtunnel.level1";
  // A set that is left out may have a task twice: the overlap itself is the mistake.
  const std::string twice =
      study(level + "[1..20]", level + "[41..60]", level + "[51..60]", "held_out + tune");
  EXPECT_TRUE(has(twice, "tuned_on_exam")) << twice;
  EXPECT_FALSE(has(twice, "duplicate_task")) << twice;
  // What `dev` shares with the exam isn't told again of training.
  const std::string both = study(level + "[1..50]", level + "[41..60]", level + "[41..50]", "held_out");
  EXPECT_TRUE(has(both, "`exam` examines what `rl` trains on") && has(both, "tuned_on_exam")) << both;
  EXPECT_FALSE(has(both, "`tuning` examines")) << both;
  EXPECT_TRUE(has(both, "train on the others: `tasks = … - exam.split`") &&
              has(both, "tasks = seen - exam.split"))
      << both;
  // All of the exam is trained on: the exam is the one to change.
  const std::string all = study(level + "[1..40]", level + "[1..40]", level + "[41..50]", "held_out + tune");
  EXPECT_TRUE(has(all, "write `split = windtunnel.level1[41..60]`")) << all;
}

TEST(Advice, OnClaimsWithTheWrongSign) {
  const auto claim = [](const std::string& name, const std::string& fields) {
    return has(
        advice_on("import example\nexperiment e : example.study { vary = subsets(example.pace), seeds = "
                  "1..3 }\nhypothesis " +
                  name + " { of = e, contrast = example.pace, " + fields + " }\n"),
        "contrary_claim");
  };
  EXPECT_TRUE(claim("pace_helps", "metric = correct, expect = less"));
  EXPECT_TRUE(claim("better_cost", "metric = cost, expect = greater"));
  EXPECT_FALSE(claim("pace_hurts", "metric = correct, expect = less"));
  EXPECT_FALSE(claim("pace_helps", "metric = correct, expect = different"));
  EXPECT_FALSE(claim("no_gain", "metric = correct, expect = less"));
}

TEST(Advice, OnStagesInAnOrderThatUndoesThem) {
  const auto study = [](const std::string& train) {
    return advice_on(
        "import example\nimport windtunnel\n"
        "train first : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }\n"
        "train second : first {}\nexperiment e : example.study { train = " +
        train + " }\n");
  };
  EXPECT_TRUE(has(study("example.reinforce -> first"), "imitation overwrites what rewards taught"));
  EXPECT_FALSE(has(study("first -> example.reinforce"), "stage_order"));
  EXPECT_FALSE(has(study("first -> second -> example.reinforce"), "stage_order"));
}

TEST(Advice, OnRewardsThatHardlyAnyAnswerGets) {
  const auto sparse = [](const std::string& formula) {
    return has(advice_on(keep_study("rounds = 2", "rounds = 2, reward(c) = " + formula)), "sparse_reward");
  };
  EXPECT_TRUE(sparse("if c.correct and c.speedup > 4 then 1 else 0"));
  EXPECT_TRUE(sparse("if c.correct then min(c.speedup / 10, 1) else 0"));
  EXPECT_FALSE(sparse("if c.correct and c.speedup > 1.5 then 1 else 0"));
  EXPECT_FALSE(sparse("if c.correct then 0.6 + 0.4 * min(c.speedup / 10, 1) else 0"));
}

TEST(Advice, OnSlipsThatWereSilent) {
  EXPECT_TRUE(
      has(advice_on(keep_study("vary = grid(reinforce.keep = [1, 4])", "vary = reinforce.keep in [1, 4]")),
          "vary = grid(reinforce.keep = [1, 4])"));
  EXPECT_TRUE(has(
      advice_on(keep_study("rounds = 2", "rounds = 2, reward(c) = if c.correct then 1 / c.tokens else 0")),
      "`max(c.tokens, 1)`"));
  expect_advice(
      {{"speedup] }", "fast(0)] }", {"`fast(0)` is `correct`"}},
       {"keep = 4, max_tokens = 256", "keep = 4, max_tokens = 64", {"cuts answers off at 64 tokens"}},
       {"contrast = reinforce.keep",
        "against = unfiltered",
        {"with all of its stages: `imitate -> unfiltered`"}},
       {"rounds = 2",
        "rounds = 2, reward(c) = c.correct * min(c.speedup, 1)",
        {"write `(if c.correct then 1 else 0)`"}},
       {"rounds = 2", "rounds = 2, reward(c) = c.correct", {"(if c.correct then 1 else 0)"}}});
  const auto task = [](const std::string& value) {
    return has(advice_on("suite s { task t[M = 64, N = 256](x: f32[M, N]) = " + value + " }\n"),
               "axis_or_bound");
  };
  EXPECT_TRUE(task("max(x, 0)"));
  EXPECT_FALSE(task("max(x, 1)") || task("maximum(x, 0)") || task("max(x, axis = 0)"));
}

}  // namespace
}  // namespace trl::language
