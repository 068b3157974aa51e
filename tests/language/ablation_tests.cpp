// The example experiment resolves to the document of docs/interfaces.md, section 2.
#include <gtest/gtest.h>

#include "language/diagnostics/render.hpp"
#include "tests/language/stub.hpp"

namespace trl::language {
namespace {

using nlohmann::json;

Checked ablation(std::vector<std::string> sets = {}) {
  CheckOptions options = test::in_memory({});
  options.sets = std::move(sets);
  return check_file(TRL_LANGUAGE_TESTS "/ablation.trl", options);
}

class Ablation : public testing::Test {
 protected:
  static void SetUpTestSuite() { checked_ = new Checked(ablation()); }
  static void TearDownTestSuite() { delete checked_; }
  void SetUp() override {
    ASSERT_TRUE(checked_->diagnostics.empty()) << render(checked_->diagnostics, checked_->sources);
  }
  static const json& document() { return *checked_->resolved; }
  static const json& experiment(const char* name = "ablation") {
    return document().at("experiments").at(name);
  }
  static inline Checked* checked_ = nullptr;
};

TEST_F(Ablation, CarriesItsDocumentation) {
  EXPECT_EQ(document()["doc"], "Which of the four extensions helps a small kernel writer?");
}

TEST_F(Ablation, HoldsEveryTaskOfTheImportedSuites) {
  EXPECT_EQ(document()["tasks"].size(), 169u);
  const json& task = document()["tasks"]["level2/61"];
  EXPECT_EQ(task["suite"], "level2");
  EXPECT_EQ(task["id"], 61);
  EXPECT_TRUE(task["key"].is_string());
}

TEST_F(Ablation, InlinesTheModelAndTheAdapter) {
  const json& model = experiment()["model"];
  EXPECT_EQ(model["kind"], "model");
  EXPECT_EQ(model["name"], "base");
  EXPECT_EQ(model["weights"],
            (json{{"call", "windtunnel.base"}, {"args", json::array()}, {"named", json::object()}}));
  EXPECT_EQ(model["precision"], "bf16");
  EXPECT_EQ(model["quantize"], "none");
  const json& adapter = experiment()["adapter"];
  EXPECT_EQ(adapter["rank"], 16);
  EXPECT_EQ(adapter["alpha"], 32);
  EXPECT_EQ(adapter["dropout"], 0.05);
  EXPECT_EQ(adapter["targets"], json::array({"all_linear"}));
}

TEST_F(Ablation, ResolvesThePipelineInOrder) {
  const json& train = experiment()["train"];
  ASSERT_EQ(train.size(), 2u);
  EXPECT_EQ(train[0]["variant"], "sft");
  EXPECT_EQ(train[0]["name"], "imitate");
  EXPECT_EQ(train[0]["learning_rate"], 2e-4);
  EXPECT_EQ(train[0]["warmup"], 0.1);
  const json& data = train[0]["data"];
  EXPECT_EQ(data["call"], "windtunnel.corpus");
  EXPECT_EQ(data["named"]["level1"], 150);
  EXPECT_EQ(data["named"]["flawed"], 0.5);
  EXPECT_EQ(data["named"]["exclude"]["tasks"].size(), 60u);
  EXPECT_EQ(data["named"]["exclude"]["tasks"][0], "level1/41");
  EXPECT_EQ(train[1]["variant"], "best_of_n");
  EXPECT_EQ(train[1]["version"], 1);
  EXPECT_EQ(train[1]["tasks"]["tasks"].size(), 100u);
  EXPECT_EQ(train[1]["keep_by"], "reward");
}

TEST_F(Ablation, FillsInDefaults) {
  const json& reinforce = experiment()["train"][1];
  EXPECT_EQ(reinforce["schedule"], "cosine");
  EXPECT_EQ(reinforce["weight_decay"], 0);
  EXPECT_EQ(reinforce["clip"], 1);
  EXPECT_EQ(experiment()["extensions"], json::array());
  EXPECT_FALSE(reinforce.contains("micro_batch"));
}

TEST_F(Ablation, KeepsFormulasAsExpressions) {
  const json& reward = experiment()["train"][1]["reward"]["formula"];
  EXPECT_EQ(reward["params"], json::array({"c"}));
  const json speedup = {{"member", {{"name", "c"}}}, {"name", "speedup"}};
  const json expected = {
      {"if",
       json::array(
           {json{{"member", {{"name", "c"}}}, {"name", "correct"}},
            json{{"op", "+"},
                 {"args",
                  json::array(
                      {0.7, json{{"op", "*"},
                                 {"args", json::array({0.3, json{{"call", "min"},
                                                                 {"args", json::array({speedup, 1})}}})}}})}},
            json{{"member", {{"name", "c"}}}, {"name", "credit"}}})}};
  EXPECT_EQ(reward["body"], expected);
}

TEST_F(Ablation, DerivesTheControls) {
  const json& controls = experiment()["controls"];
  ASSERT_EQ(controls.size(), 2u);
  EXPECT_EQ(controls[0].size(), 1u);
  ASSERT_EQ(controls[1].size(), 2u);
  EXPECT_EQ(controls[1][1]["name"], "unfiltered");
  EXPECT_EQ(controls[1][1]["keep_by"], "random");
  EXPECT_EQ(controls[1][1]["rounds"], 2);
}

TEST_F(Ablation, VariesTheFourExtensions) {
  const json& vary = experiment()["vary"];
  EXPECT_EQ(vary["call"], "subsets");
  ASSERT_EQ(vary["args"].size(), 4u);
  const json& inputs = vary["args"][0];
  EXPECT_EQ(inputs["variant"], "multi_input");
  EXPECT_EQ(inputs["variations"][0], "original");
  EXPECT_EQ(inputs["variations"][3]["call"], "resize");
  EXPECT_EQ(inputs["variations"][3]["args"], json::array({1.5}));
  EXPECT_EQ(inputs["variations"][4]["args"], json::array({"f16"}));
  EXPECT_EQ(vary["args"][1]["failing"],
            (json{{"syntax", 0}, {"compile", 0.3}, {"tiny", 0.5}, {"full", 0.7}}));
  const json& share = vary["args"][2]["share"];
  ASSERT_EQ(share.size(), 2u);
  EXPECT_EQ(share[0][0], "level2");
  EXPECT_TRUE(share[0][1].contains("formula"));
  EXPECT_EQ(share[1], json::array({"level1", "rest"}));
  EXPECT_EQ(vary["args"][3]["trim"], 0.1);
}

TEST_F(Ablation, RecordsWhatIsAllowed) {
  ASSERT_EQ(experiment()["allowed"].size(), 1u);
  const json& allowed = experiment()["allowed"][0];
  EXPECT_EQ(allowed["rule"], "keeps_incorrect");
  EXPECT_EQ(allowed["reason"], "the recipe's partial credit is what is studied");
  EXPECT_NE(allowed["where"].get<std::string>().find("ablation.trl:33:3"), std::string::npos);
}

TEST_F(Ablation, AppliesOverridesToOneExperimentAlone) {
  EXPECT_EQ(experiment()["train"][1]["rounds"], 2);
  const json& full = experiment("ablation_full");
  EXPECT_EQ(full["train"][1]["rounds"], 6);
  EXPECT_EQ(full["train"][1]["candidates"], 10);
  EXPECT_EQ(full["controls"][1][1]["rounds"], 6) << "overrides reach derived declarations";
  EXPECT_EQ(full["evaluate"]["samples"], 4);
  EXPECT_EQ(full["seeds"], json::array({1, 2, 3, 4, 5}));
}

TEST_F(Ablation, ResolvesTablesPlotsAndHypotheses) {
  const json& table = document()["tables"]["main"];
  EXPECT_EQ(table["of"], "ablation");
  EXPECT_EQ(table["rows"], (json{{"op", "+"}, {"args", {"cells", "controls"}}}));
  EXPECT_EQ(table["columns"][0], "valid");
  EXPECT_EQ(table["columns"][3]["call"], "pass_at");
  EXPECT_EQ(table["columns"][4]["args"], json::array({1}));
  EXPECT_EQ(document()["plots"]["learning"]["by"], "cell");
  EXPECT_EQ(document()["hypotheses"]["inputs_help"]["contrast"], "inputs");
}

TEST_F(Ablation, TakesSettingsFromTheCommandLine) {
  const Checked set = ablation({"reinforce.rounds=3", "ablation.seeds=[4, 5]", "stages.failing.full = 60%"});
  ASSERT_TRUE(set.diagnostics.empty()) << render(set.diagnostics, set.sources);
  const json& changed = set.resolved->at("experiments").at("ablation");
  EXPECT_EQ(changed["train"][1]["rounds"], 3);
  EXPECT_EQ(changed["seeds"], json::array({4, 5}));
  EXPECT_EQ(changed["vary"]["args"][1]["failing"]["full"], 0.6);
  EXPECT_EQ(set.resolved->at("experiments").at("ablation_full")["train"][1]["rounds"], 3)
      << "the command line is applied last";
}

TEST_F(Ablation, FindsMistakesOnTheCommandLine) {
  const Checked set = ablation({"reinforce.runds=3"});
  ASSERT_TRUE(set.has_errors());
  EXPECT_EQ(set.diagnostics[0].rule, "unknown_field");
  EXPECT_NE(render(set.diagnostics, set.sources).find("--set:1:11"), std::string::npos);
  EXPECT_TRUE(ablation({"reinforce.rounds"}).has_errors());
  EXPECT_TRUE(ablation({"nothing.rounds=3"}).has_errors());
}

TEST_F(Ablation, ReadsTheSameWhateverTheFormatting) {
  std::string text = read_from_disk(TRL_LANGUAGE_TESTS "/ablation.trl").value();
  std::string crlf = "\xEF\xBB\xBF# a comment\n";
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Checked other = test::check_text(crlf);
  ASSERT_TRUE(other.diagnostics.empty()) << render(other.diagnostics, other.sources);
  json a = document().at("experiments"), b = other.resolved->at("experiments");
  for (json* d : {&a, &b})
    for (auto& [name, e] : d->items()) e.erase("allowed");
  EXPECT_EQ(a, b);
}

TEST(WindtunnelBase, IsAnExperimentLikeAnyOther) {
  const Checked checked = check_file(TRL_EXPERIMENTS "/windtunnel_base.trl", test::in_memory({}));
  ASSERT_TRUE(checked.diagnostics.empty()) << render(checked.diagnostics, checked.sources);
  const json& base = checked.resolved->at("experiments").at("windtunnel_base");
  EXPECT_EQ(base["model"]["weights"]["named"]["hidden"], 256);
  EXPECT_EQ(base["train"][0]["variant"], "pretrain");
  EXPECT_EQ(base["train"][0]["data"]["named"]["exclude"]["tasks"].size(), 169u);
  EXPECT_FALSE(base.contains("adapter"));
}

}  // namespace
}  // namespace trl::language
