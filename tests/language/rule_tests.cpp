// Every rule's own examples: the good one has no finding, the bad one has the rule's.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "language/diagnostics/render.hpp"
#include "language/diagnostics/rule.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

bool finds(const Checked& checked, std::string_view rule) {
  return std::any_of(checked.diagnostics.begin(), checked.diagnostics.end(),
                     [&](const Diagnostic& d) { return d.rule == rule; });
}

/// Checks an example. The manifest of the embedded model's pretraining is the installed one.
Checked check_example(std::string_view text) {
  std::map<std::string, std::string> files;
  if (text.find("windtunnel.base") != text.npos)
    files["memory/windtunnel/manifest.json"] =
        read_from_disk(TRL_EXPERIMENTS "/../stdlib/windtunnel/manifest.json").value();
  return test::check_text(std::string(text), std::move(files));
}

class EveryRule : public testing::TestWithParam<const Rule*> {};

TEST_P(EveryRule, HasAnExampleThatKeepsIt) {
  const Rule& rule = *GetParam();
  const Checked checked = check_example(rule.good);
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
}

TEST_P(EveryRule, FindsTheExampleThatBreaksIt) {
  const Rule& rule = *GetParam();
  if (rule.bad.size() < 2) GTEST_SKIP() << "needs files; see below";
  const Checked checked = check_example(rule.bad);
  EXPECT_TRUE(finds(checked, rule.id)) << render(checked.diagnostics, checked.sources);
  EXPECT_EQ(checked.has_errors(), rule.severity == Severity::error);
  EXPECT_EQ(checked.resolved.has_value(), !checked.has_errors());
  for (const Diagnostic& d : checked.diagnostics)
    EXPECT_EQ(d.rule, rule.id) << "one mistake must give one finding";
}

TEST_P(EveryRule, SaysWhyItExistsInOneSentence) {
  const std::string_view reason = GetParam()->reason;
  EXPECT_TRUE(reason.ends_with('.'));
  EXPECT_EQ(std::count(reason.begin(), reason.end(), '\n'), 0);
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryRule, testing::ValuesIn(all_rules()),
                         [](const auto& info) { return std::string(info.param->id); });

TEST(Rules, OfFilesAreListed) {
  std::size_t found = 0;
  for (const auto& file : std::filesystem::directory_iterator(TRL_EXPERIMENTS "/../language/check")) {
    if (file.path().extension() != ".cpp") continue;
    const std::string text = read_from_disk(file.path().string()).value();
    constexpr std::string_view begin = "\nconst Rule rules::";
    for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at + 1), ++found) {
      const auto name = at + begin.size();
      const std::string id = text.substr(name, text.find('{', name) - name);
      EXPECT_NE(find_rule(id), nullptr) << id << " lacks a line in language/check/rules.def";
    }
  }
  EXPECT_EQ(found, all_rules().size());
}

// `kernel_share: fraction in 75%..100%`: these are 0.75 and 1, not 75 and 100.
TEST(Rules, ALimitOfARecordsFieldInPercentIsAShare) {
  const auto check = [](const std::string& reward) {
    return test::check_text("import example\ntrain t : example.reinforce { reward(c) = if c.correct then " +
                            reward + " else 0 }\nexperiment e : example.study { train = t }\n");
  };
  for (const char* within : {"c.kernel_share", "4 * c.kernel_share - 3", "1 / c.kernel_share - 0.34"}) {
    const Checked checked = check(within);
    EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
  }
  for (const char* beyond :
       {"1.01 * c.kernel_share", "4.1 * c.kernel_share - 3.1", "c.kernel_share / 100 - 0.009"}) {
    const Checked checked = check(beyond);
    EXPECT_TRUE(finds(checked, "reward_range")) << beyond << render(checked.diagnostics, checked.sources);
  }
}

// Of training, exam and dev alike; not where the value is the default, or a design gives another.
TEST(Rules, WhatSaysWhichTokensAreDrawnIsIdleWhereItLeavesNothingOut) {
  const auto found = [](const std::string& train, const std::string& exam, const std::string& rest) {
    const Checked checked = test::check_text(
        "import example\nmodel m { weights = huggingface(\"Qwen/Qwen2.5-Coder-0.5B\") }\ntrain t : "
        "example.reinforce { " +
        train + " }\nevaluation x : example.exam { " + exam +
        " }\nexperiment e : example.study { model = m, train = t, evaluate = x" + rest + " }\n");
    int count = 0;
    for (const Diagnostic& d : checked.diagnostics) count += d.rule == "idle_setting";
    EXPECT_FALSE(checked.has_errors()) << render(checked.diagnostics, checked.sources);
    return count;
  };
  EXPECT_EQ(found("top_k = 151935, top_p = 0.9", "", ""), 0);
  EXPECT_EQ(found("top_k = 151936", "", ""), 1) << "the model has as many tokens";
  EXPECT_EQ(found("", "top_k = 200000", ""), 1);
  EXPECT_EQ(found("", "temperature = 0, top_p = 0.9, top_k = 5", ""), 2);
  EXPECT_EQ(found("", "temperature = 0, top_p = 1, top_k = none", ""), 0);
  EXPECT_EQ(found("top_k = 200000", "", ", vary = grid(t.top_k = [none, 20], t.top_p = [0.5, 1])"), 0);
  EXPECT_EQ(found("", "temperature = 0, stop = [\"x\", \"y\"]", ""), 0) << "a text ends a greedy answer, too";
}

// Answers that were given elsewhere are the same under every seed.
TEST(Rules, SeedsOfAnswersThatWereGivenAreIdle) {
  const auto found = [](const std::string& weights, const std::string& rest) {
    const Checked checked =
        test::check_text("import example\nmodel m { weights = " + weights +
                         " }\nexperiment e { model = m, evaluate = example.exam" + rest + " }\n");
    int count = 0;
    for (const Diagnostic& d : checked.diagnostics) count += d.rule == "idle_setting";
    return count;
  };
  const std::string given = "generations(path(\"runs/others\"))";
  EXPECT_EQ(found(given, ", seeds = 1..3"), 1);
  EXPECT_EQ(found(given, ", seeds = [4]"), 0);
  EXPECT_EQ(found(given, ""), 0);
  EXPECT_EQ(found("endpoint(\"http://localhost:1/v1\", name = \"x\")", ", seeds = 1..3"), 0);
}

/// What is said about a field of a GRPO declaration.
std::string said_of(const std::string& field) {
  const Checked checked = test::check_text(
      "import example\ntrain t : grpo { tasks = example.easy, max_tokens = 256, rounds = 100, "
      "tasks_per_round = 2, " +
      field + " }\nexperiment e : example.study { train = t }\n");
  return render(checked.diagnostics, checked.sources);
}

TEST(Rules, ABoundThatIsNoValueItselfIsRefused) {
  for (const char* field :
       {"learning_rate = 0", "clip = 0", "clip_ratio = 0", "clip_ratio = 0%", "clip_higher = 0"})
    EXPECT_NE(said_of(field).find(" is not above 0"), std::string::npos) << field << '\n' << said_of(field);
  EXPECT_NE(said_of("clip = 0").find("`clip` is above 0 and at most 1000, or `none`"), std::string::npos);
  EXPECT_NE(said_of("clip_ratio = 0").find("is above 0% and at most 100%"), std::string::npos);
  for (const char* field : {"clip = none", "clip = 0.001", "clip_higher = none"})
    EXPECT_EQ(said_of(field), "") << field;
  EXPECT_EQ(said_of("learning_rate = 1e-12").find(" is not above 0"), std::string::npos);
  for (const char* field : {"memory = 0 GiB", "memory = 40 GiB, bandwidth = 0 * (1 GiB / 1 s)"}) {
    const Checked checked = test::check_text(std::string("machine m { ") + field + " }\n");
    EXPECT_NE(render(checked.diagnostics, checked.sources).find("0 is not above 0"), std::string::npos)
        << field;
  }
}

TEST(Rules, AUnitIsRefusedWhereASettingHasNone) {
  for (const char* field : {"candidates = 8 tokens", "rounds = 2 tokens", "batch = 16 tokens"})
    EXPECT_NE(said_of(field).find("error[wrong_unit]"), std::string::npos) << field << said_of(field);
  const Checked checked = test::check_text("lora w { rank = 8 tokens }\n");
  EXPECT_NE(render(checked.diagnostics, checked.sources).find("expected an integer, found"),
            std::string::npos);
}

// A round has no task twice.
TEST(Rules, ARoundIsAsLargeAsThereAreTasks) {
  const auto rules = [](const std::string& train) {
    const Checked checked = test::check_text(
        "import example\ntrain t : grpo { tasks = example.easy[1..4], max_tokens = 256, candidates = 4, "
        "learning_rate = 1e-3, " +
        train + " }\nexperiment e : example.study { train = t }\n");
    std::set<std::string> found;
    for (const Diagnostic& d : checked.diagnostics) found.insert(d.rule);
    return found;
  };
  EXPECT_EQ(rules("tasks_per_round = 4"), std::set<std::string>());
  EXPECT_EQ(rules("tasks_per_round = 5"), std::set<std::string>{"too_few_tasks"});
  EXPECT_EQ(rules(""), std::set<std::string>()) << "the default is a bound";
  // 4 tasks of 4 answers are one step.
  EXPECT_EQ(rules("batch = 16, clip_ratio = 30%"), std::set<std::string>{"idle_setting"});
  EXPECT_EQ(rules("batch = 15, clip_ratio = 30%"), std::set<std::string>());
}

TEST(Rules, WeightsOfFewBitsAreNeverMerged) {
  const auto idle = [](const std::string& quantize, const std::string& sampled) {
    const Checked checked = test::check_text(
        "import example\nmodel m : example.base { quantize = " + quantize + " }\nlora w : example.writer { " +
        sampled + " }\nexperiment e : example.study { model = m, adapter = w }\n");
    return std::any_of(checked.diagnostics.begin(), checked.diagnostics.end(),
                       [](const Diagnostic& d) { return d.rule == "idle_setting"; });
  };
  EXPECT_TRUE(idle("nf4", "sampled = merged"));
  EXPECT_TRUE(idle("int8", "sampled = merged"));
  EXPECT_FALSE(idle("nf4", "sampled = unmerged"));
  EXPECT_FALSE(idle("nf4", "sampled = none"));
  EXPECT_FALSE(idle("nf4", ""));
  EXPECT_FALSE(idle("none", "sampled = merged"));
}

TEST(Rules, AnAllowableRuleIsSilencedWhereItIsAllowed) {
  const char* program = R"(import example
train t : example.reinforce {
  allow(keeps_incorrect, "studied")
  keep = 2
}
experiment e : example.study { train = t, vary = subsets(example.stages) }
)";
  const Checked checked = test::check_text(program);
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
  const auto& allowed = checked.resolved->at("experiments").at("e").at("allowed");
  ASSERT_EQ(allowed.size(), 1u);
  EXPECT_EQ(allowed[0],
            (nlohmann::json{{"rule", "keeps_incorrect"}, {"reason", "studied"}, {"where", "test.trl:3:3"}}));
}

TEST(Rules, WhatReportsAloneFindIsAllowedInTheDocument) {
  const Checked checked = test::check_text(R"(import example
experiment e : example.study { allow(mixed_hardware, "two names of one GPU"), seeds = 1..3 }
)");
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
  const auto& allowed = checked.resolved->at("experiments").at("e").at("allowed");
  ASSERT_EQ(allowed.size(), 1u);
  EXPECT_EQ(allowed[0].at("rule"), "mixed_hardware");
  EXPECT_EQ(allowed[0].at("reason"), "two names of one GPU");

  const Checked elsewhere = test::check_text(R"(import example
train t : example.reinforce { allow(mixed_hardware, "it is the experiment's to say") }
experiment e : example.study { train = t, seeds = 1..3 }
)");
  EXPECT_TRUE(finds(elsewhere, "unused_allow")) << render(elsewhere.diagnostics, elsewhere.sources);
}

TEST(Rules, AnAllowReachesDerivedDeclarations) {
  const char* program = R"(import example
allow(keeps_incorrect, "studied")
train t : example.reinforce {}
train longer : t { rounds = 5 }
experiment e : example.study { train = t -> longer, vary = subsets(example.stages) }
)";
  const Checked checked = test::check_text(program);
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
}

TEST(Rules, AFileThatIsNotThereIsADiagnostic) {
  const Checked checked = check_file("/nowhere/at/all.trl");
  ASSERT_EQ(checked.diagnostics.size(), 1u);
  EXPECT_EQ(checked.diagnostics[0].rule, "unreadable");
  const std::string text = render(checked.diagnostics, checked.sources);
  EXPECT_NE(text.find("/nowhere/at/all.trl:1:1: error[unreadable]: there is no file"), std::string::npos);
  EXPECT_EQ(text.find('|'), std::string::npos) << "a missing file has no excerpt\n" << text;
  EXPECT_NE(check_file("/").diagnostics.at(0).message.find("is a folder"), std::string::npos);
}

TEST(Rules, FilesThatImportEachOtherAreFound) {
  const Checked checked = test::check_text("import a\n", {{"a.trl", "import b\n"}, {"b.trl", "import a\n"}});
  EXPECT_TRUE(finds(checked, "import_cycle"));
}

TEST(Rules, TheManifestOfPretrainingIsComparedWithTheExam) {
  const char* program = R"(import windtunnel
import example
model small { weights = windtunnel.base }
evaluation x : example.exam { split = windtunnel.level1[2..3] }
experiment e : example.study { model = small, evaluate = x }
)";
  EXPECT_TRUE(test::check_text(program).diagnostics.empty()) << "no finding without a manifest";
  const Checked first = test::check_text(program);
  const std::string key = first.resolved->at("tasks").at("level1/2").at("key");
  const Checked seen = test::check_text(
      program, {{"memory/windtunnel/manifest.json", nlohmann::json{{"keys", {"other", key}}}.dump()}});
  EXPECT_TRUE(finds(seen, "pretrained_on_exam"));
  EXPECT_NE(render(seen.diagnostics, seen.sources).find("`level1/2`"), std::string::npos);
  const Checked unseen =
      test::check_text(program, {{"memory/windtunnel/manifest.json", R"({"keys": ["other"]})"}});
  EXPECT_TRUE(unseen.diagnostics.empty());
  const Checked respelt =
      test::check_text(program, {{"memory/windtunnel/manifest.json",
                                  nlohmann::json{{"keys", {"other", "neg(neg(" + key + "))"}}}.dump()}});
  EXPECT_TRUE(finds(respelt, "pretrained_on_exam"));
  EXPECT_NE(render(respelt.diagnostics, respelt.sources).find("is there as `neg(neg("), std::string::npos);
  const Checked elsewhere =
      test::check_text(program, {{"memory/windtunnel/manifest.json",
                                  nlohmann::json{{"keys", {"other"}}, {key, 1}, {"rows", key}}.dump()}});
  EXPECT_TRUE(elsewhere.diagnostics.empty()) << "only the keys count";
}

TEST(Rules, TheManifestOfAModelInAFolderLiesBesideTheFile) {
  const std::string program = R"(import windtunnel
import example
model small { weights = path("mine") }
evaluation x : example.exam { split = windtunnel.level1[2..3] }
experiment e : example.study { model = small, evaluate = x }
)";
  const std::string key = test::check_text(program).resolved->at("tasks").at("level1/2").at("key");
  const auto options = test::in_memory(
      {{"folder/test.trl", program}, {"folder/mine/manifest.json", nlohmann::json{{"keys", {key}}}.dump(1)}});
  EXPECT_TRUE(finds(check_file("folder/test.trl", options), "pretrained_on_exam"));
}

TEST(Rules, AMisspeltImportIsOneMistake) {
  const Checked checked = test::check_text(R"(import exampel
experiment e : example.study { seeds = 1..3 }
experiment f : exampel.study { seeds = 1..3 }
)");
  ASSERT_EQ(checked.diagnostics.size(), 1u) << render(checked.diagnostics, checked.sources);
  EXPECT_EQ(checked.diagnostics[0].help, "did you mean `example`?");
}

TEST(Rules, ATaskWithOtherSizesAndConstantsIsTheSameTask) {
  const char* program = R"(import example
suite mine { task larger[N = 512](x: f32[N]) = 3 * x }
evaluation x : example.exam { split = mine }
experiment e : example.study { evaluate = x }
)";
  const Checked checked = test::check_text(program);
  ASSERT_TRUE(finds(checked, "exam_overlap"));
  EXPECT_NE(render(checked.diagnostics, checked.sources).find("`mine/1` (larger)"), std::string::npos);
}

TEST(Rules, ATaskInAnotherSpellingIsTheSameTask) {
  const Checked checked = test::check_text(R"(import example
suite one   { task a[N = 512](x: f32[N]) = tanh(x) / 3 - 1 }
suite other { task b[N = 256](y: f32[N]) = 0.5 + 2 * tanh(y) }
evaluation x : example.exam { split = one }
train t : example.reinforce { tasks = other }
experiment e : example.study { train = t, evaluate = x }
)");
  const std::string said = render(checked.diagnostics, checked.sources);
  ASSERT_TRUE(finds(checked, "exam_overlap")) << said;
  EXPECT_NE(said.find("in another spelling"), std::string::npos) << said;
}

TEST(Rules, ACorpusThatMayAnswerTheExamIsFound) {
  const std::string program = R"(import windtunnel
import example
split held = windtunnel.level1[1..5]
train t : sft { data = windtunnel.corpus(level1 = 160) }
evaluation x : example.exam { split = held }
experiment e : example.study { train = t, evaluate = x }
)";
  EXPECT_TRUE(finds(test::check_text(program), "exam_overlap"));
  std::string fixed = program;
  fixed.replace(fixed.find("level1 = 160"), 12, "level1 = 160, exclude = held");
  EXPECT_TRUE(test::check_text(fixed).diagnostics.empty());
}

}  // namespace
}  // namespace trl::language
