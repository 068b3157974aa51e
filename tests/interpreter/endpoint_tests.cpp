// Models that a server has: their stages, what enters keys, what asking costs, and the report.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/contract/declared_endpoint.hpp"
#include "base/contract/endpoint.hpp"
#include "base/contract/stages/ask.hpp"
#include "base/support/files.hpp"
#include "interpreter/doctor/needs.hpp"
#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/plan_text.hpp"
#include "interpreter/report/candidate.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/finished_study.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

/// `weights = endpoint(…)` as the document has it, with some arguments changed.
json endpoint(const json& changes = json::object()) {
  json named = {{"name", "qwen"},   {"revision", ""},
                {"concurrency", 8}, {"timeout", 600},
                {"attempts", 8},    {"parameters", {"temperature", "top_p", "max_tokens", "stop", "seed"}},
                {"price_in", 3},    {"price_out", 15}};
  named.update(changes);
  std::string address = "http://localhost:8000/v1";
  if (named.contains("address")) address = named["address"], named.erase("address");
  return {{"call", "endpoint"}, {"args", {address}}, {"named", named}};
}

/// The small study without training, by a server's model.
json asked(const json& changes = json::object(), int turns = 1) {
  auto document = small_study();
  auto& experiment = document["experiments"]["study"];
  for (const char* field : {"train", "controls", "adapter", "vary", "design", "cells", "extensions"})
    experiment.erase(field);
  for (const char* part : {"hypotheses", "plots"}) document.erase(part);
  experiment["model"]["weights"] = endpoint(changes);
  experiment["model"]["place"] = "study.trl:3:13";
  experiment["evaluate"].update(
      {{"turns", turns}, {"feedback", "{task} after {answer}"}, {"max_tokens", 100}});
  return document;
}

class EndpointTest : public ::testing::Test {
 protected:
  EndpointTest() { write_model(home_.path); }
  Plan plan(const json& document) { return make_plan(document, "study", options(home_.path)); }
  std::string key(const json& document) { return plan(document).rows.at(0).traces.at(0).exam_sample; }
  Scratch home_;
};

}  // namespace

TEST_F(EndpointTest, AnExamIsAskedAndVerified) {
  const auto made = plan(asked());
  EXPECT_TRUE(made.missing.empty());
  EXPECT_TRUE(made.models.empty()) << "no weights are needed here";
  const auto& trace = made.rows.at(0).traces.at(0);
  const auto* stage = made.find(trace.exam_sample);
  ASSERT_NE(stage, nullptr);
  EXPECT_EQ(stage->kind, "ask");
  EXPECT_EQ(stage->spec["model"]["name"], "qwen");
  EXPECT_EQ(stage->spec["purpose"], "exam");
  EXPECT_EQ(made.find(trace.exam_verify)->inputs.at("candidates"), trace.exam_sample);
  EXPECT_TRUE(trace.training.empty());
  const auto& server = made.endpoints.at(trace.exam_sample);
  EXPECT_EQ(server.endpoint.address, "http://localhost:8000/v1");
  EXPECT_EQ(server.endpoint.place, "study.trl:3:13");
  EXPECT_EQ(server.price->out, 15);
  EXPECT_EQ(made.rows.at(0).label, "base") << "the model's name";
  EXPECT_TRUE(
      std::any_of(made.notes.begin(), made.notes.end(), [](auto& note) { return has(note, "qwen"); }));
}

TEST_F(EndpointTest, ASpecSaysTheSameWhenItIsReadAgain) {
  const auto made = plan(asked({{"system", "Write kernels."}, {"revision", "2026-05"}}, 3));
  for (const auto& stage : made.stages)
    if (stage.kind == "ask") {
      EXPECT_EQ(contract::AskSpec::read(stage.spec).write(), stage.spec);
    }
  const auto server =
      contract::declared_endpoint(endpoint({{"key_env", "A_KEY"}, {"requests_per_minute", 60}}), "p");
  EXPECT_EQ(contract::Endpoint::read(server->endpoint.write()).write(), server->endpoint.write());
  EXPECT_FALSE(
      contract::declared_endpoint({{"call", "path"}, {"args", {"x"}}, {"named", json::object()}}, ""));
}

TEST_F(EndpointTest, AKeyHoldsWhatIsAskedAndNotWhom) {
  const auto key = this->key(asked());
  for (const json& same :
       {json{{"address", "https://elsewhere.example/v1"}}, json{{"key_env", "A_KEY"}},
        json{{"concurrency", 1}}, json{{"requests_per_minute", 5}}, json{{"tokens_per_minute", 5}},
        json{{"timeout", 1}}, json{{"attempts", 1}}, json{{"price_in", 100}}, json{{"price_out", nullptr}}})
    EXPECT_EQ(this->key(asked(same)), key) << same;
  for (const json& other : {json{{"name", "gpt"}}, json{{"revision", "2"}}, json{{"system", "Be brief."}},
                            json{{"parameters", {"temperature", "max_tokens"}}}})
    EXPECT_NE(this->key(asked(other)), key) << other;
  for (const json& other :
       {json{{"temperature", 0.1}}, json{{"samples", 7}}, json{{"max_tokens", 99}}, json{{"stop", {"x"}}}}) {
    auto document = asked();
    document["experiments"]["study"]["evaluate"].update(other);
    EXPECT_NE(this->key(document), key) << other;
  }
  const auto field = [](const char* name, const json& value) {
    return json{{"call", "field"}, {"args", {name, value}}, {"named", json::object()}};
  };
  const auto header = [](const char* name, const char* value) {
    return json{{"call", "header"}, {"args", {name, value}}, {"named", json::object()}};
  };
  EXPECT_NE(this->key(asked({{"body", {field("min_p", 0.1)}}})), key) << "it is a part of what is asked";
  for (const json& same :
       {json{{"headers", {header("X-Title", "x")}}}, json{{"key_header", "api-key"}}, json{{"context", 4096}},
        json{{"max_without_text", 0.5}}, json{{"judge_reasoning", true}}, json{{"body", json::array()}},
        json{{"headers", json::array()}}})
    EXPECT_EQ(this->key(asked(same)), key) << same;
  const auto verified = [&](const json& changes) {
    return plan(asked(changes)).rows.at(0).traces.at(0).exam_verify;
  };
  EXPECT_NE(verified({{"judge_reasoning", true}}), verified(json::object())) << "other texts are judged";
  // What isn't sent changes no answer.
  const json few = {{"parameters", {"max_tokens"}}};
  auto document = asked(few);
  document["experiments"]["study"]["evaluate"]["temperature"] = 0.1;
  EXPECT_EQ(this->key(document), this->key(asked(few)));
}

TEST_F(EndpointTest, FieldsOfABodyAreObjectsWhereTheirNamesHaveDots) {
  const auto fields = json::array(
      {{{"call", "field"},
        {"args", {"chat_template_kwargs.enable_thinking", false}},
        {"named", json::object()}},
       {{"call", "field"}, {"args", {"chat_template_kwargs.budget", 100}}, {"named", json::object()}},
       {{"call", "field"}, {"args", {"tags", {"a", "b"}}}, {"named", json::object()}}});
  const auto body = contract::body_of(fields);
  EXPECT_EQ(
      body,
      json::parse(
          R"({"chat_template_kwargs": {"enable_thinking": false, "budget": 100}, "tags": ["a", "b"]})"));
  const auto made = plan(
      asked({{"body", fields},
             {"headers",
              json::array({{{"call", "header"}, {"args", {"X-Title", "x"}}, {"named", json::object()}}})}}));
  const auto& key = made.rows.at(0).traces.at(0).exam_sample;
  EXPECT_EQ(made.find(key)->spec["model"]["body"], body);
  EXPECT_EQ(made.endpoints.at(key).endpoint.headers, (std::map<std::string, std::string>{{"X-Title", "x"}}));
}

TEST_F(EndpointTest, AModelsPromptIsAskedAndInTheKey) {
  const auto with = [&](const json& prompt, json machine = nullptr) {
    auto document = asked();
    document["experiments"]["study"]["model"]["prompt"] = prompt;
    if (!machine.is_null()) document["experiments"]["study"]["machine"] = std::move(machine);
    const auto made = plan(document);
    return std::pair(made.rows.at(0).traces.at(0).exam_sample,
                     made.find(made.rows.at(0).traces.at(0).exam_sample)->spec.value("prompt", ""));
  };
  EXPECT_EQ(with("module").first, key(asked())) << "the module alone, as without a prompt";
  EXPECT_EQ(with("a {language} kernel:\n{task} {x}").second, "a Triton kernel:\n{task} {x}");
  EXPECT_NE(with("{task}.").first, with("{task}").first);
  EXPECT_NE(with("one_shot").second.find("add_kernel"), std::string::npos);
  EXPECT_EQ(with("zero_shot").second.find("{language}"), std::string::npos);
  EXPECT_EQ(with("{gpu} {task}", {{"gpus", 1},
                                  {"memory", 80 * 1073741824.0},
                                  {"bandwidth", 3e3 * 1073741824.0},
                                  {"compute", 9.9e14}})
                .second,
            "a GPU with 80 GiB of memory, 3000 GiB/s and 990 TFLOP/s in 16 bits {task}");
  write_text(home_.path / "mine.txt", "From a file: {task}");
  const json file = {{"call", "path"}, {"args", {"mine.txt"}}};
  auto document = asked();
  document["experiments"]["study"]["model"]["prompt"] = file;
  auto how = options(home_.path);
  how.file_folder = home_.path;
  const auto made = make_plan(document, "study", how);
  EXPECT_EQ(made.find(made.rows.at(0).traces.at(0).exam_sample)->spec.at("prompt"), "From a file: {task}");
  how.file_folder = home_.path / "elsewhere";
  EXPECT_THROW(make_plan(document, "study", how), UserError);
}

TEST_F(EndpointTest, LaterTurnsAreAskedFromTheLastOnesVerdicts) {
  const auto made = plan(asked(json::object(), 3));
  const auto& trace = made.rows.at(0).traces.at(0);
  ASSERT_EQ(trace.exam_later.size(), 2u);
  const auto* second = made.find(trace.exam_later[0].sample);
  EXPECT_EQ(second->kind, "ask");
  EXPECT_EQ(second->spec["turn"], 2);
  EXPECT_EQ(second->inputs.at("candidates"), trace.exam_sample);
  EXPECT_EQ(second->inputs.at("verdicts"), trace.exam_verify);
  EXPECT_TRUE(made.endpoints.contains(second->key));
}

TEST_F(EndpointTest, TrainingItIsMissingAtTheLatestInThePlan) {
  auto document = small_study();
  document["experiments"]["study"]["model"]["weights"] = endpoint();
  const auto made = plan(document);
  ASSERT_FALSE(made.missing.empty());
  EXPECT_TRUE(has(made.missing[0].first, "a server has")) << made.missing[0].first;
}

TEST_F(EndpointTest, CostIsWhatMissingAnswersTakeAtMost) {
  const auto made = plan(asked(json::object(), 2));
  const auto& trace = made.rows.at(0).traces.at(0);
  const double answers = answers_of(made, *made.find(trace.exam_sample));
  const double traces = static_cast<double>(made.rows.at(0).traces.size());
  ASSERT_GT(answers, 0);
  const auto none = [](const Stage&) -> std::optional<double> { return std::nullopt; };
  const auto cost = asking_cost(made, none);
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->requests, 2 * answers * traces) << "both turns";
  EXPECT_EQ(cost->answer_tokens, 100 * cost->requests);
  const double prompts = traces * answers * (2 * AskingCost::tokens_of_prompt + 100);
  EXPECT_EQ(cost->prompt_tokens, prompts) << "a later turn's prompt has the last answer in it";
  EXPECT_EQ(cost->unpriced, 0);
  EXPECT_DOUBLE_EQ(cost->usd, (3 * prompts + 15 * cost->answer_tokens) / 1e6);
  EXPECT_TRUE(has(cost_text(*cost), "usd, by the declared prices"));

  const auto all = asking_cost(made, [](const Stage&) { return std::optional(1.0); });
  EXPECT_EQ(all->requests, 0);
  EXPECT_TRUE(has(cost_text(*all), "nothing is asked for"));
  const auto unpriced = asking_cost(plan(asked({{"price_in", nullptr}, {"price_out", nullptr}})), none);
  EXPECT_EQ(unpriced->unpriced, unpriced->requests);
  EXPECT_TRUE(has(cost_text(*unpriced), "no price is declared"));
  EXPECT_FALSE(asking_cost(plan(small_study()), none)) << "a model that is here";
}

TEST_F(EndpointTest, DoctorLooksForItsKey) {
  const Scratch scratch;
  const auto document = asked({{"key_env", "A_KEY"}});
  const auto needs = needs_of(document, plan(document), Store(scratch.path), "cpu");
  EXPECT_EQ(needs.keys,
            (std::vector<std::pair<std::string, std::string>>{{"A_KEY", "http://localhost:8000/v1"}}));
}

TEST(EndpointReport, CountsWhatTheAnswersCost) {
  FinishedStudy study(asked(json::object(), 2));
  const auto& row = study.plan.rows.at(0);
  double usd = 0;
  for (const auto& trace : row.traces)
    for (const auto& key : {trace.exam_sample, trace.exam_later.at(0).sample}) {
      const auto summary = study.store.stage(key).at("summary");
      usd += (3 * summary.at("prompt_tokens").get<double>() + 15 * summary.at("tokens").get<double>()) / 1e6;
    }
  const auto figure = study.inference.figure(parse_column("usd"), row);
  ASSERT_TRUE(figure.value);
  EXPECT_DOUBLE_EQ(*figure.value, usd / static_cast<double>(row.traces.size()));
  EXPECT_TRUE(study.inference.figure(parse_column("correct"), row).value);
  double tokens = 0;
  for (const auto& trace : row.traces)
    for (const auto& key : {trace.exam_sample, trace.exam_later.at(0).sample})
      tokens += study.store.stage(key).at("summary").at("tokens").get<double>();
  const auto sampled = study.inference.figure(parse_column("tokens"), row);
  ASSERT_TRUE(sampled.value);
  EXPECT_DOUBLE_EQ(*sampled.value, tokens / static_cast<double>(row.traces.size()));

  // Candidates are found by their ids, as those of a model that is here.
  const auto& key = row.traces.at(0).exam_sample;
  EXPECT_EQ(find_candidate(study.store, study.scratch.path, candidate_id(key, 0)).purpose, "exam");
  const auto report = study.report();
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_TRUE(has(report.files.at("report.html"), "a server answered as qwen: "));
  EXPECT_TRUE(has(report.files.at("report.html"), "3 usd and 15 usd"));
}

TEST(EndpointReport, WithoutAPriceThereIsNone) {
  FinishedStudy study(asked({{"price_in", nullptr}, {"price_out", nullptr}}));
  EXPECT_FALSE(study.inference.figure(parse_column("usd"), study.plan.rows.at(0)).value);
}
