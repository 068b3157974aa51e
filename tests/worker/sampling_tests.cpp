#include <gtest/gtest.h>

#include <set>

#include "runtime/sample/draw.hpp"
#include "runtime/sample/drift.hpp"
#include "runtime/sample/generate.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::lively_weights;
using testing::tiny_config;

std::vector<Prompt> prompts(int count, int samples) {
  std::vector<Prompt> result;
  for (int p = 0; p < count; ++p) {
    Prompt prompt;
    for (int i = 0; i <= p * 3 % 17; ++i) prompt.tokens.push_back((p * 37 + i * 11) % 300);
    for (int s = 0; s < samples; ++s) prompt.samples.push_back(random_key(fmt::format("{}/{}", p, s)));
    result.push_back(prompt);
  }
  return result;
}

GenerateSettings settings(std::int64_t rows, int threads) {
  GenerateSettings settings;
  settings.temperature = 0.9;
  settings.max_tokens = 40;
  settings.ends = {0};
  settings.choices = 300;
  settings.rows = rows;
  settings.threads = threads;
  return settings;
}

std::vector<std::vector<Token>> tokens_of(const std::vector<std::vector<Answer>>& answers) {
  std::vector<std::vector<Token>> tokens;
  for (const auto& samples : answers) {
    for (const auto& answer : samples) tokens.push_back(answer.tokens);
  }
  return tokens;
}

TEST(DrawTest, InvertsTheDistributionFunction) {
  const std::vector<float> logits = {std::log(0.1F), std::log(0.2F), std::log(0.7F)};
  std::vector<float> scratch;
  EXPECT_EQ(draw(logits, 1.0, 0.0, scratch), 0);
  EXPECT_EQ(draw(logits, 1.0, 0.0999, scratch), 0);
  EXPECT_EQ(draw(logits, 1.0, 0.1001, scratch), 1);
  EXPECT_EQ(draw(logits, 1.0, 0.2999, scratch), 1);
  EXPECT_EQ(draw(logits, 1.0, 0.3001, scratch), 2);
  EXPECT_EQ(draw(logits, 1.0, 0.99999999, scratch), 2);
  EXPECT_EQ(draw(logits, 0.0, 0.0, scratch), 2);
}

TEST(DrawTest, FrequenciesAreTheProbabilities) {
  const std::vector<float> logits = {1.0F, 0.0F, -1.0F, 2.0F};
  std::vector<float> scratch;
  std::array<int, 4> counts{};
  const auto key = random_key("frequencies");
  for (int i = 0; i < 20000; ++i) ++counts[draw(logits, 2.0, uniform(key, i), scratch)];
  double total = 0;
  for (const float logit : logits) total += std::exp(logit / 2);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(counts[i] / 20000.0, std::exp(logits[i] / 2) / total, 0.012);
}

TEST(GenerateTest, AnswersDependNeitherOnBatchingNorOnThreads) {
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  const auto work = prompts(9, 3);
  const auto expected = tokens_of(generate(config, weights, work, settings(32, 1), {}));
  for (const auto& [rows, threads] : {std::pair{1, 1}, {5, 1}, {8, 2}, {32, 3}}) {
    EXPECT_EQ(tokens_of(generate(config, weights, work, settings(rows, threads), {})), expected)
        << rows << " rows, " << threads << " threads";
  }
}

TEST(GenerateTest, APromptsAnswersDoNotDependOnTheOtherPrompts) {
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  const auto work = prompts(9, 3);
  const auto all = generate(config, weights, work, settings(32, 1), {});
  const auto alone = generate(config, weights, {work[4]}, settings(32, 2), {});
  for (int s = 0; s < 3; ++s) EXPECT_EQ(alone[0][s].tokens, all[4][s].tokens);
}

TEST(GenerateTest, TheCpusLoopsAgreeWithTensorOperations) {
  auto config = tiny_config();
  for (const auto& [hidden, heads, kv_heads] : {std::tuple{32, 4, 2}, {48, 8, 1}, {64, 2, 2}, {36, 6, 2}}) {
    config.hidden = hidden;
    config.heads = heads;
    config.kv_heads = kv_heads;
    config.head_size = hidden / heads;
    const auto weights = lively_weights(config);
    const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
    const auto work = prompts(6, 2);
    EXPECT_EQ(tokens_of(generate(config, weights, work, settings(8, 1), {})),
              tokens_of(generate_by_tensors(model, work, settings(8, 1), {})))
        << hidden << " " << heads << " " << kv_heads;
  }
}

// Odd sizes, heads that together are wider or narrower than the residual stream, every kind of bias and of
// rotary positions, beyond the original context of Llama 3.
TEST(GenerateTest, TheCpusLoopsAgreeWithTensorOperationsInEveryFamily) {
  const std::vector<RopeScaling> scalings = {
      {}, {.kind = RopeScaling::Kind::linear, .factor = 3}, {RopeScaling::Kind::llama3, 8, 1, 4, 20}};
  for (const auto family : {Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2}) {
    for (std::size_t i = 0; i < scalings.size(); ++i) {
      auto config = tiny_config(family);
      config.hidden = 27 + 7 * static_cast<std::int64_t>(i);
      config.heads = 6;
      config.kv_heads = i == 0 ? 6 : i == 1 ? 3 : 1;
      config.head_size = i == 1 ? 6 : 10;
      config.intermediate = 37;
      config.rope_scaling = scalings[i];
      config.tied_embeddings = i == 1;
      if (i == 2) config.output_bias = config.qkv_bias = config.mlp_bias = !config.mlp_bias;
      auto weights = testing::scattered_weights(config);
      const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
      const auto work = prompts(4, 2);
      const auto expected = generate_by_tensors(model, work, settings(8, 1), {});
      EXPECT_EQ(tokens_of(generate(config, weights, work, settings(8, 1), {})), tokens_of(expected))
          << name_of(family) << " " << i;
      // The answers' greedy continuation by whole forward passes, without a cache.
      auto greedy = settings(8, 1);
      greedy.temperature = 0;
      greedy.ends.clear();
      const auto answers = generate(config, weights, work, greedy, {});
      auto tokens = work[3].tokens;
      tokens.insert(tokens.end(), answers[3][0].tokens.begin(), answers[3][0].tokens.end());
      const std::vector<std::int64_t> wide(tokens.begin(), tokens.end());
      const auto best = model.logits(model.hidden(at::tensor(wide, at::kLong).unsqueeze(0)))[0].argmax(-1);
      for (std::size_t t = work[3].tokens.size(); t < tokens.size(); ++t)
        EXPECT_EQ(best[static_cast<std::int64_t>(t) - 1].item<std::int64_t>(), tokens[t])
            << name_of(family) << " " << i << " at " << t;
    }
  }
}

TEST(GenerateTest, StopsAtAnEndTokenOrTheLimitOrTheContext) {
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  auto work = prompts(4, 20);
  work[3].tokens.assign(90, 5);  // the context of 96 leaves six positions
  auto limits = settings(16, 1);
  limits.temperature = 3;  // nearly uniform, so that the end token is drawn from time to time
  limits.choices = 30;
  limits.ends = {0, 7};
  bool stopped = false, full = false;
  std::set<Token> ends;
  const auto answers = generate(config, weights, work, limits, {});
  for (std::size_t p = 0; p < answers.size(); ++p) {
    for (const auto& answer : answers[p]) {
      const std::size_t limit = p == 3 ? 6 : 40;
      EXPECT_LE(answer.tokens.size(), limit);
      EXPECT_TRUE(answer.stopped || answer.tokens.size() == limit);
      for (const auto token : answer.tokens) {
        EXPECT_FALSE(is_end(limits, token));
        EXPECT_LT(token, 30);
      }
      (answer.stopped ? stopped : full) = true;
      if (answer.stopped) ends.insert(answer.end);
    }
  }
  EXPECT_TRUE(stopped);
  EXPECT_TRUE(full);
  EXPECT_EQ(ends, (std::set<Token>{0, 7}));
}

TEST(GenerateTest, APromptLongerThanTheContextIsAnError) {
  const auto config = tiny_config();
  auto work = prompts(1, 1);
  work[0].tokens.assign(96, 5);
  EXPECT_NE(testing::stage_error([&] {
              generate(config, lively_weights(config), work, settings(8, 1), {});
            }).find("the model's context is 96"),
            std::string::npos);
}

TEST(GenerateTest, ProgressMayStopIt) {
  const auto config = tiny_config();
  EXPECT_THROW(generate(config, lively_weights(config), prompts(20, 4), settings(4, 2),
                        [](std::int64_t answers, std::int64_t) {
                          if (answers > 3) throw Cancelled();
                        }),
               Cancelled);
}

// Token by token in f64, one document at a time, against micro-batches with padding.
TEST(DriftTest, IsTheMeanOverAnswerTokensOfEntropyAndDivergence) {
  const auto config = tiny_config();
  auto moved = lively_weights(config);
  const LanguageModel base(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  for (auto& [name, tensor] : moved) tensor = tensor * 1.05;
  const LanguageModel policy(config, moved, at::kFloat, LanguageModel::Use::frozen);
  std::vector<Document> documents;
  for (const std::size_t length : {5, 12, 33, 2, 20}) {
    Document document{{}, 1 + length / 3};
    for (std::size_t i = 0; i < length; ++i) document.tokens.push_back((i * 37 + length * 11) % 300);
    documents.push_back(document);
  }
  double entropy = 0, kl = 0;
  std::int64_t count = 0;
  for (const auto& document : documents) {
    const auto tokens =
        at::tensor(std::vector<std::int64_t>(document.tokens.begin(), document.tokens.end()), at::kLong);
    const auto of = [&](const LanguageModel& model) {
      return at::softmax(model.logits(model.hidden(tokens.unsqueeze(0)))[0].to(at::kDouble), -1);
    };
    const auto p = of(policy), q = of(base);
    for (std::size_t at = document.answer_begin - 1; at + 1 < document.tokens.size(); ++at, ++count)
      for (std::int64_t token = 0; token < config.vocabulary; ++token) {
        const double a = p[at][token].item<double>(), b = q[at][token].item<double>();
        entropy -= a * std::log(a), kl += a * std::log(a / b);
      }
  }
  ASSERT_GT(kl / count, 1e-4) << "the models differ";
  for (const std::size_t budget : {1, 40, 100000}) {
    const auto drift = measure_drift(
        policy, &base, documents, [] {}, budget);
    EXPECT_EQ(drift.tokens, count);
    EXPECT_NEAR(drift.entropy, entropy / count, 1e-4 * entropy / count);
    EXPECT_NEAR(drift.kl, kl / count, 1e-3 * kl / count);
  }
  EXPECT_EQ(measure_drift(base, nullptr, documents, [] {}).kl, 0);
  EXPECT_NEAR(measure_drift(base, &base, documents, [] {}).kl, 0, 1e-9);
}

}  // namespace
}  // namespace trl::runtime
