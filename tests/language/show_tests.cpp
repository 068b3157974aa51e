// `trl show` prints a file that resolves to the same document, with the origin of each value.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "language/diagnostics/render.hpp"
#include "language/printing/show.hpp"
#include "tests/language/stub.hpp"
#include "tests/long_tests.hpp"

namespace trl::language {
namespace {

using nlohmann::json;
using Files = std::map<std::string, std::string>;

CheckOptions options_of(const Files& files, std::vector<std::string> sets = {}) {
  CheckOptions options = test::in_memory(files);
  options.sets = std::move(sets);
  return options;
}

Shown show(const std::string& text, const ShowOptions& options = {}, std::vector<std::string> sets = {},
           Files files = {}) {
  files["test.trl"] = text;
  return show_file("test.trl", options_of(files, std::move(sets)), options);
}

/// The document without file paths and without the text of a design's levels, which may differ: a printed
/// file repeats an inherited `allow` in each derived declaration, and contains declarations of imported
/// files.
json comparable(const Checked& checked, const std::string& experiment) {
  static const std::regex imported(R"(("|, )(recipe|example)\.([a-z_]+\.))");
  json document = json::parse(std::regex_replace(checked.resolved->dump(), imported, "$1$3"));
  document.erase("file");
  for (auto& [name, e] : document["experiments"].items()) {
    std::set<json> allowed;
    for (json a : e["allowed"]) {
      a.erase("where");
      allowed.insert(a);
    }
    e["allowed"] = allowed;
    if (!e.contains("design")) continue;
    for (json& factor : e["design"]["factors"]) factor.erase("levels");
    for (json& cell : e["cells"]) cell.erase("label");
  }
  if (experiment.empty()) return document;
  for (const char* part : {"tables", "plots", "hypotheses"}) {
    json of_it = json::object();
    for (const auto& [name, value] : document[part].items())
      if (value["of"] == experiment) of_it[name] = value;
    document[part] = of_it;
  }
  document["experiments"] = {{experiment, document["experiments"].at(experiment)}};
  return document;
}

std::set<std::string> rules_of(const Checked& checked) {
  std::set<std::string> rules;
  for (const Diagnostic& d : checked.diagnostics) rules.insert(d.rule);
  return rules;
}

void expect_same_document(const std::string& path, const Files& files,
                          const std::vector<std::string>& sets = {}) {
  const CheckOptions options = options_of(files, sets);
  const Checked before = check_file(path, options);
  ASSERT_TRUE(before.resolved) << render(before.diagnostics, before.sources);
  std::vector<std::string> names = {""};
  for (const auto& [name, e] : before.resolved->at("experiments").items()) names.push_back(name);
  for (const std::string& name : names)
    for (const bool changed : {false, true}) {
      const std::string text = show_text(show_file(path, options, {name, changed}));
      Files shown = files;
      shown[path] = text;
      const Checked after = check_file(path, options_of(shown));
      ASSERT_TRUE(after.resolved) << render(after.diagnostics, after.sources) << text;
      for (const std::string& rule : rules_of(after))
        // A model of `example` is random, which is for the file that writes it out to answer for.
        EXPECT_TRUE(rule == "random_weights" || rules_of(before).contains(rule))
            << render(after.diagnostics, after.sources) << text;
      EXPECT_EQ(comparable(after, name), comparable(before, name)) << text;
    }
}

void expect_text_same_document(const std::string& text, const std::vector<std::string>& sets = {}) {
  expect_same_document("test.trl", {{"test.trl", text}}, sets);
}

TEST(Show, TheExperimentsOfTheRepositoryComeToTheSameDocument) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TRL_EXPERIMENTS))
    if (entry.path().extension() == ".trl") files.insert(entry.path().string());
  std::size_t number = 0;
  for (const auto& file : files) {
    if (number++ % step_of_cases<std::size_t>(3) != 0) continue;
    SCOPED_TRACE(file);
    expect_same_document(file, {});
  }
  expect_same_document(TRL_LANGUAGE_TESTS "/ablation.trl", {},
                       {"reinforce.rounds=3", "ablation.seeds=[4, 7]", "stages.failing.full = 60%"});
}

TEST(Show, LetsFieldsAndConditionsComeToTheSameDocument) {
  const char* text = R"(import windtunnel as w
import example
## Two
## lines.
let n = 3
let better(c: verdict) = if c.correct then 0.7 + 0.3 * min(c.speedup, 1) else -(-c.credit) / 2
let part = windtunnel_split
split windtunnel_split = w.level1[5, 1..3] + w.level2
train r : example.reinforce {
  rounds = n * 2, tasks = part, learning_rate = 2 * n * 1e-5, reward = better
  min_reward = 7%, max_tokens = 768 tokens
  warmup = if n > 2 then 29% else 1/3
}
evaluation ex : example.exam { max_tokens = r.max_tokens, samples = 3 }
experiment e : example.study {
  allow(no_filter_control, "nothing is claimed")
  train = r, evaluate = ex, seeds = [1, 2, 4]
}
experiment f : e { override { n = 4, windtunnel_split = w.level1[7..9], r.warmup = 3% } }
table t { of = e, rows = cells + seeds, columns = [pass_at(3), valid] }
)";
  expect_text_same_document(text);
  expect_text_same_document(text, {"n=5", "r.reward = better", "e.seeds = 2..9"});
}

TEST(Show, ImportedDeclarationsStandBesideThoseOfTheSameName) {
  const Files files = {{"folder/test.trl", R"(import example
import sub.common as c
lora writer { rank = 4 }
train reinforce : example.reinforce { candidates = 4 }
suite mine { task one[N = 64](x: f32[N]) = exp(x) * x }
evaluation other : c.exam { split = mine }
experiment a { model = c.small, adapter = writer, train = reinforce, evaluate = other }
experiment b : example.study { adapter = c.writer, vary = grid(c.writer.rank = [8, 16]) }
)"},
                       {"folder/sub/common.trl", R"(import deeper
model small { weights = path("a \"quoted\" \\ path\u{e9}\u{1}") }
lora writer { rank = 2 }
evaluation exam { split = deeper.far[1..2] }
)"},
                       {"folder/sub/deeper.trl", R"(suite far {
  task one[N = 64](x: f32[N]) = log1p(abs(x))
  task two[N = 64](x: f32[N]) = sqrt(abs(x))
}
)"},
                       {"folder/a \"quoted\" \\ path\u00e9\x01/config.json", "{}"}};
  const Shown shown = show_file("folder/test.trl", options_of(files));
  EXPECT_EQ(shown.imports, (std::vector<std::string>{"import example", "import sub.deeper"}));
  const std::string text = show_text(shown);
  EXPECT_NE(text.find("lora writer_2 {"), std::string::npos) << text;
  Files again = files;
  again["folder/test.trl"] = text;
  Checked checked = check_file("folder/test.trl", options_of(again));
  // Those of `example` are random, which is for the file that writes them out to answer for.
  std::erase_if(checked.diagnostics, [](const Diagnostic& d) { return d.rule == "random_weights"; });
  EXPECT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources) << text;
  EXPECT_EQ(checked.resolved->at("experiments").at("a"),
            check_file("folder/test.trl", options_of(files)).resolved->at("experiments").at("a"));
}

TEST(Show, SaysWhoWroteEachValue) {
  const char* text = R"(import example
let n = 3
train r : example.reinforce { rounds = n, keep = 2 }
train s : r { keep = 1 }
experiment e : example.study { train = s, override { r.batch = 8 } }
)";
  const std::string shown = show_text(show(text, {"e", false}, {"s.epochs=5"}));
  for (const char* line : {
           "  rounds = 3",
           "# from r, test.trl:3: n",
           "# here, test.trl:4",
           "# override of e, test.trl:5",
           "  epochs = 5                                 # --set",
           "  clip = 1                                   # default",
           "# from reinforce, example.trl:20",
           "# from study, example.trl:22",
       })
    EXPECT_NE(shown.find(line), std::string::npos) << line << "\n" << shown;
  EXPECT_EQ(shown.find("let n"), std::string::npos);

  const json list = show_json(show(text, {"e", false}, {"s.epochs=5"}));
  const auto of = [&](const std::string& path) {
    for (const json& field : list)
      if (field["path"] == path) return field;
    return json();
  };
  EXPECT_EQ(
      of("s.rounds"),
      (json{{"path", "s.rounds"},
            {"text", "3"},
            {"value", 3},
            {"origin", {{"kind", "derived"}, {"of", "r"}, {"where", "test.trl:3:31"}, {"written", "n"}}}}));
  EXPECT_EQ(of("s.batch")["origin"], (json{{"kind", "override"}, {"of", "e"}, {"where", "test.trl:5:54"}}));
  EXPECT_EQ(of("s.epochs")["origin"]["kind"], "set");
  EXPECT_EQ(of("s.schedule")["origin"]["kind"], "default");
  EXPECT_EQ(of("e.train")["value"], json::array({"s"}));
}

TEST(Show, OneDeclarationAloneKeepsTheNamesOfItsFile) {
  const char* text = R"(import example
split mine = example.easy[1..2]
train r : example.reinforce { tasks = mine }
let n = 3
experiment e : example.study { train = r }
)";
  EXPECT_EQ(show_text(show(text, {"r", true})), R"(train r : best_of_n {
  tasks = mine          # here, test.trl:3
  rounds = 2            # from reinforce, example.trl:20
  max_tokens = 256      # from reinforce, example.trl:20
  learning_rate = 1e-3  # from reinforce, example.trl:20
}
)");
  EXPECT_EQ(show_text(show(text, {"n", false})), "let n = 3\n");
  EXPECT_EQ(show_text(show(text, {"mine", false})), "split mine = example.easy[1..2]  # here, test.trl:2\n");
  EXPECT_FALSE(show(text, {"nobody", false}).found);
}

TEST(Show, AnAllowStandsWhereItSilencesSomething) {
  const char* text = R"(import example
train t : example.reinforce {
  allow(keeps_incorrect, "studied, \"so\" it is")
  keep = 2
}
train strict : t { min_reward = 90% }
train same : t { rounds = 1 }
experiment e : example.study { train = t -> strict -> same, vary = subsets(example.stages) }
)";
  expect_text_same_document(text);
  const std::string shown = show_text(show(text));
  EXPECT_NE(shown.find("is\")  # from t, test.trl:3\n"), std::string::npos) << shown;
}

TEST(Show, OverridesOfSeveralExperimentsStandInThem) {
  const char* text = R"(import example
train t : example.reinforce {}
experiment a : example.study { train = t, vary = subsets(example.pace) }
experiment b : a { override { t.rounds = 5, example.stages.failing.full = 40%, b.seeds = 3..4 } }
experiment c : b { vary = subsets(example.stages, example.pace), override { example.pace.share.hard = 20% } }
)";
  const Checked checked = check_file("test.trl", options_of({{"test.trl", text}}));
  ASSERT_TRUE(checked.resolved) << render(checked.diagnostics, checked.sources);
  const Shown shown = show(text);
  const Checked after = test::check_text(show_text(shown));
  ASSERT_TRUE(after.resolved) << render(after.diagnostics, after.sources) << show_text(shown);
  EXPECT_EQ(comparable(after, ""), comparable(checked, "")) << show_text(shown);
}

TEST(Show, LinesFitThePageAsFarAsTheirWordsAllow) {
  const Shown shown = show_file(TRL_LANGUAGE_TESTS "/ablation.trl", options_of({}));
  std::istringstream lines(show_text(shown));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
}

TEST(Show, WhatADesignVariesGoesOnToBeFollowed) {
  expect_text_same_document(R"(import example
import windtunnel
let n = 2
let half(c: verdict) = if c.correct then 0.7 + n * c.credit / 20 else 0
let whole(c: verdict) = if c.correct then 1 else 0
train root : example.reinforce {}
train warm : root { rounds = n, tasks_per_round = 3 * n, reward = half }
train main : warm { candidates = 2 * warm.rounds + 1, keep = 1 }
train last : main { batch = warm.batch, epochs = 4, rounds = 1 }
evaluation ex : example.exam {}
machine gpu { memory = 80 GiB, spot = 6.84 usd / 1 h, bandwidth = 2 * (1000 GiB / 1 s) }
extension inputs : multi_input {}
experiment e : example.study {
  train = warm -> main -> last, evaluate = ex, machine = gpu, seeds = 1..40
  controls = [warm]
  vary = grid(n = [2, 3]) * zip(warm.batch = [8, 16], warm.epochs = [1, 2]) * subsets(inputs)
}
experiment f : example.study {
  train = main, vary = grid(warm.reward = [half, whole], root.learning_rate = [1e-5, 2e-5])
}
hypothesis h { of = e, contrast = n, smallest_effect = 40% }
hypothesis k { of = f, contrast = root.learning_rate, smallest_effect = 40% }
)");
}

TEST(Show, AFileWithErrorsIsNotShown) {
  const Shown shown = show("experiment e { seeds = }\n");
  EXPECT_TRUE(shown.checked.has_errors());
  EXPECT_TRUE(shown.declarations.empty());
}

}  // namespace
}  // namespace trl::language
