#include "base/contract/optimisation.hpp"
#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/plan.hpp"
#include "interpreter/plan/plan_text.hpp"
#include "interpreter/plan/seen_parts.hpp"
#include "interpreter/plan/task_memory.hpp"
#include "interpreter/report/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "interpreter/plan/why.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() { write_model(home_.path); }
  Plan plan(const json& document, bool purity = false) {
    return make_plan(document, "study", options(home_.path, purity));
  }
  static std::set<std::string> keys(const Plan& plan) {
    std::set<std::string> keys;
    for (const auto& stage : plan.stages) keys.insert(stage.key);
    return keys;
  }
  static int count(const Plan& plan, const std::string& kind) {
    return static_cast<int>(
        std::count_if(plan.stages.begin(), plan.stages.end(), [&](auto& s) { return s.kind == kind; }));
  }
  std::set<std::string> keys_after(const std::function<void(json&)>& change) {
    auto document = study();
    change(document["experiments"]["study"]);
    return keys(plan(document));
  }
  Scratch home_;
};

}  // namespace

TEST_F(PlanTest, InputsComeBeforeTheirUsers) {
  const auto made = plan(study(), true);
  std::set<std::string> known;
  for (const auto& [key, path] : made.models) known.insert(key);
  for (const auto& stage : made.stages) {
    for (const auto& [name, key] : stage.inputs)
      EXPECT_TRUE(known.contains(key)) << stage.slot << " " << name;
    EXPECT_TRUE(known.insert(stage.key).second) << stage.slot;
  }
}

TEST_F(PlanTest, SharedPrefixesAreStagesOnce) {
  const auto made = plan(study());
  EXPECT_EQ(count(made, "corpus"), 1);
  EXPECT_EQ(count(made, "tasks"), 1);
  // One finetune stage for imitation; then 8 distinct cells and the unfiltered control with two rounds each.
  EXPECT_EQ(count(made, "finetune"), 1 + 9 * 2);
  // Before adaptation, the first rounds of all cells with fixed shares and of the control sample the same.
  // The adaptive cells measure accuracy once for each way of verifying, from shared samples.
  std::set<std::string> first_rounds;
  for (const auto& row : made.rows)
    for (const auto& trace : row.traces)
      if (!trace.rounds.empty() &&
          std::find(row.extensions.begin(), row.extensions.end(), "pace") == row.extensions.end())
        first_rounds.insert(trace.rounds[0].sample);
  EXPECT_EQ(first_rounds.size(), 1u);
}

TEST_F(PlanTest, CellsEqualOnThisMachineAreOneRow) {
  const auto made = plan(study());
  EXPECT_EQ(made.cells, 16);
  std::size_t cells = 0;
  for (const auto& row : made.rows) {
    if (row.kind != Row::Kind::cell) continue;
    ++cells;
    ASSERT_EQ(row.same_as.size(), 1u) << row.label;
    EXPECT_EQ(row.same_as[0], row.label == "none" ? "clock" : row.label + " + clock");
  }
  EXPECT_EQ(cells, 8u);
  EXPECT_EQ(made.inert, std::vector<std::string>{"clock"});
  EXPECT_EQ(made.notes.size(), 1u);
}

TEST_F(PlanTest, AnExtensionThatActsOnNothingIsNoRowOfItsOwn) {
  const auto cells = [&](const json& document, bool timed) {
    auto given = options(home_.path, false);
    given.times_kernels = timed;
    const auto made = make_plan(document, "study", given);
    return std::count_if(made.rows.begin(), made.rows.end(),
                         [](const Row& row) { return row.kind == Row::Kind::cell; });
  };
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["vary"]["args"][0]["variations"] = json::array({"original"});
  EXPECT_EQ(cells(document, false), 4) << "neither inputs nor clock change anything";
  EXPECT_EQ(cells(document, true), 8);
}

TEST_F(PlanTest, WithTimedKernelsTheClockIsACellOfItsOwn) {
  auto timed = options(home_.path, false);
  timed.times_kernels = true;
  const auto made = make_plan(study(), "study", timed);
  EXPECT_EQ(
      std::count_if(made.rows.begin(), made.rows.end(), [](auto& r) { return r.kind == Row::Kind::cell; }),
      16);
  EXPECT_TRUE(made.notes.empty());
}

TEST_F(PlanTest, ControlsAndTheModelAsItCameAreRows) {
  const auto made = plan(study());
  ASSERT_EQ(made.rows.size(), 8u + 2 + 1);
  EXPECT_EQ(made.rows[8].label, "imitate");
  EXPECT_EQ(made.rows[9].label, "imitate -> unfiltered");
  EXPECT_EQ(made.rows[10].label, "base");
  EXPECT_EQ(made.rows[10].kind, Row::Kind::base);
  EXPECT_TRUE(made.rows[10].traces[0].training.empty());
  EXPECT_FALSE(made.find(made.rows[10].traces[0].exam_sample)->inputs.contains("adapter"));
}

TEST_F(PlanTest, TheExamIsTheSameForEveryRow) {
  const auto made = plan(study(), true);
  std::set<std::string> specs;
  for (const auto& row : made.rows)
    for (const auto& trace : row.traces) {
      specs.insert(made.find(trace.exam_verify)->spec.dump());
      for (const auto& round : trace.rounds) specs.insert(made.find(round.purity)->spec.dump());
    }
  EXPECT_EQ(specs.size(), 1u);
}

TEST_F(PlanTest, TrainingVerifiesAsTheExtensionsSay) {
  const auto made = plan(study());
  for (const auto& row : made.rows) {
    if (row.kind != Row::Kind::cell) continue;
    const std::set<std::string> on(row.extensions.begin(), row.extensions.end());
    const auto& round = row.traces[0].rounds[0];
    const auto& verify = made.find(round.verify)->spec;
    EXPECT_EQ(verify["variations"].size(), on.contains("inputs") ? 5u : 1u);
    EXPECT_EQ(verify["tiny"], on.contains("stages"));
    EXPECT_EQ(verify["memory_checks"], false);
    EXPECT_EQ(verify["compile"], "after_values");
    EXPECT_EQ(made.find(round.select)->spec["failing"].is_null(), !on.contains("stages"));
    EXPECT_EQ(made.find(round.draw)->spec.contains("share"), on.contains("pace"));
  }
}

TEST_F(PlanTest, TheAdapterContinues) {
  const auto made = plan(study());
  const auto& trace = made.rows[0].traces[0];
  const auto imitate = trace.slots.at("imitate/finetune");
  EXPECT_FALSE(made.find(imitate)->inputs.contains("adapter"));
  EXPECT_EQ(made.find(trace.rounds[0].finetune)->inputs.at("adapter"), imitate);
  EXPECT_EQ(made.find(trace.rounds[1].finetune)->inputs.at("adapter"), trace.rounds[0].finetune);
  EXPECT_EQ(made.find(trace.exam_sample)->inputs.at("adapter"), trace.rounds[1].finetune);
}

TEST_F(PlanTest, TheCorpusLeavesOutWhatIsExcluded) {
  const auto made = plan(study());
  const auto corpus =
      std::find_if(made.stages.begin(), made.stages.end(), [](auto& s) { return s.kind == "corpus"; });
  EXPECT_EQ(corpus->spec["tasks"].size(), 10u);
  EXPECT_EQ(corpus->spec["samples"], (json{{"level1", 3}, {"level2", 5}}));
}

TEST_F(PlanTest, KeysIgnoreNamesDocumentationAndSourcePlaces) {
  const auto before = keys(plan(study()));
  EXPECT_EQ(before, keys_after([](json& e) {
              e["name"] = "other", e["doc"] = "changed", e["model"]["name"] = "m", e["adapter"]["name"] = "l";
              e["train"][0]["name"] = "sft", e["train"][1]["name"] = "rl", e["train"][1]["doc"] = "x";
              e["evaluate"]["name"] = "final";
              e["vary"]["args"][0]["name"] = "many";
            }));
  auto documented = study();
  documented["tasks"]["level1/1"]["doc"] = "Other words.";
  EXPECT_EQ(before, keys(plan(documented)));
  EXPECT_EQ(before, keys_after([](json& e) {
              // The formula with another parameter name, v instead of c, and with source places.
              auto text = e["train"][1]["reward"].dump();
              for (std::size_t at; (at = text.find("\"c\"")) != std::string::npos;)
                text.replace(at, 3, "\"v\"");
              e["train"][1]["reward"] = json::parse(text);
              e["train"][1]["reward"]["formula"]["body"]["at"] = {3, 9};
              e["controls"][1][1]["reward"]["formula"]["body"]["at"] = {4, 9};
            }));
}

TEST_F(PlanTest, EveryFieldThatMattersChangesKeys) {
  const auto before = keys(plan(study()));
  const std::vector<std::pair<const char*, std::function<void(json&)>>> changes = {
      {"seed", [](json& e) { e["seeds"] = {2}; }},
      {"precision", [](json& e) { e["model"]["precision"] = "f32"; }},
      {"rank", [](json& e) { e["adapter"]["rank"] = 8; }},
      {"dropout", [](json& e) { e["adapter"]["dropout"] = 0; }},
      {"targets", [](json& e) { e["adapter"]["targets"] = {"q_proj"}; }},
      {"data", [](json& e) { e["train"][0]["data"]["named"]["flawed"] = 0.6; }},
      {"sft version", [](json& e) { e["train"][0]["version"] = 2; }},
      {"learning rate", [](json& e) { e["train"][1]["learning_rate"] = 1e-5; }},
      {"epochs", [](json& e) { e["train"][1]["epochs"] = 3; }},
      {"candidates", [](json& e) { e["train"][1]["candidates"] = 5; }},
      {"temperature", [](json& e) { e["train"][1]["temperature"] = 0.9; }},
      {"top_k", [](json& e) { e["train"][1]["top_k"] = 50; }},
      {"top_p", [](json& e) { e["train"][1]["top_p"] = 0.9; }},
      {"stop", [](json& e) { e["train"][1]["stop"] = {"\n```"}; }},
      {"exam top_p", [](json& e) { e["evaluate"]["top_p"] = 0.9; }},
      {"exam stop", [](json& e) { e["evaluate"]["stop"] = {"\n```"}; }},
      {"sampled", [](json& e) { e["adapter"]["sampled"] = "unmerged"; }},
      {"quantize", [](json& e) { e["model"]["quantize"] = "nf4"; }},
      {"max_tokens", [](json& e) { e["train"][1]["max_tokens"] = 65; }},
      {"keep", [](json& e) { e["train"][1]["keep"] = 1; }},
      {"min_reward", [](json& e) { e["train"][1]["min_reward"] = 0.4; }},
      {"rounds", [](json& e) { e["train"][1]["rounds"] = 3; }},
      {"tasks_per_round", [](json& e) { e["train"][1]["tasks_per_round"] = 4; }},
      {"tasks", [](json& e) { e["train"][1]["tasks"]["tasks"].erase(0); }},
      {"reward", [](json& e) { e["train"][1]["reward"]["formula"]["body"] = 1; }},
      {"credit", [](json& e) { e["vary"]["args"][1]["failing"]["full"] = 0.6; }},
      {"variations", [](json& e) { e["vary"]["args"][0]["variations"].erase(1); }},
      {"share", [](json& e) { e["vary"]["args"][2]["share"][0][1]["formula"]["body"]["args"][0] = 0.2; }},
      {"framework", [](json& e) { e["train"][1]["framework"] = "epilogue"; }},
      {"exam samples", [](json& e) { e["evaluate"]["samples"] = 3; }},
      {"exam split", [](json& e) { e["evaluate"]["split"]["tasks"].erase(0); }},
  };
  for (const auto& [name, change] : changes) EXPECT_NE(before, keys_after(change)) << name;
  Scratch other;
  write_model(other.path, "abcdefgh");
  EXPECT_NE(before, keys(make_plan(study(), "study", options(other.path, false))));
}

TEST_F(PlanTest, HowAnswersAreDrawnIsSaidWhereItIsNotTheDefault) {
  const auto before = plan(study());
  const auto with_defaults = keys_after([](json& e) {
    e["adapter"]["sampled"] = "merged";
    for (json* one : {&e["train"][1], &e["evaluate"]}) (*one)["top_p"] = 1, (*one)["stop"] = json::array();
  });
  EXPECT_EQ(keys(before), with_defaults) << "what was made before there were the fields stays known";
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["model"]["quantize"] = "nf4";
  experiment["adapter"]["sampled"] = "unmerged";
  experiment["train"][1]["top_k"] = 50;
  experiment["evaluate"]["top_p"] = 0.9, experiment["evaluate"]["stop"] = {"a", "b"};
  const auto made = plan(document);
  made.require_all();
  std::size_t trained = 0, sampled = 0, examined = 0, with_top_k = 0;
  for (const auto& stage : made.stages) {
    if (stage.kind == "finetune") {
      trained += stage.spec.at("quantize") == "nf4";
      EXPECT_FALSE(stage.spec.at("adapter").contains("sampled")) << "training doesn't depend on it";
    }
    if (stage.kind != "sample") continue;
    EXPECT_EQ(stage.spec.value("adapter", "merged"),
              stage.inputs.contains("adapter") ? "unmerged" : "merged");
    EXPECT_EQ(stage.spec.at("quantize"), "nf4");
    const bool exam = stage.spec.at("purpose") == "exam";
    (exam ? examined : sampled) += 1;
    with_top_k += stage.spec.value("top_k", 0) == 50;
    EXPECT_FALSE(exam && stage.spec.contains("top_k"));
    EXPECT_EQ(stage.spec.value("top_p", 1.0), exam ? 0.9 : 1.0);
    EXPECT_EQ(stage.spec.value("stop", json::array()), exam ? json({"a", "b"}) : json::array());
  }
  EXPECT_GT(trained, 0u);
  EXPECT_GT(with_top_k, 0u);
  EXPECT_LT(with_top_k, sampled) << "a control says nothing of it";
  EXPECT_GT(examined, 0u);
}

TEST_F(PlanTest, WhatPyTorchMayFinishIsSaidOfTrainingAlone) {
  const auto before = plan(study());
  EXPECT_EQ(keys(before), keys_after([](json& e) { e["train"][1]["framework"] = "none"; }))
      << "what was made before there was the field stays known";
  auto document = study();
  document["experiments"]["study"]["train"][1]["framework"] = "epilogue";
  const auto made = plan(document, true);
  std::size_t rounds = 0;
  for (const auto& row : made.rows)
    for (const auto& trace : row.traces) {
      if (!trace.exam_verify.empty()) {
        EXPECT_FALSE(made.find(trace.exam_verify)->spec.contains("framework"));
      }
      for (const auto& round : trace.rounds) {
        if (row.kind != Row::Kind::cell) continue;
        EXPECT_EQ(made.find(round.verify)->spec.value("framework", ""), "epilogue");
        EXPECT_FALSE(made.find(round.purity)->spec.contains("framework"));
        ++rounds;
      }
    }
  EXPECT_GT(rounds, 0u);
}

TEST_F(PlanTest, APlaceboDrawsTrainingAnewAndChangesNothingElse) {
  auto document = small_study();
  auto& experiment = document["experiments"]["study"];
  experiment["vary"]["args"] = json::array({extension("sugar", "placebo", json::object())});
  make_cells(experiment);
  const auto made = plan(document);
  ASSERT_EQ(made.cells, 2);
  EXPECT_TRUE(made.inert.empty());
  const auto &off = made.rows[0].traces[0], &on = made.rows[1].traces[0];
  ASSERT_EQ(made.rows[1].extensions, std::vector<std::string>{"sugar"});
  ASSERT_TRUE(made.rows[0].same_as.empty());
  ASSERT_EQ(off.slots.size(), on.slots.size());
  int drawn_anew = 0;
  for (const auto& [slot, key] : off.slots) {
    const auto &without = *made.find(key), &with = *made.find(on.slots.at(slot));
    EXPECT_EQ(without.implementation, with.implementation) << slot;
    json one = without.spec, other = with.spec;
    if (one == other) continue;
    EXPECT_TRUE(slot.starts_with("reinforce/")) << slot << " is before the rounds, or the exam";
    EXPECT_NE(one["seed"], other["seed"]) << slot;
    one.erase("seed"), other.erase("seed");
    EXPECT_EQ(one, other) << slot;
    ++drawn_anew;
  }
  EXPECT_EQ(drawn_anew, 4) << "draw, sample, select and finetune of the one round";
  EXPECT_NE(off.exam_sample, on.exam_sample);
  EXPECT_EQ(keys(plan(document)), keys(made)) << "the same draws each time";

  // Another version is another placebo.
  experiment["vary"]["args"][0]["version"] = 2;
  EXPECT_NE(plan(document).rows[1].traces[0].exam_sample, on.exam_sample);

  // Where there are no rounds, it is imitation that is drawn anew.
  experiment["train"].erase(1);
  const auto imitated = plan(document);
  ASSERT_TRUE(imitated.rows[0].same_as.empty());
  EXPECT_NE(imitated.rows[0].traces[0].exam_sample, imitated.rows[1].traces[0].exam_sample);
}

TEST_F(PlanTest, SaysHowManyPartsOfTheExamPretrainingHad) {
  auto document = small_study();
  json seen = json::array({"relu(x0:f32[d0,d1])"});
  const auto write_seen = [&] {
    write_text(home_.path / "stdlib/windtunnel/manifest.json", json{{"keys", seen}}.dump());
  };
  EXPECT_TRUE(notes_for_people(plan(document)).empty()) << "a model without a manifest";
  const auto& split = document["experiments"]["study"]["evaluate"]["split"]["tasks"];
  for (const auto& id : split) document["tasks"][id.get<std::string>()]["key"] = "relu(x0:f32[d0,d1])";
  write_seen();
  EXPECT_TRUE(notes_for_people(plan(document)).empty()) << "tasks of one operator";
  document["tasks"][split[0].get<std::string>()]["key"] = "tanh(sub(exp(x0:f32[d0,d1]),#))";
  document["tasks"][split[1].get<std::string>()]["key"] = "erf(cos(x0:f32[d0,d1]))";
  const auto before = plan(document);
  const auto unseen = notes_for_people(before);
  ASSERT_EQ(unseen.size(), 1u);
  EXPECT_NE(unseen[0].find("2 have parts"), std::string::npos) << unseen[0];
  EXPECT_NE(unseen[0].find("of 0 of them"), std::string::npos) << unseen[0];
  EXPECT_NE(unseen[0].find("on average 0 %"), std::string::npos) << unseen[0];
  // One of two parts of the one task, in another spelling, and none of the other's.
  seen.push_back("relu(add(exp(x0:f32[d0,d1]),#))");
  write_seen();
  const auto after = plan(document);
  const auto noted = notes_for_people(after);
  ASSERT_EQ(noted.size(), 1u);
  EXPECT_NE(noted[0].find("of 1 of them"), std::string::npos) << noted[0];
  EXPECT_NE(noted[0].find("on average 25 %"), std::string::npos) << noted[0];
  EXPECT_EQ(PlanTest::keys(after), PlanTest::keys(before)) << "what is noted changes no stage";
}

TEST_F(PlanTest, AddingASeedKeepsTheFirstSeedsStages) {
  const auto one = keys(plan(study())), two = keys_after([](json&e) { e["seeds"] = {1, 2}; });
  EXPECT_TRUE(std::includes(two.begin(), two.end(), one.begin(), one.end()));
}

TEST_F(PlanTest, AddingRoundsKeepsTheFirstRounds) {
  const auto two = plan(study());
  const auto three = keys_after([](json& e) { e["train"][1]["rounds"] = 3; });
  for (const auto& round : two.rows[0].traces[0].rounds) EXPECT_TRUE(three.contains(round.finetune));
}

TEST_F(PlanTest, PretrainingStartsFromNothing) {
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["model"]["weights"] = {{"call", "random"},
                                    {"args", json::array()},
                                    {"named",
                                     {{"hidden", 64},
                                      {"layers", 2},
                                      {"heads", 2},
                                      {"kv_heads", 1},
                                      {"intermediate", 128},
                                      {"context", 256}}}};
  experiment["train"] = json::array({{{"kind", "train"},
                                      {"name", "grow"},
                                      {"variant", "pretrain"},
                                      {"version", 1},
                                      {"data",
                                       {{"call", "windtunnel.chains"},
                                        {"args", json::array()},
                                        {"named",
                                         {{"samples", 100},
                                          {"longest", 8},
                                          {"flawed", 0.7},
                                          {"exclude", experiment["evaluate"]["split"]}}}}},
                                      {"steps", 10},
                                      {"batch", 4},
                                      {"sequence", 64},
                                      {"learning_rate", 1e-3},
                                      {"warmup", 0.1},
                                      {"schedule", "cosine"},
                                      {"weight_decay", 0.1},
                                      {"clip", 1},
                                      {"vocabulary", 300}}});
  for (const char* field : {"adapter", "vary", "design", "cells"}) experiment.erase(field);
  experiment["controls"] = json::array();
  const auto made = plan(document);
  ASSERT_EQ(made.rows.size(), 1u);
  EXPECT_EQ(made.rows[0].label, "grow");
  std::vector<std::string> kinds;
  for (const auto& stage : made.stages) kinds.push_back(stage.kind);
  EXPECT_EQ(kinds,
            (std::vector<std::string>{"corpus", "tokenizer", "pretrain", "tasks", "sample", "verify"}));
  EXPECT_EQ(made.stages[0].spec["exclude_keys"].size(), 5u);
  EXPECT_EQ(made.stages[0].spec["exclude_spellings"], true);
  EXPECT_EQ(made.stages[2].spec["architecture"]["hidden"], 64);
  EXPECT_TRUE(made.models.empty());
}

/// Ranks 8, 16 and 32 with and without `inputs`, as the language resolves `subsets(inputs) * grid(writer.rank
/// = …)`.
json ranks() {
  auto document = small_study();
  auto& experiment = document["experiments"]["study"];
  experiment["design"]["factors"].push_back(
      {{"name", "writer.rank"}, {"extension", false}, {"levels", {"8", "16", "32"}}});
  experiment["cells"] = json::array();
  for (int on = 0; on < 2; ++on)
    for (int level = 0; level < 3; ++level) {
      auto adapter = experiment["adapter"];
      adapter["rank"] = 8 << level;
      experiment["cells"].push_back(
          {{"label", (on ? "inputs, rank = " : "none, rank = ") + std::to_string(8 << level)},
           {"levels", {on, level}},
           {"with", {{"adapter", adapter}, {"vary", experiment["vary"]}}}});
    }
  return document;
}

TEST_F(PlanTest, CellsHaveTheirOwnSettings) {
  const auto made = plan(ranks());
  ASSERT_EQ(made.cells, 6);
  for (int i = 0; i < 6; ++i) {
    const auto& row = made.rows[static_cast<std::size_t>(i)];
    EXPECT_EQ(made.find(row.traces[0].rounds[0].finetune)->spec["adapter"]["rank"], 8 << i % 3);
    EXPECT_EQ(row.extensions.size(), i < 3 ? 0u : 1u);
  }
  // The control, which is imitation alone, keeps the declared rank of 16.
  EXPECT_EQ(made.find(made.rows[6].traces[0].training.back())->spec["adapter"]["rank"], 16);
}

TEST_F(PlanTest, LevelsAreComparedWhereAllElseIsEqual) {
  const auto made = plan(ranks());
  using Pairs = std::vector<Comparison::Pair>;
  EXPECT_EQ(compare_factor(made, "writer.rank").pairs, (Pairs{{2, 0}, {5, 3}}));
  EXPECT_EQ(compare_factor(made, "inputs").pairs, (Pairs{{3, 0}, {4, 1}, {5, 2}}));
  EXPECT_EQ(all_comparisons(made).size(), 3u);
  EXPECT_EQ(all_comparisons(made)[1].words, "at `writer.rank` = 16 minus at 8");
  EXPECT_EQ(compare_with_control(made, "imitate").pairs.size(), 6u);
  EXPECT_THROW(compare_factor(made, "writer.alpha"), UserError);
  EXPECT_THROW(compare_with_control(made, "nothing"), UserError);
}

TEST_F(PlanTest, AFractionComparesHalves) {
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["design"]["fraction"] = {{"resolution", 4},
                                      {"aliases", json::array({"inputs = stages x pace x clock"})}};
  json half = json::array();
  for (const auto& cell : experiment["cells"]) {
    int on = 0;
    for (const auto& level : cell["levels"]) on += level.get<int>();
    if (on % 2 == 0) half.push_back(cell);
  }
  experiment["cells"] = half;
  const auto made = plan(document);
  const auto comparison = compare_factor(made, "inputs");
  EXPECT_EQ(comparison.pairs.size(), 4u);
  for (const auto& [with, without, cells] : comparison.pairs) {
    EXPECT_EQ(made.rows[with].levels.at("inputs"), "on");
    EXPECT_EQ(made.rows[without].levels.at("inputs"), "off");
    EXPECT_EQ(cells, 1);
  }
  EXPECT_TRUE(compare_factor(made, "clock").pairs.empty())
      << "it is inert although it is aliased with other effects";
}

TEST_F(PlanTest, TrainersThatWeighTrainOnEveryAnswer) {
  for (const auto& [variant, baseline, weigh] : {std::tuple{"weighted_sft", "", "reward"},
                                                 {"policy_gradient", "none", "reward"},
                                                 {"policy_gradient", "mean", "mean"},
                                                 {"policy_gradient", "leave_one_out", "leave_one_out"}}) {
    auto document = study();
    auto& train = document["experiments"]["study"]["train"][1];
    train["variant"] = variant;
    train["baseline"] = baseline;
    for (const char* field : {"keep", "keep_by", "match", "duplicates", "min_reward"}) train.erase(field);
    const auto made = plan(document);
    made.require_all();
    std::size_t selected = 0;
    for (const auto& stage : made.stages)
      if (stage.kind == "select") selected += stage.spec.value("weigh", "none") == weigh;
    EXPECT_GT(selected, 0u) << variant << " " << baseline;
  }
}

// What the words of each trainer become in the specs of `select` and `finetune`.
TEST_F(PlanTest, TrainersWithRatiosTellTheirObjective) {
  const auto objectives = [&](const json& changes) {
    auto document = study();
    document["experiments"]["study"]["controls"] = json::array();
    auto& train = document["experiments"]["study"]["train"][1];
    for (const char* field : {"keep", "keep_by", "match", "duplicates", "min_reward"}) train.erase(field);
    train.update(changes);
    const auto made = plan(document);
    made.require_all();
    std::set<std::string> found;
    for (const auto& stage : made.stages) {
      if (stage.kind == "select")
        found.insert(stage.spec.value("weigh", "none") + " " + stage.spec["keep"].dump() +
                     (stage.spec.contains("plan_reward") ? " with plans" : ""));
      if (stage.kind == "sample" && stage.spec.value("scores", false)) {
        EXPECT_EQ(stage.spec["purpose"], "train");
        found.insert("scores");
      }
      if (stage.kind == "finetune" && stage.spec["round"] != 0)
        found.insert(stage.spec.value("objective", json()).dump() +
                     (stage.inputs.contains("reference") ? " from the start" : ""));
    }
    return found;
  };
  json grpo = {{"variant", "grpo"},    {"standardised", true},   {"clip_ratio", 0.2},    {"kl", 0},
               {"reference", "start"}, {"mean_over", "answers"}, {"mismatch", "ignore"}, {"mismatch_cap", 2}};
  EXPECT_EQ(objectives(grpo),
            (std::set<std::string>{
                "standardised 0",
                R"({"clip_high":0.2,"clip_low":0.2,"loss":"clipped_ratio","mean_over":"answers"})"}));
  grpo["standardised"] = false, grpo["mean_over"] = "constant", grpo["clip_higher"] = 0.28, grpo["kl"] = 0.5;
  const auto tokens = std::to_string(study()["experiments"]["study"]["train"][1]["max_tokens"].get<int>());
  const std::string said = R"({"clip_high":0.28,"clip_low":0.2,"constant":)" + tokens +
                           R"(,"kl":0.5,"loss":"clipped_ratio","mean_over":"constant"})";
  EXPECT_EQ(objectives(grpo), (std::set<std::string>{"mean 0", said + " from the start"}));
  grpo["reference"] = "base";
  EXPECT_EQ(objectives(grpo), (std::set<std::string>{"mean 0", said}));
  grpo["kl"] = 0, grpo["mean_over"] = "tokens", grpo["mismatch"] = "truncate";
  EXPECT_EQ(objectives(grpo),
            (std::set<std::string>{"mean 0", "scores",
                                   R"({"clip_high":0.28,"clip_low":0.2,"loss":"clipped_ratio",)"
                                   R"("mean_over":"tokens","mismatch":"truncate","mismatch_cap":2})"}));
  grpo["mismatch_answer_cap"] = 1.001, grpo["mismatch_veto"] = 0.0001, grpo["mismatch"] = "measure";
  EXPECT_EQ(objectives(grpo),
            (std::set<std::string>{"mean 0", "scores",
                                   R"({"clip_high":0.28,"clip_low":0.2,"loss":"clipped_ratio",)"
                                   R"("mean_over":"tokens","mismatch":"measure",)"
                                   R"("mismatch_answer_cap":1.001,"mismatch_veto":0.0001})"}));
  grpo["mismatch"] = "ignore", grpo["plan_weight"] = 0.1, grpo["plan_reward"] = nullptr;
  const std::string alike =
      R"({"clip_high":0.28,"clip_low":0.2,"loss":"clipped_ratio","mean_over":"tokens"})";
  EXPECT_EQ(objectives(grpo), (std::set<std::string>{"mean 0", alike})) << "plan and code have one reward";
  grpo["plan_reward"] = study()["experiments"]["study"]["train"][1]["reward"];
  EXPECT_EQ(objectives(grpo), (std::set<std::string>{"mean 0 with plans", alike.substr(0, alike.size() - 1) +
                                                                              R"(,"plan_weight":0.1})"}));
  EXPECT_EQ(
      objectives({{"variant", "policy_gradient"}, {"baseline", "leave_one_out"}, {"clip_ratio", 0.3}}),
      (std::set<std::string>{"leave_one_out 0",
                             R"({"clip_high":0.3,"clip_low":0.3,"loss":"clipped_ratio","ratio":"answer"})"}));
  EXPECT_EQ(objectives({{"variant", "policy_gradient"}, {"baseline", "leave_one_out"}}),
            (std::set<std::string>{"leave_one_out 0", "null"}));
  EXPECT_EQ(
      objectives(
          {{"variant", "dpo"}, {"pairs", 3}, {"duplicates", "drop"}, {"beta", 0.1}, {"reference", "start"}}),
      (std::set<std::string>{"pairs 3", R"({"beta":0.1,"loss":"preference"} from the start)"}));
  EXPECT_EQ(objectives({{"variant", "weighted_sft"}, {"reward_temperature", 0.5}}),
            (std::set<std::string>{"exponential 0", "null"}));
}

/// Gives an experiment a machine and a model by which its stages have seconds.
void price(json& experiment) {
  experiment["machine"] = {{"gpus", 1},         {"bandwidth", 1e12}, {"compute", 1e14},
                           {"efficiency", 0.5}, {"cores", 4},        {"verify", 1}};
  experiment["estimate"] = {{"weights", 1e9},
                            {"weight_bytes", 2e9},
                            {"cache_bytes_per_token", 1e5},
                            {"trained", 1e7},
                            {"peak_bytes", 1e10}};
}

/// The seconds of fine-tuning in rounds.
double seconds_of_rounds(const json& document, Plan made) {
  std::erase_if(made.stages,
                [](const Stage& stage) { return stage.kind == "finetune" && stage.spec["round"] == 0; });
  std::string why;
  const auto cost = cost_of(
      document, made, [](const Stage&) { return std::nullopt; }, {}, why);
  return cost ? cost->to_do.at("finetune").seconds : 0;
}

// Those that weigh say nothing of how many answers are kept, since they keep all.
TEST_F(PlanTest, TrainingOnEveryAnswerIsPaidFor) {
  const auto seconds = [&](const json& changes) {
    auto document = study();
    auto& experiment = document["experiments"]["study"];
    experiment["controls"] = json::array();
    price(experiment);
    auto& train = experiment["train"][1];
    train["keep"] = train["candidates"];
    train.update(changes);
    return seconds_of_rounds(document, plan(document));
  };
  const double all = seconds(json::object());
  EXPECT_GT(all, 0);
  EXPECT_DOUBLE_EQ(seconds({{"variant", "weighted_sft"}, {"keep", 0}}), all);
  const double epochs = study()["experiments"]["study"]["train"][1]["epochs"];
  json grpo = {{"variant", "grpo"},
               {"keep", 0},
               {"standardised", true},
               {"clip_ratio", 0.2},
               {"kl", 0},
               {"mismatch_cap", 2},
               {"mismatch", "ignore"},
               {"reference", "start"},
               {"mean_over", "answers"}};
  EXPECT_DOUBLE_EQ(seconds(grpo), all * (4 * epochs + 2) / (4 * epochs)) << "with a pass of the old policy";
  grpo["kl"] = 0.1;
  EXPECT_DOUBLE_EQ(seconds(grpo), all * (4 * epochs + 4) / (4 * epochs)) << "and one of the reference";
}

// A trainer may keep the best answers to each task and weigh these.
TEST_F(PlanTest, WhatIsKeptAndWeighedIsPaidForAsWhatIsKept) {
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["controls"] = json::array();
  price(experiment);
  const double candidates = experiment["train"][1]["candidates"];
  auto made = plan(document);
  const auto seconds = [&](std::size_t keep, const char* weigh) {
    for (auto& stage : made.stages)
      if (stage.kind == "select") stage.spec["keep"] = keep, stage.spec["weigh"] = weigh;
    return seconds_of_rounds(document, made);
  };
  const double all = seconds(0, "reward");
  EXPECT_GT(all, 0);
  EXPECT_DOUBLE_EQ(seconds(1, "reward"), all / candidates);
  EXPECT_DOUBLE_EQ(seconds(1, "none"), all / candidates);
  EXPECT_DOUBLE_EQ(seconds(1, "pairs"), 2 * all / candidates);
}

TEST_F(PlanTest, ARoundCostsAsManyTasksAsThereAre) {
  auto document = study();
  auto& train = document["experiments"]["study"]["train"][1];
  const auto answers = [&] {
    const auto made = plan(document);
    for (const auto& stage : made.stages)
      if (stage.kind == "sample" && stage.spec["purpose"] == "train") return answers_of(made, stage);
    return 0.0;
  };
  const double pool = static_cast<double>(train["tasks"]["tasks"].size()), each = train["candidates"];
  train["tasks_per_round"] = pool - 1;
  EXPECT_EQ(answers(), (pool - 1) * each);
  train["tasks_per_round"] = 100 * pool;
  EXPECT_EQ(answers(), pool * each);
}

TEST_F(PlanTest, ACostSaysWhatItAssumesOfAnswers) {
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  price(experiment);
  const auto cost = [&](const Experience& measured, bool times_kernels = false) {
    auto how = options(home_.path, false);
    how.times_kernels = times_kernels;
    std::string why;
    auto found = cost_of(
        document, make_plan(document, "study", how), [](const Stage&) { return std::nullopt; }, measured,
        why);
    return found.value_or(Cost());
  };
  const auto said = [](const Cost& of) {
    std::string text;
    for (const std::string& one : assumptions_of(of)) text += one + "\n";
    return text;
  };
  const Cost modelled = cost({});
  ASSERT_GT(modelled.answers, 0);
  EXPECT_EQ(modelled.answers_before, 0);
  EXPECT_TRUE(has(said(modelled), "the most that `max_tokens` allows")) << said(modelled);
  EXPECT_TRUE(
      has(said(modelled), "modelled from the machine's `verify` or else the kind of tasks, launches, as if"))
      << said(modelled);
  EXPECT_GT(modelled.core_seconds, modelled.judged) << "launches come on top of the machine's second each";
  EXPECT_EQ(modelled.gpu_seconds, 0);

  Experience measured;
  measured.sampled = {{.longest = 1e6, .answers = 640, .tokens = 640 * 11}};
  measured.judged = {.answers = 10, .core_seconds = 30, .gpu_seconds = 0};
  const Cost known = cost(measured);
  EXPECT_DOUBLE_EQ(known.answer_tokens, 11 * known.answers);
  EXPECT_DOUBLE_EQ(known.core_seconds, 3 * known.judged);
  EXPECT_TRUE(has(said(known), "11 tokens an answer: measured, by 640 answers of this model")) << said(known);
  EXPECT_TRUE(has(said(known), "3 s of a core to judge an answer: measured, by 10 judged answers"))
      << said(known);
  EXPECT_LT(known.to_do.at("sample").seconds, modelled.to_do.at("sample").seconds);
  measured.sampled.front().longest = 1;
  EXPECT_EQ(cost(measured).answers_before, 0) << "those were cut off earlier";

  const Cost timed = cost({}, true);
  EXPECT_GT(timed.gpu_seconds, 0);
  EXPECT_TRUE(has(said(timed), "launches, timing and baselines")) << said(timed);
  experiment["evaluate"]["second_baseline"] = "compiled";
  EXPECT_GT(cost({}, true).gpu_seconds, timed.gpu_seconds) << "each task's module is compiled and timed, too";
  EXPECT_GT(cost(measured, true).gpu_seconds, 0) << "answers without measured times tell nothing of these";
}

// A machine that doesn't say how long judging takes.
TEST_F(PlanTest, JudgingCostsByTheKindOfTasks) {
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  price(experiment);
  const auto each = [&](bool of_modules) {
    Plan made = plan(document);
    if (of_modules)
      for (auto& stage : made.stages)
        for (const char* list : {"tasks", "pool"})
          if (stage.spec.contains(list))
            for (auto& task : stage.spec[list])
              task["module"] = {{"code", "…"},
                                {"entry", "Model"},
                                {"arguments", json::array()},
                                {"keywords", json::object()}};
    std::string why;
    const auto cost = cost_of(
        document, made, [](const Stage&) { return std::nullopt; }, {}, why);
    return cost ? cost->core_seconds / cost->judged : 0;
  };
  const double declared = each(false);
  experiment["machine"].erase("verify");
  const double launches = declared - 1;
  EXPECT_NEAR(each(false), 0.04 + launches, 1e-9);
  EXPECT_NEAR(each(true), 0.5 + launches, 1e-9);
}

TEST_F(PlanTest, SmallCostsAreNotNothing) {
  Cost cost;
  cost.gpus = 1, cost.seconds = 3.6, cost.spot = 0.0041, cost.on_demand = 12.5;
  cost.to_do["sample"].stages = 2, cost.to_do["sample"].seconds = 0.36;
  const auto text = cost_text(cost);
  for (const char* part :
       {"0.36 s", "0.0001", "3.6 s", "0.001", "0.0041 usd at the spot price", "12.50 usd on demand"})
    EXPECT_NE(text.find(part), std::string::npos) << part << '\n' << text;
}

TEST_F(PlanTest, WithoutABoundOfTheGradientsNormThereIsNone) {
  auto document = study();
  document["experiments"]["study"]["controls"] = json::array();
  for (auto& train : document["experiments"]["study"]["train"]) train["clip"] = nullptr;
  for (const auto& stage : plan(document).stages)
    if (stage.kind == "finetune") {
      EXPECT_EQ(stage.spec["clip"], 0) << "the worker takes that for any";
    }
  EXPECT_EQ(contract::Optimisation::read({{"learning_rate", 1}, {"clip", nullptr}}).clip, 0);
}

TEST_F(PlanTest, WhatIsNotCarriedOutIsPlannedAndSaid) {
  EXPECT_THROW(make_plan(study(), "nowhere", options(home_.path)), UserError);
  auto document = study();
  EXPECT_NO_THROW(plan(document).require_all());
  auto& experiment = document["experiments"]["study"];
  experiment["model"]["weights"] = {{"call", "huggingface"}, {"args", {"a/b"}}, {"named", json::object()}};
  experiment["train"][0]["data"]["call"] = "a_later_corpus";
  const auto made = plan(document);
  EXPECT_EQ(made.missing.size(), 2u);
  EXPECT_EQ(made.cells, 16);
  try {
    made.require_all();
    FAIL() << "it can't be run";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("a_later_corpus(…)"), std::string::npos);
  }
  // Without its trainer the stages of a phase aren't known.
  experiment["train"][1]["variant"] = "a_later_one";
  try {
    plan(document);
    FAIL() << "it can't be planned";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("a_later_one"), std::string::npos);
  }
  document = study();
  document["experiments"]["study"].erase("adapter");
  EXPECT_THROW(plan(document), UserError);
}

TEST_F(PlanTest, PairsOfADataSetAreMadeOfItsRowsAndTakenByTheModelsTokenizer) {
  const auto rows = home_.path / "rows.jsonl";
  write_text(rows, "{}\n");
  auto document = study();
  auto& data = document["experiments"]["study"]["train"][0]["data"];
  data = {{"call", "kernelbook"},
          {"args", {{{"call", "path"}, {"args", {"rows.jsonl"}}, {"named", json::object()}}}},
          {"named",
           {{"level1", 3},
            {"level2", 0},
            {"samples", 2},
            {"seed", 7},
            {"near", 0.8},
            {"malformed", "skip"},
            {"licenses", {"MIT"}},
            {"exclude", {{"tasks", {"level1/1"}}}}}}};
  auto how = options(home_.path);
  how.file_folder = home_.path;
  const auto made = make_plan(document, "study", how);
  EXPECT_NO_THROW(made.require_all());
  const auto stage = [](const Plan& of, const std::string& kind) {
    return *std::find_if(of.stages.begin(), of.stages.end(), [&](const Stage& s) { return s.kind == kind; });
  };
  const Stage pairs = stage(made, "pairs"), corpus = stage(made, "corpus");
  EXPECT_TRUE(pairs.local());
  EXPECT_EQ(made.data.at(pairs.inputs.at("rows")), rows);
  EXPECT_EQ(pairs.spec.at("seed"), 7);
  EXPECT_EQ(pairs.spec.at("excluded").size(), 1u);
  EXPECT_EQ(pairs.spec.at("excluded")[0].at("name"), "level1/1");
  EXPECT_FALSE(pairs.spec.at("excluded")[0].at("operators").empty());
  EXPECT_EQ(corpus.spec, (json{{"source", "pairs"}, {"samples", {{"level1", 3}, {"any", 2}}}}));
  EXPECT_EQ(corpus.inputs.at("pairs"), pairs.key);
  EXPECT_TRUE(made.models.contains(corpus.inputs.at("model")));

  write_text(rows, "{}\n{}\n");
  EXPECT_NE(stage(make_plan(document, "study", how), "pairs").key, pairs.key) << "other rows";
  write_text(rows, "{}\n");
  EXPECT_EQ(stage(make_plan(document, "study", how), "pairs").key, pairs.key);
  data["named"]["level1"] = 4;
  EXPECT_EQ(stage(make_plan(document, "study", how), "pairs").key, pairs.key)
      << "how many doesn't change which";
  data["named"]["licenses"] = {"MIT", "ISC"};
  EXPECT_NE(stage(make_plan(document, "study", how), "pairs").key, pairs.key);

  std::filesystem::remove(rows);
  const auto absent = make_plan(document, "study", how);
  ASSERT_EQ(absent.missing.size(), 1u);
  EXPECT_NE(absent.missing[0].first.find("there is nothing at"), std::string::npos);
  EXPECT_NE(absent.missing[0].second.find("hf download GPUMODE/KernelBook"), std::string::npos);
  data["named"]["level1"] = data["named"]["samples"] = 0;
  EXPECT_THROW(make_plan(document, "study", how), UserError) << "no pairs are asked for";
}

TEST_F(PlanTest, StagesKnowOfALanguageThatIsNotTriton) {
  auto document = study();
  const auto before = keys(plan(document));
  document["experiments"]["study"]["language"] = "triton";
  EXPECT_EQ(keys(plan(document)), before) << "stored results stay valid";
  document["experiments"]["study"]["language"] = "cuda";
  const auto made = plan(document, true);
  for (const auto& stage : made.stages) {
    const bool knows = stage.kind == "corpus" || stage.kind == "sample" || stage.kind == "verify";
    EXPECT_EQ(stage.spec.value("language", ""), knows ? "cuda" : "") << stage.slot;
  }
}

TEST_F(PlanTest, RewardsForCudaKernelsNeedAGpu) {
  auto document = study();
  auto& experiment = document["experiments"]["study"];
  experiment["language"] = "cuda";
  const auto made = plan(document);
  ASSERT_EQ(made.missing.size(), 1u);
  EXPECT_NE(made.missing[0].first.find("`reinforce` trains on rewards for CUDA kernels"), std::string::npos);
  EXPECT_NE(made.missing[0].second.find("--kernel-times measured"), std::string::npos);
  auto timed = options(home_.path, false);
  timed.times_kernels = true;
  EXPECT_TRUE(make_plan(document, "study", timed).missing.empty());

  // Without rewards the experiment can be run; a note says that values are not judged.
  experiment["train"].erase(1);
  const auto imitated = plan(document);
  EXPECT_TRUE(imitated.missing.empty()) << "a control that keeps at random needs no verdicts";
  ASSERT_FALSE(imitated.notes.empty());
  EXPECT_NE(imitated.notes.back().find("not judged"), std::string::npos);
  EXPECT_TRUE(make_plan(document, "study", timed).notes.empty());
}

TEST_F(PlanTest, ModelsThatAreMissingAreToldApart) {
  auto document = study();
  auto& weights = document["experiments"]["study"]["model"]["weights"];
  weights = {{"call", "path"}, {"args", {"nowhere"}}, {"named", json::object()}};
  const auto one = keys(plan(document));
  weights["args"] = {"nowhere else"};
  EXPECT_NE(one, keys(plan(document)));
}

TEST(Why, NamesWhatDiffers) {
  const auto now = make_stage("finetune", {{"learning_rate", 2e-4}, {"epochs", 2}},
                              {{"model", "a"}, {"samples", "b"}}, "");
  json before = {{"implementation", now.implementation},
                 {"tool_chain", tool_chain_of("finetune")},
                 {"spec", {{"learning_rate", 3e-4}, {"epochs", 2}}},
                 {"inputs", {{"model", "a"}, {"samples", "c"}}}};
  EXPECT_EQ(differences(now, before),
            (std::vector<std::string>{"learning_rate 3e-4 → 2e-4", "input samples"}));
  // A formula is shown as it is written, and an input that a stage no longer has is a difference, too.
  const auto formula = [](double value) {
    return json{{"formula", {{"params", {"c"}}, {"body", {{"op", "*"}, {"args", {value, 2}}}}}}};
  };
  const auto selecting = make_stage("select", {{"reward", formula(0.5)}}, {{"tasks", "a"}}, "");
  before = {{"implementation", selecting.implementation},
            {"tool_chain", tool_chain_of("select")},
            {"spec", {{"reward", formula(0.7)}}},
            {"inputs", {{"tasks", "a"}, {"previous", "c"}}}};
  EXPECT_EQ(differences(selecting, before),
            (std::vector<std::string>{"reward.formula 0.7 * 2 → 0.5 * 2", "input previous is gone"}));
}

TEST_F(PlanTest, TasksTooLargeForTheExecutorAreCountedOnceWithTheMemoryThatTheyTake) {
  const auto nothing = [](const Stage&) { return false; };
  auto document = study();
  const auto before = task_memory(plan(document), nothing);
  EXPECT_EQ(before.footprints.tasks(), 15u) << "of training and exam";
  EXPECT_EQ(sentence(before), "");
  for (const char* id : {"level1/5", "level2/1"})
    for (auto& dim : document["tasks"][id]["dims"]) dim[1] = 1 << 26;
  const auto made = plan(document);
  const auto memory = task_memory(made, nothing);
  EXPECT_EQ(memory.footprints.tasks(), 15u);
  EXPECT_EQ(memory.footprints.larger(), 2u);
  EXPECT_TRUE(sentence(memory).starts_with("2 of 15 tasks are larger than 128.0 MiB: without a GPU"))
      << sentence(memory);
  EXPECT_EQ(as_json(memory)["larger"], 2);
  EXPECT_EQ(sentence(task_memory(made, [](const Stage&) { return true; })), "") << "nothing is to be judged";
}
