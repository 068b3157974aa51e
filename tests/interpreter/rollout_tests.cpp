// Training on answers that a server samples: its stages, what enters keys, what asking costs, the doctor.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/stages/rollout.hpp"
#include "interpreter/doctor/needs.hpp"
#include "interpreter/plan/cost.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

/// The small study, whose rounds are sampled by a server that `endpoint(…)` names with some arguments
/// changed.
json rolled_out(const json& changes = json::object()) {
  json named = {{"name", "qwen"},
                {"revision", ""},
                {"server", "vllm"},
                {"parameters", {"temperature", "top_p", "max_tokens", "stop", "seed"}}};
  named.update(changes);
  std::string address = "http://localhost:8000/v1";
  if (named.contains("address")) address = named["address"], named.erase("address");
  auto document = small_study();
  auto& experiment = document["experiments"]["study"];
  const json call = {{"call", "endpoint"}, {"args", {address}}, {"named", named}};
  const auto set = [&](json& pipeline) {
    for (auto& phase : pipeline)
      if (phase.contains("rounds")) phase["rollout"] = call, phase["rollout_place"] = "study.trl:9:3";
  };
  set(experiment["train"]);
  for (auto& control : experiment["controls"]) set(control);
  make_cells(experiment);
  return document;
}

class RolloutTest : public ::testing::Test {
 protected:
  RolloutTest() { write_model(home_.path); }
  Plan plan(const json& document) {
    auto how = options(home_.path);
    how.file_folder = home_.path;
    return make_plan(document, "study", how);
  }
  std::string key(const json& document) { return plan(document).rows.at(0).traces.at(0).rounds.at(0).sample; }
  Scratch home_;
};

}  // namespace

TEST_F(RolloutTest, RoundsAreSampledByTheServerAndExamsHere) {
  const auto made = plan(rolled_out());
  EXPECT_TRUE(made.missing.empty());
  const auto& trace = made.rows.at(0).traces.at(0);
  const auto* stage = made.find(trace.rounds.at(0).sample);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(stage->kind, "rollout");
  EXPECT_EQ(stage->spec["model"], (json{{"server", "vllm"}, {"name", "qwen"}}));
  EXPECT_EQ(contract::RolloutSpec::read(stage->spec).write(), stage->spec);
  EXPECT_EQ(made.find(stage->inputs.at("adapter"))->kind, "finetune") << "the adapter of imitation";
  EXPECT_TRUE(made.models.contains(stage->inputs.at("model"))) << "its tokenizer is needed here";
  EXPECT_EQ(made.find(trace.rounds[0].verify)->inputs.at("candidates"), stage->key);
  EXPECT_EQ(made.find(trace.exam_sample)->kind, "sample");
  EXPECT_NE(std::find(trace.training.begin(), trace.training.end(), stage->key), trace.training.end());
  const auto& server = made.endpoints.at(stage->key);
  EXPECT_EQ(server.endpoint.place, "study.trl:9:3");
  EXPECT_TRUE(server.endpoint.adapters.empty());
  for (const auto& one : made.stages) EXPECT_EQ(made.endpoints.contains(one.key), one.kind == "rollout");
}

TEST_F(RolloutTest, AKeyHoldsWhoSamplesAndNotWhere) {
  const auto key = this->key(rolled_out());
  EXPECT_NE(key, this->key(small_study())) << "here, other answers are sampled";
  for (const json& same :
       {json{{"address", "https://elsewhere.example/v1"}}, json{{"key_env", "A_KEY"}},
        json{{"concurrency", 1}}, json{{"price_in", 100}}, json{{"timeout", 1}},
        json{{"adapters", {{"call", "path"}, {"args", {"shared"}}, {"named", json::object()}}}}})
    EXPECT_EQ(this->key(rolled_out(same)), key) << same;
  for (const json& other : {json{{"name", "gpt"}}, json{{"revision", "2"}}, json{{"server", "sglang"}}})
    EXPECT_NE(this->key(rolled_out(other)), key) << other;
}

TEST_F(RolloutTest, AFolderForAdaptersIsWhereTheFileSays) {
  const auto made =
      plan(rolled_out({{"adapters", {{"call", "path"}, {"args", {"shared"}}, {"named", json::object()}}}}));
  EXPECT_EQ(made.endpoints.begin()->second.endpoint.adapters, (home_.path / "shared").string());
}

TEST_F(RolloutTest, LaterTurnsAreSampledFromTheLastOnesVerdicts) {
  auto document = rolled_out();
  for (auto& phase : document["experiments"]["study"]["train"])
    if (phase.contains("rounds")) phase["turns"] = 2, phase["feedback"] = "{answer} {message}";
  const auto made = plan(document);
  const auto& round = made.rows.at(0).traces.at(0).rounds.at(0);
  ASSERT_EQ(round.later.size(), 1u);
  const auto* second = made.find(round.later[0].sample);
  EXPECT_EQ(second->kind, "rollout");
  EXPECT_EQ(second->spec["turn"], 2);
  EXPECT_EQ(second->inputs.at("candidates"), round.sample);
  EXPECT_EQ(second->inputs.at("adapter"), made.find(round.sample)->inputs.at("adapter"));
  EXPECT_TRUE(made.endpoints.contains(second->key));
}

TEST_F(RolloutTest, CostIsWhatMissingAnswersTakeAtMost) {
  const auto made = plan(rolled_out({{"price_in", 3}, {"price_out", 15}}));
  double answers = 0;
  for (const auto& stage : made.stages)
    if (stage.kind == "rollout") answers += answers_of(made, stage);
  const auto cost = asking_cost(made, [](const Stage&) -> std::optional<double> { return std::nullopt; });
  ASSERT_TRUE(cost);
  EXPECT_GT(cost->requests, 0);
  EXPECT_EQ(cost->requests, answers);
  EXPECT_EQ(cost->unpriced, 0);
  EXPECT_GT(cost->usd, 0);
}

TEST_F(RolloutTest, DoctorLooksForItsKey) {
  const Scratch scratch;
  const auto document = rolled_out({{"key_env", "A_KEY"}});
  const auto needs = needs_of(document, plan(document), Store(scratch.path), "cpu");
  EXPECT_EQ(needs.keys,
            (std::vector<std::pair<std::string, std::string>>{{"A_KEY", "http://localhost:8000/v1"}}));
}

TEST(RolloutReport, TrainsAndTellsOfItsServer) {
  FinishedStudy study(rolled_out());
  EXPECT_TRUE(has(study.report().files.at("report.html"), "a server answered as qwen: "));
  const auto& trace = study.plan.rows.at(0).traces.at(0);
  EXPECT_TRUE(study.store.has(trace.rounds.at(0).finetune));
  const auto tokens = study.inference.figure(parse_column("tokens"), study.plan.rows.at(0));
  EXPECT_GT(tokens.value.value_or(0), 0) << "what a server samples in training counts as sampled";
}
