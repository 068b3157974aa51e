// Rules about experiments, beyond the rules' own examples: their messages, and the sources of their facts.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

#include "base/statistics/pilot.hpp"
#include "base/statistics/power.hpp"
#include "language/diagnostics/render.hpp"
#include "tests/has.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

std::string said(const Checked& checked) { return render(checked.diagnostics, checked.sources); }

std::string said(const std::string& text, std::map<std::string, std::string> files = {}) {
  return said(test::check_text(text, std::move(files)));
}

void expect_parts(const std::string& text, std::initializer_list<const char*> parts) {
  for (const char* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << "\nin " << text;
}

TEST(Hypothesis, IsAgainstAControlWhateverOverridesChangeInIt) {
  const std::string text = R"(import example
train unfiltered : example.reinforce { keep_by = random }
experiment e : example.study {
  controls = [unfiltered]
  override { unfiltered.rounds = 5 }
}
hypothesis helps { of = e, against = unfiltered, metric = correct }
)";
  CheckOptions options = test::in_memory({{"test.trl", text}});
  options.sets = {"unfiltered.learning_rate=1e-4"};
  const Checked checked = check_file("test.trl", options);
  ASSERT_TRUE(checked.resolved) << said(checked);
  const auto& against = (*checked.resolved)["hypotheses"]["helps"]["against"];
  EXPECT_EQ(against, (*checked.resolved)["experiments"]["e"]["controls"][0]);
  EXPECT_EQ(against[0]["rounds"], 5);
  EXPECT_NE(said(text + "train other : unfiltered {}\nhypothesis wrong { of = e, against = other }\n")
                .find("its controls are `unfiltered`"),
            std::string::npos);
}

// In `text`, what stands for HYPOTHESIS is of an experiment with four cells and a control.
std::string said_of_cells(const std::string& hypothesis,
                          const std::string& vary = "subsets(example.pace, memory)") {
  return said(
      "import example\ntrain unfiltered : example.reinforce { keep_by = random }\n"
      "extension memory : memory_checks {}\nextension inputs : multi_input {}\n"
      "experiment e : example.study { vary = " +
      vary +
      ", controls = [unfiltered], seeds = 1..3 }\n"
      "experiment other : example.study { extensions = [inputs] }\n"
      "hypothesis h { of = e, " +
      hypothesis + " }\n");
}

TEST(Hypothesis, NamesTheCellThatItCompares) {
  for (const char* fine :
       {"cell = [], against = unfiltered", "cell = [example.pace, memory], against = unfiltered",
        "cell = [memory, example.pace], against = [memory]", "cell = [memory], against = []"})
    EXPECT_EQ(said_of_cells(fine), "") << fine;
  const std::pair<const char*, const char*> wrong[] = {
      {"cell = [inputs], against = unfiltered", "`e` does not vary `inputs`"},
      {"cell = [inputs], against = unfiltered", "on in it: `pace` and `memory`"},
      {"cell = [memory], against = [inputs]", "`e` does not vary `inputs`"},
      {"cell = [memory], against = [memory]", "a cell is compared with itself"},
      {"against = [memory]", "nothing says which cell is compared with it"},
      {"cell = [memory]", "add `against = …`, what the cell is compared with"},
      {"cell = [memory], contrast = memory", "`contrast` is about all cells, and `cell` names one"},
      {"cell = [], against = imitate", "`imitate`"},
  };
  for (const auto& [hypothesis, part] : wrong)
    EXPECT_TRUE(has(said_of_cells(hypothesis), part)) << said_of_cells(hypothesis);
  EXPECT_TRUE(has(said_of_cells("cell = [memory], against = unfiltered",
                                "subsets(memory) * grid(example.reinforce.rounds = [2, 4])"),
                  "a cell of `e` has settings beside its extensions"));
}

TEST(Hypothesis, OfACellIsPlannedAsTwoRows) {
  const std::string text = said(R"(import windtunnel
import example
train unfiltered : example.reinforce { keep_by = random }
evaluation x : example.exam { split = windtunnel.level2[1..20], samples = 2 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace), controls = [unfiltered], seeds = 1..3 }
hypothesis h { of = e, cell = [], against = unfiltered, smallest_effect = 1% }
)");
  EXPECT_TRUE(has(text, "in 2 rows that are compared")) << text;
}

std::string points(double share) { return fmt::format("{:.3g}", 100 * share); }

// 2 × 2 cells, so that an effect is the mean of two rows less that of two others, and three contrasts share
// their error.
TEST(Claims, AboutExperimentsOfOtherFilesAreCheckedAndDocumented) {
  const std::map<std::string, std::string> files = {
      {"lab.trl",
       "import example\ntrain unfiltered : example.reinforce { keep_by = random }\n"
       "experiment lab : example.study { vary = subsets(example.pace), controls = [unfiltered], seeds = 1..5 "
       "}\n"
       "experiment other : lab {}\n"}};
  const auto program = [](const std::string& contrast) {
    return "import lab\nimport example\n"
           "table t { of = lab.lab, rows = cells + controls, columns = [correct] }\n"
           "plot p { of = lab.lab }\nhypothesis h { of = lab.lab, contrast = " +
           contrast + " }\n";
  };
  const Checked checked = test::check_text(program("example.pace"), files);
  ASSERT_TRUE(checked.resolved) << said(checked);
  const auto& experiments = checked.resolved->at("experiments");
  ASSERT_EQ(experiments.size(), 1);
  EXPECT_EQ(experiments.at("lab.lab").at("cells").size(), 2);
  // What they compare is checked as of experiments of the file.
  expect_parts(said(program("example.stages"), files), {"contrast_not_varied", "does not vary `stages`"});
}

TEST(Rewards, AreProvenByWhatACandidateCanBe) {
  const auto found = [](const std::string& reward, const std::string& more = "") {
    return said("import example\ntrain t : example.reinforce { max_tokens = 256, reward(c) = " + reward +
                more + " }\nexperiment e : example.study { train = t }\n");
  };
  // An answer's length is at most `max_tokens`, and there is a time above 0 for what is correct.
  for (const char* fine :
       {"if c.correct then 1 - 0.2 * c.tokens / 256 else 0", "if c.correct then 1 / c.launches else 0",
        "if c.correct then min(1 / c.time, 1) else 0",
        "if c.correct and not c.modelled then 1 else if c.correct then 0.9 else 0",
        "if c.correct then c.kernel_share else 0"})
    EXPECT_EQ(found(fine), "") << fine;
  expect_parts(found("if c.correct then 1 - c.tokens / 128 else 0"), {"reward_range", "can be -1"});
  expect_parts(found("if c.correct then c.launches else 0"), {"reward_range"});
  expect_parts(found("if c.correct then 1 / (c.time - 1) else 0"), {"zero_denominator"});
  // A wrong answer of some length, or of some number of launches, is kept.
  expect_parts(found("if c.correct then 1 else 0.9 * c.tokens / 256"), {"keeps_incorrect"});
  expect_parts(found("if c.correct then 1 else min(c.launches / 100, 0.9)"), {"keeps_incorrect"});
  EXPECT_EQ(found("if c.correct then 1 else min(c.tokens / 2000, 1)").find("keeps_incorrect"),
            std::string::npos);
  // Without a launch plan there are no launches.
  EXPECT_EQ(
      found("if c.valid then (if c.correct then 1 else 0) else min(c.launches, 1)").find("keeps_incorrect"),
      std::string::npos);
  expect_parts(found("if c.correct then c.time_us else 0"), {"unknown", "time"});
}

TEST(IdleColumn, IsOneThatStaysEmptyOrTheSame) {
  const auto found = [](const std::string& weights, const std::string& train, const std::string& column) {
    return said("import example\nmodel m { weights = " + weights +
                " }\ntrain t : example.reinforce { framework = " + train +
                " }\nexperiment e : example.study { model = m, train = " +
                (weights.starts_with("endpoint") ? "none, adapter = none" : "t") +
                " }\ntable main { of = e, columns = [correct, " + column + "] }\n");
  };
  const std::string server = "endpoint(\"http://localhost/v1\", name = \"a\"";
  expect_parts(found("random()", "none", "usd"), {"idle_column", "asks none"});
  expect_parts(found(server + ")", "none", "usd"), {"idle_column", "no price"});
  expect_parts(found("random()", "none", "kernel_share"), {"idle_column", "100%"});
  expect_parts(found(server + ")", "none", "kernel_share"), {"idle_column", "nothing is trained"});
  for (const std::string& fine :
       {found(server + ", price_in = 1 usd)", "none", "usd"), found("random()", "epilogue", "kernel_share"),
        found("random()", "none", "cost")})
    EXPECT_EQ(fine.find("idle_column"), std::string::npos) << fine;
}

TEST(LicenseName, IsFoundInAnySpelling) {
  const auto found = [](const std::string& name) {
    return said(
        "import example\ntrain imitate : sft { data = kernelbook(path(\"rows.jsonl\"), samples = 160, "
        "licenses = [\"" +
        name + "\"], exclude = example.hard) }\nexperiment e : example.study { train = imitate }\n");
  };
  for (const auto& [written, meant] : std::map<std::string, std::string>{{"mit", "MIT"},
                                                                         {"MIT License", "MIT"},
                                                                         {"Apache 2.0", "Apache-2.0"},
                                                                         {"Apache2", "Apache-2.0"},
                                                                         {"BSD 3-Clause", "BSD-3-Clause"},
                                                                         {"the unlicense", "Unlicense"},
                                                                         {"gpl-3.0", "GPL-3.0"},
                                                                         {"Apahce-2.0", "Apache-2.0"}}) {
    const std::string meant_text = "did you mean `" + meant + "`?";
    expect_parts(found(written), {"license_name", meant_text.c_str()});
  }
  for (const char* fine : {"MIT", "GPL-3.0", "LicenseRef-of-ours"})
    EXPECT_EQ(found(fine).find("license_name"), std::string::npos) << fine;
}

TEST(IdleSetting, IsAlsoAPairThatNeverComes) {
  const auto found = [](int pairs) {
    return said(
        "import example\ntrain t : dpo { tasks = example.easy, max_tokens = 256, candidates = 4, pairs = " +
        std::to_string(pairs) + " }\nexperiment e : example.study { train = t }\n");
  };
  expect_parts(found(5), {"idle_setting", "3 pairs at most"});
  EXPECT_EQ(found(3).find("idle_setting"), std::string::npos);
}

TEST(Power, SaysItsArithmetic) {
  const std::string text = said(R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2[1..20], samples = 2 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace, memory), seeds = 1..3 }
extension memory : memory_checks {}
hypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = 1% }
)");
  const auto& pilot = statistics::pilot();
  const statistics::StudySize size{20, 3, 2};
  const statistics::Question question{
      .squared_coefficients = 1, .rows = 4, .runs_freedom = 3, .pooled_contrasts = 1};
  const auto finds = points(*statistics::smallest_detectable(pilot.components, size, question)),
             error = points(std::sqrt(statistics::planned_variance(pilot.components, size, question).value)),
             runs = points(std::sqrt(pilot.components.seed));
  const double least = *statistics::smallest_detectable(pilot.components, {20, 20, 32}, question);
  for (const auto& part :
       {"test.trl:6:76: warning[underpowered]: `pace_helps` is about 1 points, but this design finds only " +
            finds + " or more",
        "20 tasks x 3 seeds x 2 samples in 4 rows that are compared: a standard error of " + error +
            " points, and 80% power for " + finds + " points at alpha 5%",
        "by the variances of " + std::string(pilot.source) + ": " + runs + " points between runs",
        "20 seeds x 32 samples of these tasks find " +
            std::to_string(static_cast<int>(std::ceil(100 * least))) +
            "%, and 1 points not: nor do they on 100000 tasks, since runs vary"})
    EXPECT_TRUE(has(text, part)) << part << "\nin " << text;
}

// The tasks that are said to be enough are.
TEST(Power, SaysHowManyTasksWouldFindIt) {
  const auto study = [](int tasks, int seeds, int samples, int effect) {
    return said(
        "import windtunnel\nimport example\n"
        "evaluation x : example.exam { split = windtunnel.level2[1.." +
        std::to_string(tasks) + "], samples = " + std::to_string(samples) +
        " }\nexperiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1.." +
        std::to_string(seeds) +
        " }\nhypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = " +
        std::to_string(effect) + "% }\n");
  };
  const std::string text = study(20, 2, 1, 14);
  const std::string before = "an exam of about ";
  const std::size_t at = text.find(before);
  ASSERT_NE(at, text.npos) << text;
  const int tasks = std::stoi(text.substr(at + before.size()));
  EXPECT_GT(tasks, 20);
  ASSERT_LE(tasks, 100);
  EXPECT_FALSE(has(study(tasks, 20, 32, 14), "underpowered")) << tasks;
}

// Power of other measures isn't calculated, which is said where a smallest effect asks for it.
TEST(Power, IsSaidToBeUnknownOfOtherMeasures) {
  const std::string study =
      "import windtunnel\nimport example\nevaluation x : example.exam { split = windtunnel.level2, samples = "
      "4 }\n"
      "experiment e : example.study { evaluate = x, vary = subsets(example.pace), seeds = 1..5 }\n"
      "hypothesis pace_helps { of = e, contrast = example.pace, metric = speedup";
  EXPECT_TRUE(has(said(study + ", smallest_effect = 10% }\n"), "note[underpowered]"));
  EXPECT_EQ(said(study + " }\n"), "");
}

TEST(Power, OfSeveralHypothesesIsPlannedAtTheirShareOfAlpha) {
  const std::string text = said(R"(import windtunnel
import example
evaluation x : example.exam { split = windtunnel.level2[1..20], samples = 2 }
experiment e : example.study { evaluate = x, vary = subsets(example.pace, memory), seeds = 1..3 }
extension memory : memory_checks {}
hypothesis pace_helps { of = e, contrast = example.pace, smallest_effect = 1% }
hypothesis memory_is_harmless { of = e, contrast = memory, expect = same, smallest_effect = 2% }
)");
  const auto& pilot = statistics::pilot();
  const auto finds = [&](statistics::Expectation expectation) {
    return points(*statistics::smallest_detectable(
        pilot.components, {20, 3, 2},
        {.squared_coefficients = 1, .rows = 4, .runs_freedom = 3, .pooled_contrasts = 1},
        statistics::certainty_of(expectation, 2)));
  };
  const auto greater = finds(statistics::Expectation::greater), same = finds(statistics::Expectation::same);
  for (const auto& part :
       {"this design finds only " + greater + " or more",
        "80% power for " + greater + " points at alpha 5%, over 2 hypotheses",
        "`memory_is_harmless` is that less than 2 points lie between, but this design can't show less than " +
            same,
        "80% power for " + same + " points at alpha 5%, by two one-sided tests, over 2 hypotheses"})
    EXPECT_TRUE(has(text, part)) << part << "\nin " << text;
}

TEST(Power, OfSeveralSeedsIsAskedForByASmallestEffectAlone) {
  EXPECT_EQ(said(R"(import example
experiment e : example.study { vary = subsets(example.pace), seeds = 1..3 }
hypothesis pace_helps { of = e, contrast = example.pace }
)"),
            "");
}

TEST(Power, OfOneSeedIsOfNothingWithoutEnoughInteractions) {
  const auto with = [](const char* extensions) {
    return said("import example\nextension memory : memory_checks {}\nextension inputs : multi_input {}\n" +
                fmt::format("experiment e : example.study {{ vary = subsets({}) }}\n", extensions) +
                "hypothesis pace_helps { of = e, contrast = example.pace }\n");
  };
  expect_parts(with("example.pace, memory"), {"warning[underpowered]: one seed can't decide `pace_helps`",
                                              "give three seeds, `seeds = 1..3`"});
  EXPECT_FALSE(has(with("example.pace, memory, inputs"), "underpowered"))
      << "three factors have four interactions";
}

TEST(Context, IsReadFromTheModelsFolder) {
  const std::string program = R"(import example
model mine { weights = path("small") }
evaluation x : example.exam { max_tokens = 1000 }
experiment e : example.study { model = mine, evaluate = x }
)";
  EXPECT_EQ(said(program).find("context_exceeded"), std::string::npos)
      << "the model in an unreadable folder is unknown";
  expect_parts(said(program), {"test.trl:2:29: warning[missing_weights]", "small/config.json can't be read"});
  EXPECT_EQ(said(program, {{"small/config.json", R"({"max_position_embeddings": 1000})"}}), "");
  expect_parts(said(program, {{"small/config.json", R"({"max_position_embeddings": 512})"}}),
               {"test.trl:3:44: error[context_exceeded]", "ends after 512 tokens", "by `small/config.json`"});
  EXPECT_EQ(said(program, {{"small/config.json", "[not json"}}), "");
}

TEST(LoraTargets, AreComparedWithTheArchitecture) {
  const std::string program = R"(import example
model mine { weights = path("small") }
experiment e : example.study { model = mine }
)";
  EXPECT_EQ(said(program, {{"small/config.json", R"({"model_type": "qwen2"})"}}), "");
  EXPECT_FALSE(
      has(said(program, {{"small/config.json", R"({"model_type": "something new"})"}}), "lora_targets"));
  expect_parts(said(program, {{"small/config.json", R"({"model_type": "gpt2"})"}}),
               {"test.trl:3:12: error[lora_targets]: `mine` has none of the matrices"});
}

TEST(Memory, IsSaidByItsParts) {
  expect_parts(said(R"(import example
machine a100 { gpus = 8, memory = 12 GiB }
model coder { weights = huggingface("Qwen/Qwen2.5-Coder-7B-Instruct"), quantize = int8 }
train t : example.reinforce { max_tokens = 2048, micro_batch = 2 }
evaluation x : example.exam { max_tokens = 2048 }
experiment e : example.study { model = coder, train = t, evaluate = x, machine = a100 }
)"),
               {"warning[memory_exceeded]: `t` needs",
                "on each GPU for training (modelled), and a GPU of `a100` has 12.0",
                "weights 8.1 GiB + adapter and optimiser 0.3 GiB + logits of 2 × 2048 tokens",
                "recomputed layer by layer", "with micro_batch = 1 it needs"});
}

TEST(Unused, NeedsAnExperiment) {
  EXPECT_EQ(said("import example\nlora a { rank = 4 }\nsplit s = example.easy\n"), "");
}

TEST(Unused, FollowsEveryWayOfNaming) {
  EXPECT_EQ(said(R"(import example
suite mine { task a[N = 64](x: f32[N]) = relu(relu(x)) }
suite group { task b[N = 64](x: f32[N]) = relu(tanh(x)) }
split s = mine + group
lora small { rank = 4 }
lora smaller : small { rank = 2 }
lora swept {}
train t : example.reinforce { tasks = s }
extension pace : adaptive_curriculum { share { mine = 0.5 * accuracy(group), group = rest } }
experiment e : example.study { adapter = smaller, train = t, vary = subsets(pace) }
experiment f : example.study { adapter = swept, vary = grid(swept.rank = [4, 8]) }
)"),
            "");
}

TEST(Unused, IsAllowedWhereItSaysWhy) {
  const Checked checked = test::check_text(R"(import example
allow(unused_declaration, "for the second paper")
lora later { rank = 4 }
experiment e : example.study { seeds = 1..2 }
)");
  EXPECT_EQ(said(checked), "");
}

TEST(Controls, DifferencesAreListedWithTheirPlaces) {
  expect_parts(said(R"(import windtunnel
import example
train imitate : sft { data = windtunnel.corpus(level1 = 160), batch = 16 }
train longer : imitate { data = windtunnel.corpus(level1 = 800) }
experiment e : example.study { train = imitate -> example.reinforce, controls = [longer] }
)"),
               {"test.trl:5:82: warning[unequal_control]: a control differs in one thing, but this one "
                "leaves a stage out "
                "and differs in `data`",
                "(`longer` against `imitate`)", "test.trl:4:33: note: `data` of the control"});
}

TEST(NoFilterControl, IsWantedOfWhatIsShown) {
  EXPECT_EQ(said("import example\nexperiment e : example.study { seeds = 1..2 }\n"), "");
  EXPECT_EQ(said("import example\ntrain all : example.reinforce { keep_by = random }\n"
                 "experiment e : example.study { train = all }\ntable t { of = e }\n"),
            "")
      << "no stage filters by reward";
}

}  // namespace
}  // namespace trl::language
