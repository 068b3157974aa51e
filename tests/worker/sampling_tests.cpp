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
  DrawRoom room;
  EXPECT_EQ(draw(logits, {1.0}, 0.0, room), 0);
  EXPECT_EQ(draw(logits, {1.0}, 0.0999, room), 0);
  EXPECT_EQ(draw(logits, {1.0}, 0.1001, room), 1);
  EXPECT_EQ(draw(logits, {1.0}, 0.2999, room), 1);
  EXPECT_EQ(draw(logits, {1.0}, 0.3001, room), 2);
  EXPECT_EQ(draw(logits, {1.0}, 0.99999999, room), 2);
  EXPECT_EQ(draw(logits, {0.0}, 0.0, room), 2);
}

TEST(DrawTest, FrequenciesAreTheProbabilities) {
  const std::vector<float> logits = {1.0F, 0.0F, -1.0F, 2.0F};
  DrawRoom room;
  std::array<int, 4> counts{};
  const auto key = random_key("frequencies");
  for (int i = 0; i < 20000; ++i) ++counts[draw(logits, {2.0}, uniform(key, i), room)];
  double total = 0;
  for (const float logit : logits) total += std::exp(logit / 2);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(counts[i] / 20000.0, std::exp(logits[i] / 2) / total, 0.012);
}

/// Logits of which some are equal, as those of a model in bf16 are.
std::vector<float> random_logits(std::size_t count, std::int64_t seed, bool coarse) {
  RandomStream stream(fmt::format("logits/{}", seed));
  std::vector<float> logits(count);
  for (float& x : logits) {
    x = static_cast<float>(3 * stream.normal());
    if (coarse) x = std::round(2 * x) / 2;
  }
  return logits;
}

/// `least_drawn` by sorting everything.
float least_by_sorting(const std::vector<float>& logits, const std::vector<float>& weights,
                       std::int64_t top_k, double top_p) {
  std::vector<std::pair<float, std::uint64_t>> sorted;
  for (std::size_t i = 0; i < logits.size(); ++i)
    sorted.emplace_back(logits[i], static_cast<std::uint64_t>(weights[i] * 0x1p40F));
  std::sort(sorted.rbegin(), sorted.rend());
  float least = -std::numeric_limits<float>::infinity();
  if (top_k > 0 && top_k < static_cast<std::int64_t>(sorted.size()))
    least = sorted[static_cast<std::size_t>(top_k) - 1].first;
  while (sorted.back().first < least) sorted.pop_back();
  if (top_p == 1) return least;
  std::uint64_t all = 0, reached = 0;
  for (const auto& [logit, weight] : sorted) all += weight;
  const auto target = static_cast<double>(static_cast<float>(top_p)) * static_cast<double>(all);
  for (const auto& [logit, weight] : sorted) {
    reached += weight;
    if (static_cast<double>(reached) >= std::floor(target) && reached > 0) return logit;
  }
  return least;
}

TEST(DrawTest, TopKAndTopPLeaveWhatSortingLeaves) {
  DrawRoom room;
  for (const std::size_t count : {1, 2, 17, 64, 65, 300, 1999}) {
    for (const bool coarse : {false, true}) {
      for (const double temperature : {0.3, 1.0, 4.0}) {
        const auto logits = random_logits(count, static_cast<std::int64_t>(count), coarse);
        std::vector<float> weights(count);
        const float most = *std::max_element(logits.begin(), logits.end());
        for (std::size_t i = 0; i < count; ++i)
          weights[i] = std::exp((logits[i] - most) / static_cast<float>(temperature));
        for (const std::int64_t top_k : {0, 1, 2, 40, 500, 100000})
          for (const double top_p : {1e-4, 0.1, 0.5, 0.95, 0.999999, 1.0})
            EXPECT_EQ(least_drawn(logits, weights, top_k, top_p, room),
                      least_by_sorting(logits, weights, top_k, top_p))
                << count << " " << coarse << " " << temperature << " " << top_k << " " << top_p;
      }
    }
  }
}

TEST(DrawTest, TokensAsLikelyAsTheLastAreDrawnToo) {
  const std::vector<float> logits = {1, 2, 2, 2, 0};
  DrawRoom room;
  std::set<Token> drawn, nucleus;
  for (int i = 0; i < 200; ++i) {
    drawn.insert(draw(logits, {.temperature = 1, .top_k = 2}, i / 200.0, room));
    nucleus.insert(draw(logits, {.temperature = 1, .top_p = 0.3}, i / 200.0, room));
  }
  EXPECT_EQ(drawn, (std::set<Token>{1, 2, 3}));
  EXPECT_EQ(nucleus, drawn);
}

// Pearson's chi-square of draws against the probabilities that transformers' warpers leave: logits are
// divided by the temperature, then the top_k largest are left, and of these the smallest set that reaches
// top_p.
TEST(DrawTest, RestrictedFrequenciesAreTheProbabilities) {
  constexpr int kDraws = 20000;
  const auto logits = random_logits(300, 11, false);
  DrawRoom room;
  for (const Distribution how :
       {Distribution{1, 12, 1}, {1, 0, 0.7}, {1.3, 40, 0.9}, {0.8, 1, 1}, {0.6, 0, 0.95}}) {
    std::vector<std::pair<double, std::size_t>> sorted;
    for (std::size_t i = 0; i < logits.size(); ++i)
      sorted.emplace_back(std::exp(logits[i] / how.temperature), i);
    std::sort(sorted.rbegin(), sorted.rend());
    if (how.top_k > 0) sorted.resize(static_cast<std::size_t>(how.top_k));
    double all = 0, kept = 0;
    for (const auto& [weight, token] : sorted) all += weight;
    std::size_t size = 0;
    while (size < sorted.size() && kept < how.top_p * all) kept += sorted[size++].first;
    sorted.resize(size);

    std::vector<int> counts(logits.size());
    const auto key = random_key("restricted frequencies");
    for (int i = 0; i < kDraws; ++i)
      ++counts[static_cast<std::size_t>(
          draw(logits, how, uniform(key, static_cast<std::uint64_t>(i)), room))];
    double chi_square = 0, cells = 0, rest_expected = 0, rest_found = 0;
    const auto add = [&](double found, double expected) {
      chi_square += (found - expected) * (found - expected) / expected;
      ++cells;
    };
    int inside = 0;
    for (const auto& [weight, token] : sorted) {
      const double expected = kDraws * weight / kept;
      inside += counts[token];
      if (expected >= 10) {
        add(counts[token], expected);
      } else {
        rest_expected += expected;
        rest_found += counts[token];
      }
    }
    if (rest_expected > 5) add(rest_found, rest_expected);
    EXPECT_EQ(inside, kDraws) << how.top_k << " " << how.top_p;
    // The 99.99 % quantile by its normal approximation.
    EXPECT_LT(chi_square, cells + 4 * std::sqrt(2 * cells)) << how.top_k << " " << how.top_p;
  }
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

// At another temperature and without the likely tokens' bound, too, they are those of the model at
// temperature 1.
TEST(GenerateTest, ScoresAreTheModelsLogProbabilities) {
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
  const auto work = prompts(3, 2);
  auto how = settings(8, 2);
  how.temperature = 0.7, how.top_k = 20;
  EXPECT_TRUE(generate(config, weights, work, how, {})[0][0].scores.empty());
  how.scores = true;
  const auto by_loops = generate(config, weights, work, how, {});
  const auto by_tensors = generate_by_tensors(model, work, how, {});
  for (const auto* answers : {&by_loops, &by_tensors}) {
    for (std::size_t p = 0; p < work.size(); ++p) {
      for (const auto& answer : (*answers)[p]) {
        auto tokens = work[p].tokens;
        tokens.insert(tokens.end(), answer.tokens.begin(), answer.tokens.end());
        if (const auto end = answer.end_token()) tokens.push_back(*end);
        const std::vector<std::int64_t> wide(tokens.begin(), tokens.end());
        const auto all = at::tensor(wide, at::kLong);
        const auto length = all.size(0) - 1, begin = static_cast<std::int64_t>(work[p].tokens.size()) - 1;
        const auto logp =
            at::log_softmax(model.logits(model.hidden(all.narrow(0, 0, length).unsqueeze(0))[0]), -1)
                .gather(1, all.narrow(0, 1, length).unsqueeze(1))
                .squeeze(1);
        EXPECT_TRUE(
            at::allclose(at::tensor(answer.scores), logp.narrow(0, begin, length - begin), 1e-4, 1e-4));
      }
    }
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

TEST(GenerateTest, TheCpusLoopsAgreeWithTensorOperationsOnTopKAndTopP) {
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
  const auto work = prompts(6, 2);
  std::set<std::vector<std::vector<Token>>> all;
  for (const auto& [top_k, top_p] : {std::pair{0, 1.0}, {5, 1.0}, {0, 0.6}, {20, 0.8}, {1000, 1.0}}) {
    auto how = settings(8, 1);
    how.top_k = top_k;
    how.top_p = top_p;
    const auto answers = tokens_of(generate(config, weights, work, how, {}));
    EXPECT_EQ(answers, tokens_of(generate_by_tensors(model, work, how, {}))) << top_k << " " << top_p;
    all.insert(answers);
  }
  EXPECT_EQ(all.size(), 4U) << "a top_k above the vocabulary changes nothing, the others do";
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
      EXPECT_EQ(answer.stopped, answer.end_token().has_value());
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

TEST(GenerateTest, ATokenWithoutARowInTheEmbeddingIsAnError) {
  const auto config = tiny_config();
  const LanguageModel model(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  for (const Token token : {300, 300'000'000, -1}) {
    auto work = prompts(2, 1);
    work[1].tokens.push_back(token);
    const auto expected = fmt::format("the token {} has no row in the embedding, which has 300", token);
    EXPECT_EQ(
        testing::stage_error([&] { generate(config, lively_weights(config), work, settings(8, 1), {}); }),
        expected);
    EXPECT_EQ(testing::stage_error([&] { generate(model, nullptr, work, settings(8, 1), {}); }), expected);
    EXPECT_EQ(testing::stage_error([&] { generate_by_tensors(model, work, settings(8, 1), {}); }), expected);
  }
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
