#include <gtest/gtest.h>

#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/model/load.hpp"
#include "runtime/train/loss.hpp"
#include "runtime/train/optimiser.hpp"
#include "runtime/train/trainer.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/worker/training_fixture.hpp"

namespace trl::runtime {
namespace {

using testing::changed_rows;
using testing::FakeStage;
using testing::stage_error;
using testing::TrainingTest;

TEST_F(TrainingTest, PretrainingLearnsAndWritesAModelFolder) {
  pretrain();
  EXPECT_LT(losses_.back(), 0.6 * losses_.front());
  EXPECT_EQ(summary_["tokens"], 30 * 8 * 24);
  EXPECT_EQ(bytes("model/manifest.json"), bytes("corpus/manifest.json"));
  EXPECT_EQ(bytes("model/tokenizer.json"), bytes("tokenizer/tokenizer.json"));
  const auto metadata = read_safetensors(folder_ / "model/model.safetensors").metadata;
  EXPECT_EQ(metadata.at("format"), "pt");
  EXPECT_EQ(metadata.at("manifest").size(), 64U);
  EXPECT_EQ(nlohmann::json::parse(metadata.at("spec"))["steps"], 30);
}

TEST_F(TrainingTest, PretrainingRepeatsItsBytesWhateverTheThreads) {
  auto one = pretraining("one"), two = pretraining("two");
  for (auto* stage : {&one, &two}) stage->spec["steps"] = 5, stage->spec["batch"] = 100;
  two.threads = 2;
  run_pretrain(one);
  run_pretrain(two);
  EXPECT_EQ(bytes("one/model.safetensors"), bytes("two/model.safetensors"));
}

TEST_F(TrainingTest, FinetuningLowersTheLossAndTouchesNothingButTheAdapter) {
  pretrain();
  const auto before = bytes("model/model.safetensors");
  auto stage = finetuning("adapter");
  const auto summary = run_finetune(stage);
  EXPECT_EQ(summary["steps"], 24);
  EXPECT_LT(summary["loss_last"].get<double>(), 0.9 * summary["loss_first"].get<double>());
  EXPECT_EQ(bytes("model/model.safetensors"), before);
  const auto config = read_config(folder_ / "model");
  const auto trained = read_adapter(folder_ / "adapter", config);
  const auto fresh = Lora::fresh(config, trained.settings(), 1);
  for (const auto& [module, pair] : trained.pairs()) {
    EXPECT_FALSE(at::equal(pair.a, fresh.pairs().at(module).a));
    EXPECT_GT(pair.b.abs().max().item<float>(), 0);
  }
  const auto model = load_frozen(folder_ / "model", at::kCPU, at::kFloat);
  for (const auto& [name, tensor] : read_weights(folder_ / "model", read_config(folder_ / "model"))) {
    EXPECT_TRUE(at::equal(model->weights().at(name), tensor.to(at::kFloat))) << name;
  }
}

TEST_F(TrainingTest, FinetuningRepeatsItsBytesWhateverTheThreads) {
  pretrain();
  auto one = finetuning("one"), two = finetuning("two");
  two.threads = 2;
  run_finetune(one);
  run_finetune(two);
  EXPECT_EQ(bytes("one/adapter_model.safetensors"), bytes("two/adapter_model.safetensors"));
}

TEST_F(TrainingTest, AnotherSeedTrainsAnotherAdapter) {
  pretrain();
  auto one = finetuning("one"), two = finetuning("two");
  two.spec["seed"] = 2;
  run_finetune(one);
  run_finetune(two);
  EXPECT_NE(bytes("one/adapter_model.safetensors"), bytes("two/adapter_model.safetensors"));
}

TEST_F(TrainingTest, TrainingGoesOnFromAnAdapter) {
  pretrain();
  auto first = finetuning("first"), second = finetuning("second");
  const double reached = run_finetune(first)["loss_last"];
  second.inputs["adapter"] = folder_ / "first";
  second.spec["round"] = 1;
  const auto summary = run_finetune(second);
  EXPECT_LT(summary["loss_first"].get<double>(), 1.5 * reached);
  second.output = folder_.folder("third");
  second.spec["adapter"]["rank"] = 8;
  EXPECT_NE(stage_error([&] { run_finetune(second); }).find("ranks, alphas or targets differ"),
            std::string::npos);
}

TEST_F(TrainingTest, RanksByPatternStayFromRoundToRound) {
  pretrain();
  const auto patterned = [&](const std::string& output, nlohmann::json patterns) {
    auto stage = finetuning(output);
    stage.spec["adapter"]["patterns"] = std::move(patterns);
    return stage;
  };
  const nlohmann::json both = {testing::modules("layers\\.0\\..*", {{"rank", 2}, {"alpha", 5}}),
                               testing::modules("down_proj", {{"rank", 7}})};
  auto first = patterned("first", both);
  const double reached = run_finetune(first)["loss_last"];
  const auto config = read_config(folder_ / "model");
  const auto lora = read_adapter(folder_ / "first", config);
  EXPECT_EQ(lora.pairs().at({0, Projection::down}).a.size(0), 2);
  EXPECT_EQ(lora.pairs().at({1, Projection::down}).a.size(0), 7);
  EXPECT_EQ(lora.pairs().at({1, Projection::q}).a.size(0), 4);
  EXPECT_EQ(lora.scale({0, Projection::down}), 5.0 / 2);
  EXPECT_EQ(lora.scale({1, Projection::down}), 16.0 / 7);
  EXPECT_TRUE(lora.regular(config.layers));
  auto second = patterned("second", both);
  second.inputs["adapter"] = folder_ / "first";
  second.spec["round"] = 1;
  EXPECT_LT(run_finetune(second)["loss_first"].get<double>(), 1.5 * reached);
  // The same ranks by other words are the same adapter; other ranks or alphas aren't.
  auto same = patterned(
      "same", {testing::modules("model\\.layers\\.0\\.(mlp|self_attn)\\.[a-z]+_proj", {{"rank", 2}}),
               testing::modules("layers.0.*", {{"alpha", 5}}), testing::modules("down_proj", {{"rank", 7}})});
  same.inputs = second.inputs;
  same.spec["round"] = 1;
  run_finetune(same);
  EXPECT_EQ(bytes("same/adapter_model.safetensors"), bytes("second/adapter_model.safetensors"));
  for (const auto& others :
       {nlohmann::json::array({testing::modules("layers\\.0\\..*", {{"rank", 2}, {"alpha", 5}})}),
        nlohmann::json::array({testing::modules("layers\\.0\\..*", {{"rank", 2}, {"alpha", 6}}),
                               testing::modules("down_proj", {{"rank", 7}})})}) {
    auto stage = patterned("other", others);
    stage.inputs = second.inputs;
    EXPECT_NE(stage_error([&] { run_finetune(stage); }).find("ranks, alphas or targets differ"),
              std::string::npos);
  }
  const auto refused = [&](nlohmann::json patterns) {
    auto stage = patterned("refused", std::move(patterns));
    return stage_error([&] { run_finetune(stage); });
  };
  EXPECT_NE(refused({testing::modules("donw_proj", {{"rank", 2}})}).find("`donw_proj` fits none"),
            std::string::npos);
  EXPECT_NE(refused({testing::modules(".*_proj", {{"rank", 2}}), testing::modules("q_proj", {{"rank", 3}})})
                .find("`q_proj` never counts"),
            std::string::npos);
  EXPECT_NE(refused({testing::modules("(", {{"rank", 2}})}).find("pattern `(`, which isn't understood"),
            std::string::npos);
  EXPECT_NE(refused({testing::modules("q_proj", {{"rank", 0}})}).find("`q_proj` has the rank 0"),
            std::string::npos);
}

// The first round has no state to go on from, and a fresh optimiser leaves none.
TEST_F(TrainingTest, MomentsAreCarriedFromRoundToRoundWhereThatIsSaid) {
  pretrain();
  auto fresh = finetuning("fresh"), first = finetuning("first");
  first.spec["optimiser_state"] = "carried";
  run_finetune(fresh);
  run_finetune(first);
  EXPECT_EQ(bytes("fresh/adapter_model.safetensors"), bytes("first/adapter_model.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "fresh/optimiser.safetensors"));
  const auto second = [&](const std::string& output, const char* state) {
    auto stage = finetuning(output);
    stage.inputs["adapter"] = folder_ / "first";
    stage.spec["round"] = 1, stage.spec["optimiser_state"] = state;
    run_finetune(stage);
    return bytes(output + "/adapter_model.safetensors");
  };
  const auto carried = second("carried", "carried");
  EXPECT_NE(carried, second("anew", "fresh"));
  EXPECT_EQ(carried, second("again", "carried"));
}

TEST_F(TrainingTest, NoSamplesLeaveTheAdapterAsItWas) {
  pretrain();
  auto first = finetuning("first"), second = finetuning("second");
  run_finetune(first);
  write_text(folder_.folder("none") / "samples.jsonl", "");
  second.inputs["adapter"] = folder_ / "first";
  second.inputs["samples"] = folder_ / "none";
  const auto summary = run_finetune(second);
  EXPECT_EQ(summary["steps"], 0);
  EXPECT_TRUE(summary["loss_last"].is_null());
  EXPECT_EQ(bytes("first/adapter_model.safetensors"), bytes("second/adapter_model.safetensors"));
}

TEST_F(TrainingTest, MicroBatchesDoNotChangeGradientsBeyondRounding) {
  pretrain();
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  const auto documents = read_documents(folder_ / "corpus/samples.jsonl", *marked_format(tokenizer), [] {});
  const auto model = load_frozen(folder_ / "model", at::kCPU, at::kFloat);
  auto lora = Lora::fresh(model->config(),
                          lora_settings({{"rank", 4}, {"alpha", 8}, {"dropout", 0.1}}, Family::qwen2), 1);
  lora.prepare_training(at::kCPU);
  const std::vector<std::size_t> chosen = {0, 5, 11, 16, 3};
  const auto gradients = [&](std::size_t budget) {
    std::vector<at::Tensor> total;
    for (const auto& rows : micro_batches(documents, chosen, budget)) {
      auto own = lora.copy_for_thread();
      std::vector<RandomKey> keys;
      for (const auto row : rows) keys.push_back(random_key(fmt::format("{}", row)));
      own.set_dropout(keys);
      answer_loss(*model, make_batch(documents, rows, 64, at::kCPU), &own).backward();
      for (std::size_t i = 0; i < own.parameters().size(); ++i) {
        const auto gradient = own.parameters()[i].grad();
        if (total.size() <= i)
          total.push_back(gradient);
        else
          total[i] = total[i] + gradient;
      }
    }
    return total;
  };
  const auto together = gradients(100000), apart = gradients(1);
  for (std::size_t i = 0; i < together.size(); ++i)
    EXPECT_TRUE(at::allclose(together[i], apart[i], 1e-3, 1e-5)) << i;
}

// Runs the code for GPUs on the CPU: masks drawn together, separate leaves, micro-batches.
TEST_F(TrainingTest, TensorOperationsGiveTheGradientsOfTheLoops) {
  pretrain();
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  const auto documents = read_documents(folder_ / "corpus/samples.jsonl", *marked_format(tokenizer), [] {});
  const auto model = load_frozen(folder_ / "model", at::kCPU, at::kFloat);
  auto fresh = Lora::fresh(model->config(),
                           lora_settings({{"rank", 4}, {"alpha", 12}, {"dropout", 0.1}}, Family::qwen2), 1);
  auto pairs = fresh.pairs();
  for (auto& [module, pair] : pairs) pair.b = pair.b + 0.03;
  Lora lora(fresh.settings(), pairs);
  lora.prepare_training(at::kCPU);
  const std::vector<std::size_t> chosen = {0, 5, 11, 16, 3};
  std::vector<RandomKey> keys;
  for (const auto i : chosen) keys.push_back(random_key(fmt::format("{}", i)));
  const auto expected = trainer_by_loops(*model, lora.settings(), documents, 2)->step(lora, chosen, keys);
  for (const std::size_t budget : {100000, 60}) {
    const auto found = trainer_by_tensors(*model, documents, budget)->step(lora, chosen, keys);
    EXPECT_NEAR(found.loss.item<double>(), expected.loss.item<double>(), 1e-4);
    ASSERT_EQ(found.tensors.size(), expected.tensors.size());
    for (std::size_t i = 0; i < found.tensors.size(); ++i)
      EXPECT_TRUE(at::allclose(found.tensors[i], expected.tensors[i], 1e-3, 1e-6)) << budget << ", " << i;
  }
}

TEST(TrainerTest, ATokenWithoutARowInTheEmbeddingIsAnError) {
  const auto config = testing::tiny_config();
  const LanguageModel model(config, testing::lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  const auto settings = lora_settings({{"rank", 4}, {"alpha", 12}}, Family::qwen2);
  for (const Token token : {300, 300'000'000, -1}) {
    const std::vector<Document> documents = {{{1, 2, 3, 4}, 2}, {{1, 2, 3, token}, 2}};
    const auto expected = fmt::format("the token {} has no row in the embedding, which has 300", token);
    EXPECT_EQ(testing::stage_error([&] { trainer_by_loops(model, settings, documents, 1); }), expected);
    EXPECT_EQ(testing::stage_error([&] { trainer_by_tensors(model, documents); }), expected);
  }
}

// REINFORCE's gradient, - 1/N Σ A Σ ∇ log π over the answers' tokens, N in all, with the log-probabilities of
// the whole distribution.
TEST_F(TrainingTest, WeightsGiveTheGradientOfThePolicy) {
  pretrain();
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  auto documents = read_documents(folder_ / "corpus/samples.jsonl", *marked_format(tokenizer), [] {});
  const auto model = load_frozen(folder_ / "model", at::kCPU, at::kFloat);
  auto fresh = Lora::fresh(model->config(),
                           lora_settings({{"rank", 4}, {"alpha", 12}, {"dropout", 0}}, Family::qwen2), 1);
  auto pairs = fresh.pairs();
  for (auto& [module, pair] : pairs) pair.b = pair.b + 0.03;
  const std::vector<std::size_t> chosen = {0, 5, 11, 16, 3};
  const std::vector<RandomKey> keys(chosen.size());
  const std::vector<float> advantages = {0.5F, -1.25F, 0, 3, 1};
  for (std::size_t i = 0; i < chosen.size(); ++i) documents[chosen[i]].weight = advantages[i];
  Lora own(fresh.settings(), pairs);
  own.prepare_training(at::kCPU);
  auto loss = at::zeros({});
  std::int64_t count = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const auto& document = documents[chosen[i]];
    const std::vector<std::int64_t> wide(document.tokens.begin(), document.tokens.end());
    const auto tokens = at::tensor(wide, at::kLong);
    const auto length = tokens.size(0) - 1, begin = static_cast<std::int64_t>(document.answer_begin);
    const auto logits = model->logits(model->hidden(tokens.narrow(0, 0, length).unsqueeze(0), &own)[0]);
    const auto scores = at::log_softmax(logits, -1).gather(1, tokens.narrow(0, 1, length).unsqueeze(1));
    loss = loss - advantages[i] * scores.narrow(0, begin - 1, length - begin + 1).sum();
    count += length - begin + 1;
  }
  loss = loss / count;
  loss.backward();
  Lora lora(fresh.settings(), pairs);
  lora.prepare_training(at::kCPU);
  for (const bool loops : {true, false}) {
    const auto trainer = loops ? trainer_by_loops(*model, lora.settings(), documents, 2)
                               : trainer_by_tensors(*model, documents, 60);
    const auto found = trainer->step(lora, chosen, keys);
    EXPECT_NEAR(found.loss.item<double>(), loss.item<double>(), 1e-4) << loops;
    const auto expected = own.parameters();
    ASSERT_EQ(found.tensors.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(at::allclose(found.tensors[i], expected[i].grad(), 1e-3, 1e-6)) << loops << ", " << i;
  }
}

// Before the first step the policy is the old one, and the reference where that is the same adapter.
TEST_F(TrainingTest, RatiosAndDivergenceStartFromTheAdapterThatTheStageEntersWith) {
  pretrain();
  auto first = finetuning("first");
  run_finetune(first);
  write_text(folder_ / "corpus/samples.jsonl",
             changed_rows(folder_ / "corpus/samples.jsonl",
                          [](auto& row, int number) { row["weight"] = number % 3 == 0 ? 1.5 : -0.75; }));
  const auto stage = [&](const std::string& output, int threads) {
    auto made = finetuning(output);
    made.spec["round"] = 1, made.spec["adapter"]["dropout"] = 0, made.spec["warmup"] = 0;
    made.spec["objective"] = {{"loss", "clipped_ratio"},
                              {"clip_low", 0.2},
                              {"clip_high", 0.2},
                              {"mean_over", "answers"},
                              {"kl", 0.1}};
    made.inputs["adapter"] = made.inputs["reference"] = folder_ / "first";
    made.threads = threads;
    return made;
  };
  auto one = stage("one", 1), two = stage("two", 2);
  run_finetune(one);
  run_finetune(two);
  EXPECT_EQ(bytes("one/adapter_model.safetensors"), bytes("two/adapter_model.safetensors"));
  EXPECT_EQ(one.values("ratio_deviation").front(), 0);
  EXPECT_EQ(one.values("ratio").front(), 1);
  EXPECT_EQ(one.values("clip_share").front(), 0);
  EXPECT_EQ(one.values("kl").front(), 0);
  EXPECT_GT(one.values("kl").back(), 0);
  EXPECT_GT(one.values("ratio_deviation").back(), 0.1);
  EXPECT_GT(one.values("entropy").front(), 0);
  EXPECT_EQ(one.values("gradient_norm").size(), one.values("loss").size());
  auto from_base = stage("from_base", 1);
  from_base.inputs.erase("reference");
  run_finetune(from_base);
  EXPECT_GT(from_base.values("kl").front(), 0) << "the model without an adapter is another policy";
}

// An answer whose text is encoded in other tokens than those that were drawn has no such probabilities.
TEST_F(TrainingTest, ProbabilitiesOfSamplingAreThoseOfTheSameTokens) {
  pretrain();
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  const auto format = marked_format(tokenizer);
  const auto plain = read_documents(folder_ / "corpus/samples.jsonl", *format, [] {});
  write_text(folder_ / "corpus/samples.jsonl",
             changed_rows(folder_ / "corpus/samples.jsonl", [&](auto& row, int number) {
               const auto& document = plain[static_cast<std::size_t>(number)];
               std::vector<Token> tokens(
                   document.tokens.begin() + static_cast<std::ptrdiff_t>(document.answer_begin),
                   document.tokens.end());
               const std::vector<double> scores(tokens.size(), -0.5);
               if (number % 2 == 1) ++tokens[0];
               row["drawn"] = {{"tokens", tokens}, {"scores", scores}};
             }));
  const auto documents = read_documents(folder_ / "corpus/samples.jsonl", *format, [] {});
  for (std::size_t i = 0; i < documents.size(); ++i)
    EXPECT_EQ(documents[i].sampled.size(),
              i % 2 == 1 ? 0 : documents[i].tokens.size() - documents[i].answer_begin);
  auto stage = finetuning("adapter");
  stage.spec["objective"] = {{"loss", "clipped_ratio"}, {"mean_over", "tokens"}, {"mismatch", "measure"}};
  run_finetune(stage);
  for (const double share : stage.values("sampled_share")) {
    EXPECT_GT(share, 0);
    EXPECT_LT(share, 1);
  }
  EXPECT_GT(stage.values("sampling_deviation").front(), 0);
  EXPECT_EQ(stage.values("mismatch_share").front(), 0);
  EXPECT_TRUE(stage.values("rejected_answers").empty()) << "no answer is dropped";
  // Each answer is drawn with other probabilities than training computes: none is left, and none learns.
  auto strict = finetuning("strict"), untaught = finetuning("untaught");
  strict.spec["objective"] = stage.spec["objective"];
  strict.spec["objective"]["mismatch_answer_cap"] = 1.0001;
  untaught.spec["epochs"] = 1, untaught.spec["learning_rate"] = 0;
  write_text(folder_.folder("known") / "samples.jsonl", "");
  std::string known;
  int number = 0;
  for_each_row(folder_ / "corpus/samples.jsonl", [&](const nlohmann::json& row) {
    if (number++ % 2 == 0) known += row.dump() + "\n";
  });
  write_text(folder_ / "known/samples.jsonl", known);
  for (auto* one : {&strict, &untaught}) one->inputs["samples"] = folder_ / "known", run_finetune(*one);
  for (const double share : strict.values("rejected_answers")) EXPECT_EQ(share, 1);
  for (const double loss : strict.values("loss")) EXPECT_EQ(loss, 0);
  EXPECT_EQ(bytes("strict/adapter_model.safetensors"), bytes("untaught/adapter_model.safetensors"));
}

// The text of the plan tokens is the answer up to the fence of its code, but for a token that reaches over
// it.
TEST_F(TrainingTest, PlanTokensAreThoseBeforeTheCode) {
  pretrain();
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  const auto format = marked_format(tokenizer);
  const std::string code = "```python\nclass ModelNew: pass\n```\n";
  const std::vector<std::string> plans = {"One row a program. Größe!\n", "", "Tiles:\n```\nx\n```\n\n"};
  std::string rows;
  for (const auto& plan : plans)
    rows +=
        nlohmann::json{{"prompt", "task"}, {"answer", plan + code}, {"weight", 1}, {"plan", -0.5}}.dump() +
        "\n";
  rows += nlohmann::json{{"prompt", "task"}, {"answer", plans[0] + code}}.dump() + "\n";
  write_text(folder_ / "corpus/samples.jsonl", rows);
  const auto documents = read_documents(folder_ / "corpus/samples.jsonl", *format, [] {});
  ASSERT_EQ(documents.size(), 4u);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const auto& document = documents[i];
    EXPECT_EQ(document.plan, -0.5F);
    ASSERT_EQ(plan_tokens(document), static_cast<std::int64_t>(document.code_begin - document.answer_begin));
    const auto begin = document.tokens.begin() + static_cast<std::ptrdiff_t>(document.answer_begin);
    const auto text = [&](std::int64_t tokens) {
      return tokenizer.decode(std::vector<Token>(begin, begin + static_cast<std::ptrdiff_t>(tokens)));
    };
    EXPECT_TRUE(plans[i].starts_with(text(plan_tokens(document)))) << i;
    EXPECT_GT(text(plan_tokens(document) + 1).size(), plans[i].size()) << i;
  }
  EXPECT_EQ(plan_tokens(documents[1]), 0) << "an answer that is code alone";
  EXPECT_FALSE(documents[3].plan);
  EXPECT_EQ(plan_tokens(documents[3]), 0) << "plan and code have one weight";

  auto stage = finetuning("adapter");
  stage.spec["objective"] = {{"loss", "clipped_ratio"}, {"mean_over", "tokens"}, {"plan_weight", 0.1}};
  run_finetune(stage);
  for (const auto* measure : {"plan_tokens", "code_tokens"}) {
    const auto values = stage.values(measure);
    EXPECT_GT(*std::max_element(values.begin(), values.end()), 0) << measure;
  }
}

TEST_F(TrainingTest, PairsTeachWhichAnswerIsRight) {
  pretrain();
  write_text(folder_ / "corpus/samples.jsonl",
             changed_rows(folder_ / "corpus/samples.jsonl", [](auto& row, int number) {
               row["weight"] = number % 2 == 0 ? 1 : -1, row["pair"] = number / 2;
             }));
  auto stage = finetuning("adapter");
  stage.spec["batch"] = 3, stage.spec["warmup"] = 0;
  stage.spec["objective"] = {{"loss", "preference"}, {"beta", 0.3}};
  const auto summary = run_finetune(stage);
  EXPECT_EQ(summary["steps"], 6 * 4) << "of 12 pairs";
  EXPECT_NEAR(summary["loss_first"].get<double>(), std::log(2.0), 1e-5) << "the adapter does nothing yet";
  EXPECT_LT(summary["loss_last"].get<double>(), 0.6);
  EXPECT_EQ(stage.values("won").back(), 1);
  EXPECT_GT(stage.values("margin").back(), 0.2);
  // One of a pair is missing.
  auto rows = read_text(folder_ / "corpus/samples.jsonl");
  write_text(folder_ / "corpus/samples.jsonl", rows.substr(0, rows.rfind('\n', rows.size() - 2) + 1));
  EXPECT_NE(stage_error([&] { run_finetune(stage); }).find("pair 11"), std::string::npos);
}

// Both trainers see a pair under the step's own dropout masks.
TEST_F(TrainingTest, PairsAreComparedUnderTheSameMasks) {
  pretrain();
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  auto documents = read_documents(folder_ / "corpus/samples.jsonl", *marked_format(tokenizer), [] {});
  const auto model = load_frozen(folder_ / "model", at::kCPU, at::kFloat);
  auto fresh = Lora::fresh(model->config(),
                           lora_settings({{"rank", 4}, {"alpha", 12}, {"dropout", 0.2}}, Family::qwen2), 1);
  auto pairs = fresh.pairs();
  for (auto& [module, pair] : pairs) pair.b = pair.b + 0.03;
  Lora lora(fresh.settings(), pairs);
  lora.prepare_training(at::kCPU);
  const std::vector<std::size_t> chosen = {0, 5, 11, 16};
  std::vector<std::size_t> all(documents.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    documents[chosen[i]].weight = i % 2 == 0 ? 1 : -1;
    documents[chosen[i]].other = chosen[i ^ 1];
  }
  std::vector<RandomKey> keys;
  for (const auto i : chosen) keys.push_back(random_key(fmt::format("{}", i)));
  contract::Objective settings;
  settings.loss = contract::LossKind::preference, settings.beta = 0.5;
  const auto step = [&](Trainer& trainer) {
    trainer.learn_by({Objective(settings), {}, trainer.log_probabilities(nullptr, all, {})});
    return trainer.step(lora, chosen, keys);
  };
  const auto expected = step(*trainer_by_loops(*model, lora.settings(), documents, 2));
  const auto logp = trainer_by_tensors(*model, documents)->log_probabilities(&lora, chosen, keys);
  const auto plain = trainer_by_tensors(*model, documents)->log_probabilities(&lora, chosen, {});
  EXPECT_NE(logp, plain) << "there are masks";
  for (const std::size_t budget : {100000, 60}) {
    const auto found = step(*trainer_by_tensors(*model, documents, budget));
    EXPECT_NEAR(found.loss.item<double>(), expected.loss.item<double>(), 1e-4);
    EXPECT_NEAR(found.measures->margin, expected.measures->margin, 1e-3);
    EXPECT_NEAR(found.measures->entropy, expected.measures->entropy, 1e-3 * found.measures->entropy);
    for (std::size_t i = 0; i < found.tensors.size(); ++i)
      EXPECT_TRUE(at::allclose(found.tensors[i], expected.tensors[i], 1e-3, 1e-6)) << budget << ", " << i;
  }
  documents[chosen[0]].other = {};
  EXPECT_NE(stage_error([&] { step(*trainer_by_tensors(*model, documents)); }), "");
}

TEST_F(TrainingTest, CancellingStopsTraining) {
  pretrain();
  auto stage = finetuning("adapter");
  stage.checks_until_cancel = 3;
  EXPECT_THROW(run_finetune(stage), Cancelled);
}

TEST_F(TrainingTest, AnAnswerThatWasCutOffHasNoEnd) {
  const auto tokenizer = Tokenizer::load(folder_ / "tokenizer/tokenizer.json");
  const auto end = tokenizer.special(kEndOfText);
  write_text(folder_ / "corpus/samples.jsonl",
             "{\"prompt\": \"task\", \"answer\": \"answer\"}\n"
             "{\"prompt\": \"task\", \"answer\": \"answer\", \"finish\": \"length\", \"weight\": -0.5}\n");
  auto documents = read_documents(folder_ / "corpus/samples.jsonl", *marked_format(tokenizer), [] {});
  ASSERT_EQ(documents.size(), 2u);
  EXPECT_EQ(documents[0].tokens.back(), end);
  documents[0].tokens.pop_back();
  EXPECT_EQ(documents[0].tokens, documents[1].tokens);
  EXPECT_EQ(documents[0].weight, 1);
  EXPECT_EQ(documents[1].weight, -0.5F);
}

TEST(DocumentsTest, AnEqualSeedShufflesEqually) {
  EXPECT_EQ(shuffled(50, RandomStream("a")), shuffled(50, RandomStream("a")));
  EXPECT_NE(shuffled(50, RandomStream("a")), shuffled(50, RandomStream("b")));
}

TEST(OptimiserTest, ClippingBoundsTheJointNorm) {
  std::vector<at::Tensor> gradients = {at::full({2}, 3.0), at::full({1}, 4.0)};
  clip_gradients(gradients, 1.0);
  const auto norm =
      std::sqrt(gradients[0].square().sum().item<double>() + gradients[1].square().sum().item<double>());
  EXPECT_NEAR(norm, 1.0, 1e-4);
  clip_gradients(gradients, 2.0);
  EXPECT_NEAR(gradients[0].square().sum().item<double>() + gradients[1].square().sum().item<double>(), 1.0,
              1e-3);
}

// Two optimisers, the second of which takes over the state half-way, leave the same parameters as one that
// went through.
TEST(OptimiserTest, GoesOnFromAStoredState) {
  const auto made = [] {
    at::manual_seed(3);
    return std::vector<at::Tensor>{at::randn({5, 3}), at::randn({7})};
  };
  const auto gradients = [](int step) {
    at::manual_seed(100 + step);
    return std::vector<at::Tensor>{at::randn({5, 3}), at::randn({7})};
  };
  const auto whole = made(), first = made();
  AdamW through(whole, 0.9, 0.999, 0.1), before(first, 0.9, 0.999, 0.1);
  for (int step = 0; step < 8; ++step) through.step(gradients(step), 1e-2);
  for (int step = 0; step < 4; ++step) before.step(gradients(step), 1e-2);
  AdamW after(first, 0.9, 0.999, 0.1);
  after.set_state(before.state());
  for (int step = 4; step < 8; ++step) after.step(gradients(step), 1e-2);
  for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_TRUE(at::equal(whole[i], first[i]));
  EXPECT_THROW(AdamW({at::randn({5, 4}), at::randn({7})}, 0.9, 0.999, 0.1).set_state(before.state()),
               UserError);
  EXPECT_THROW(AdamW({at::randn({5, 3})}, 0.9, 0.999, 0.1).set_state(before.state()), UserError);
}

TEST(OptimiserTest, WeightDecayLeavesVectorsAlone) {
  const auto matrix = at::ones({2, 2}), vector = at::ones({2});
  AdamW optimiser({matrix, vector}, 0.9, 0.999, 0.5);
  optimiser.step({at::zeros({2, 2}), at::zeros({2})}, 0.1);
  EXPECT_NEAR(matrix[0][0].item<double>(), 0.95, 1e-6);
  EXPECT_EQ(vector[0].item<double>(), 1.0);
}

}  // namespace
}  // namespace trl::runtime
