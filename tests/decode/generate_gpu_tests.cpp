// Decoding by the kernels of runtime/decode, compared with the forward pass that training uses. Skipped where
// there is no GPU of compute capability 9.0 or later.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "base/support/error.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/normal_float.hpp"
#include "runtime/model/quantise.hpp"
#include "runtime/sample/generate_on_gpu.hpp"
#include "tests/decode/gpu.hpp"
#include "tests/decode/models.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

class DecodeGpu : public testing::DecodingGpuTest {
 protected:
  LanguageModel model(const ModelConfig& config, std::int64_t seed = 1) {
    auto weights = testing::scattered_weights(config, seed);
    for (auto& [name, tensor] : weights) {
      if (tensor.dim() == 2 && !name.starts_with("model.embed"))
        tensor = tensor * (16.0 / std::sqrt(config.hidden));
      tensor = tensor.to(gpu_, at::kBFloat16);
    }
    LanguageModel result(config, weights, at::kBFloat16, LanguageModel::Use::frozen);
    EXPECT_EQ(reason_against_gpu_decoding(result), "");
    return result;
  }
};

std::vector<Prompt> prompts_of(std::int64_t vocabulary, const std::vector<int>& lengths, int samples) {
  std::vector<Prompt> result;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    Prompt prompt;
    RandomStream random(fmt::format("prompt {} of {}", lengths[p], p));
    for (int i = 0; i < lengths[p]; ++i)
      prompt.tokens.push_back(static_cast<Token>(random.below(vocabulary)));
    for (int s = 0; s < samples; ++s)
      prompt.samples.push_back(random_key(fmt::format("{}/{}", lengths[p], s)));
    result.push_back(std::move(prompt));
  }
  return result;
}

GenerateSettings how(const ModelConfig& config, double temperature, std::int64_t max_tokens,
                     std::int64_t rows) {
  GenerateSettings settings;
  settings.temperature = temperature;
  settings.max_tokens = max_tokens;
  settings.choices = config.vocabulary;
  settings.rows = rows;
  return settings;
}

// The log-probabilities of an answer's tokens by the model's own forward pass, in the precision of training.
at::Tensor reference_scores(const LanguageModel& model, const Prompt& prompt, const Answer& answer) {
  std::vector<std::int64_t> tokens(prompt.tokens.begin(), prompt.tokens.end());
  tokens.insert(tokens.end(), answer.tokens.begin(), answer.tokens.end());
  if (answer.stopped) tokens.push_back(answer.end);
  const auto all = at::tensor(tokens, at::kLong).to(model.embedding().device());
  const auto begin = static_cast<std::int64_t>(prompt.tokens.size()), count = all.size(0) - begin;
  const auto hidden = model.hidden(all.unsqueeze(0)).squeeze(0).narrow(0, begin - 1, count);
  const auto logits = at::log_softmax(model.logits(hidden), -1);
  return logits.gather(1, all.narrow(0, begin, count).unsqueeze(1)).squeeze(1).to(at::kCPU);
}

const std::vector<int> kLengths = {1, 2, 3, 31, 127, 128, 129, 130, 257, 300, 600, 1100};

// Both are in bf16 and round in different places; the scores are no farther from those in f32 than training's
// own are.
TEST_F(DecodeGpu, ScoresAreAsNearToThoseInF32AsTrainings) {
  const at::NoGradGuard no_grad;
  for (const auto& config : testing::small()) {
    const auto policy = model(config);
    auto weights = policy.weights();
    for (auto& [name, tensor] : weights) tensor = tensor.to(at::kFloat);
    const LanguageModel exact(config, weights, at::kFloat, LanguageModel::Use::frozen);
    for (const auto rows : {8, 24, 64}) {
      const auto work = prompts_of(config.vocabulary, kLengths, rows == 24 ? 4 : 2);
      const auto answers = generate_on_gpu(policy, work, how(config, 0.9, 150, rows), {});
      double ours = 0, trainings = 0, between = 0;
      for (std::size_t p = 0; p < work.size(); ++p) {
        const auto& answer = answers[p][0];
        ASSERT_EQ(answer.tokens.size(), 150U);
        ASSERT_EQ(answer.scores.size(), 150U);
        const auto found = at::tensor(answer.scores), expected = reference_scores(exact, work[p], answer);
        const auto other = reference_scores(policy, work[p], answer);
        ours += (found - expected).square().sum().item<double>();
        trainings += (other - expected).square().sum().item<double>();
        between += (found - other).square().sum().item<double>();
      }
      const auto root = [&](double sum) {
        return std::sqrt(sum / (150.0 * static_cast<double>(work.size())));
      };
      const auto name = fmt::format(
          "{} hidden {} heads {}/{} of {}, {} columns: from f32 {:.4f}, training's {:.4f}, between them "
          "{:.4f} nats",
          name_of(config.family), config.hidden, config.heads, config.kv_heads, config.head_size, rows,
          root(ours), root(trainings), root(between));
      EXPECT_LT(root(ours), 1.15 * root(trainings) + 1e-3) << name;
      std::printf("%s\n", name.c_str());
    }
  }
}

const std::vector<std::pair<decode::Storage, std::string>> kStorages = {
    {decode::Storage::bf16, "bf16"}, {decode::Storage::int8, "int8"}, {decode::Storage::nf4, "nf4"}};

// What a storage leaves of a matrix, in f32.
at::Tensor stored(const at::Tensor& weight, decode::Storage storage) {
  if (storage == decode::Storage::int8) return dequantise(quantise_rows(weight), at::kFloat);
  if (storage == decode::Storage::nf4) return dequantise(quantise_blocks(weight), at::kFloat);
  return weight.to(at::kFloat);
}

Lora random_adapter(const ModelConfig& config, std::int64_t rank, const c10::Device& device) {
  // Some modules have another rank or alpha.
  const auto pattern = [](const char* of, nlohmann::json said) {
    return nlohmann::json{{"call", "modules"}, {"args", {of}}, {"named", std::move(said)}};
  };
  const nlohmann::json patterns = {pattern("layers\\.1\\..*q_proj", {{"rank", 5}, {"alpha", 15}}),
                                   pattern("o_proj|up_proj", {{"rank", 7}})};
  const auto settings = lora_settings({{"rank", rank},
                                       {"alpha", 2 * rank},
                                       {"dropout", 0},
                                       {"targets", "all_linear"},
                                       {"patterns", patterns}},
                                      config.family);
  auto pairs = Lora::fresh(config, settings, 1).pairs();
  at::manual_seed(9);
  for (auto& [module, pair] : pairs) {
    pair.a = pair.a.to(device);
    pair.b = (at::randn(pair.b.sizes()) * 0.3 / std::sqrt(static_cast<double>(rank))).to(device);
  }
  return {settings, std::move(pairs)};
}

// Matrices of few bits, and adapters beside them: the same bound, from the same matrices in f32.
TEST_F(DecodeGpu, StoragesAndAdaptersGiveWhatTheirMatricesGive) {
  const at::NoGradGuard no_grad;
  for (const auto& config : testing::small()) {
    for (const auto& [storage, storage_name] : kStorages) {
      if (!decode::reason_against(config, storage).empty()) continue;
      for (const std::int64_t rank : {0, 12}) {
        if (rank == 0 && storage == decode::Storage::bf16) continue;

        const auto policy = model(config);
        std::optional<Lora> adapter;
        if (rank > 0) adapter.emplace(random_adapter(config, rank, gpu_));
        auto rounded = policy.weights(), exact_weights = policy.weights();
        for (auto& [name, tensor] : exact_weights) {
          if (tensor.dim() == 2 && name.find(".layers.") != std::string::npos)
            tensor = stored(tensor, storage);
          tensor = tensor.to(at::kFloat);
        }
        if (adapter) exact_weights = adapter->merged(exact_weights);
        for (auto& [name, tensor] : rounded) tensor = exact_weights.at(name).to(at::kBFloat16);
        const LanguageModel exact(config, exact_weights, at::kFloat, LanguageModel::Use::frozen);
        const LanguageModel reference(config, rounded, at::kBFloat16, LanguageModel::Use::frozen);
        for (const auto rows : {8, 32, 64}) {
          const auto work = prompts_of(config.vocabulary, {1, 5, 130, 300}, rows / 4);
          const auto answers = generate_on_gpu(policy, work, how(config, 0.9, 60, rows), {}, storage,
                                               adapter ? &*adapter : nullptr);
          double ours = 0, trainings = 0;
          for (std::size_t p = 0; p < work.size(); ++p) {
            const auto found = at::tensor(answers[p][0].scores);
            const auto expected = reference_scores(exact, work[p], answers[p][0]);
            ours += (found - expected).square().sum().item<double>();
            trainings += (reference_scores(reference, work[p], answers[p][0]) - expected)
                             .square()
                             .sum()
                             .item<double>();
          }
          const auto name = fmt::format("{} hidden {}, {}, rank {}, {} columns", name_of(config.family),
                                        config.hidden, storage_name, rank, rows);
          EXPECT_LT(ours, 1.3 * trainings + 1e-4) << name;
          std::printf("%s: squares %.4f, in bf16 %.4f\n", name.c_str(), ours, trainings);
        }
      }
    }
  }
}

TEST_F(DecodeGpu, AnAnswerDoesNotDependOnWhatIsDecodedBesideIt) {
  for (const auto& config : testing::small()) {
    for (const auto& [storage, storage_name] : kStorages) {
      if (!decode::reason_against(config, storage).empty()) continue;
      const auto policy = model(config);
      const auto adapter = random_adapter(config, 8, gpu_);
      const auto work = prompts_of(config.vocabulary, kLengths, 6);
      for (const auto rows : {16, 64}) {
        for (const auto* lora : {static_cast<const Lora*>(nullptr), &adapter}) {
          if (lora && storage == decode::Storage::int8) continue;
          const auto name = fmt::format("{} hidden {}, {}{}, {} columns", name_of(config.family),
                                        config.hidden, storage_name, lora ? " with an adapter" : "", rows);
          auto settings = how(config, 0.8, 70, rows);
          settings.ends = {3, 7};
          const auto together = generate_on_gpu(policy, work, settings, {}, storage, lora);
          for (const std::size_t p : {0U, 4U, 6U, 11U}) {
            auto one = work[p];
            one.samples = {work[p].samples[1]};
            const auto alone = generate_on_gpu(policy, {one}, settings, {}, storage, lora)[0][0];
            EXPECT_EQ(alone.tokens, together[p][1].tokens) << name << ", prompt " << p;
            EXPECT_EQ(alone.scores, together[p][1].scores) << name << ", prompt " << p;
            EXPECT_EQ(alone.stopped, together[p][1].stopped);
          }
          // In another order, beside others.
          const std::vector<Prompt> reversed(work.rbegin(), work.rend());
          const auto again = generate_on_gpu(policy, reversed, settings, {}, storage, lora);
          for (std::size_t p = 0; p < work.size(); ++p) {
            for (std::size_t s = 0; s < 6; ++s)
              EXPECT_EQ(again[work.size() - 1 - p][s].tokens, together[p][s].tokens)
                  << name << ", prompt " << p << ", sample " << s;
          }
        }
      }
    }
  }
}

TEST_F(DecodeGpu, GreedyTokensAreTheReferences) {
  const at::NoGradGuard no_grad;
  std::size_t same = 0, all = 0;
  for (const auto& config : testing::small()) {
    const auto policy = model(config, 5);
    const auto work = prompts_of(config.vocabulary, kLengths, 1);
    const auto answers = generate_on_gpu(policy, work, how(config, 0, 20, 64), {});
    for (std::size_t p = 0; p < work.size(); ++p) {
      std::vector<std::int64_t> tokens(work[p].tokens.begin(), work[p].tokens.end());
      tokens.insert(tokens.end(), answers[p][0].tokens.begin(), answers[p][0].tokens.end());
      const auto begin = static_cast<std::int64_t>(work[p].tokens.size());
      const auto hidden = policy.hidden(at::tensor(tokens, at::kLong).to(gpu_).unsqueeze(0)).squeeze(0);
      const auto best = policy.logits(hidden.narrow(0, begin - 1, 20)).topk(2, -1);
      const auto choice = std::get<1>(best).to(at::kCPU);
      for (std::int64_t i = 0; i < 20; ++i) {
        ++all;
        same += choice[i][0].item<std::int64_t>() == answers[p][0].tokens[static_cast<std::size_t>(i)];
      }
    }
  }
  // Where two logits are closer than rounding, either may be the largest.
  EXPECT_GT(static_cast<double>(same), 0.97 * static_cast<double>(all)) << same << " of " << all;
}

// Pearson's chi-square of drawn tokens against the probabilities that the same step's logits give.
TEST_F(DecodeGpu, TokensAreDrawnFromTheDistribution) {
  const at::NoGradGuard no_grad;
  const auto config = testing::small().back();
  const auto policy = model(config, 2);
  const auto weights = std::make_shared<const decode::DecodeWeights>(policy);
  constexpr std::int64_t kColumns = 640, kTimes = 40;
  const auto pool = at::zeros({kColumns, config.layers, 2, config.kv_heads, decode::kPage, config.head_size},
                              at::TensorOptions().dtype(at::kBFloat16).device(gpu_));
  struct Case {
    double temperature;
    std::int64_t top_k;
    double top_p;
  };
  for (const auto& [temperature, top_k, top_p] :
       {Case{1, 0, 1}, {0.6, 0, 1}, {1, 12, 1}, {1, 0, 0.7}, {1.3, 40, 0.9}, {0.8, 1, 1}, {1, 0, 1e-6}}) {
    decode::Drawing drawing;
    drawing.temperature = temperature;
    drawing.top_k = top_k;
    drawing.top_p = top_p;
    drawing.choices = 700;  // the last tokens of the vocabulary may not be drawn
    decode::Stepper stepper(weights, pool, kColumns, 1, 1, drawing);
    std::vector<double> counts(700, 0.0);
    std::vector<decode::ColumnState> states(kColumns);
    for (std::int64_t time = 0; time < kTimes; ++time) {
      for (std::int64_t c = 0; c < kColumns; ++c) {
        auto& state = states[static_cast<std::size_t>(c)];
        state = {};
        state.token = 5;
        state.position = 0;
        state.limit = 1;
        state.stream = random_key(fmt::format("{}/{}", time, c)).value;
        state.pages = {static_cast<std::int32_t>(c)};
      }
      for (const auto& result : stepper.run(states, 1)) {
        ASSERT_EQ(result.tokens.size(), 1U);
        ASSERT_TRUE(result.idle);
        ASSERT_LT(result.tokens[0], 700);
        ++counts[static_cast<std::size_t>(result.tokens[0])];
      }
    }
    const auto logits = stepper.logits()[0].narrow(0, 0, 700).to(at::kCPU, at::kDouble);
    ASSERT_TRUE(at::equal(stepper.logits()[0], stepper.logits()[kColumns - 1])) << "equal columns";
    // As transformers defines them: temperature, then top_k, then top_p.
    const auto [sorted, order] = at::softmax(logits / temperature, -1).sort(-1, true);
    std::vector<double> probability(counts.size(), 0.0);
    double kept = 0, total = 0;
    const auto allowed = top_k == 0 ? 700 : top_k;
    for (std::int64_t i = 0; i < allowed; ++i) total += sorted[i].item<double>();
    for (std::int64_t i = 0; i < allowed && kept < top_p * total; ++i) {
      kept += sorted[i].item<double>();
      probability[static_cast<std::size_t>(order[i].item<std::int64_t>())] = sorted[i].item<double>();
    }
    double chi_square = 0, rest_expected = 0, rest_found = 0, cells = 0, outside = 0;
    const auto add = [&](double found, double expected) {
      chi_square += (found - expected) * (found - expected) / expected;
      ++cells;
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto expected = kColumns * kTimes * probability[i] / kept;
      if (probability[i] == 0) outside += counts[i];
      if (expected >= 10) {
        add(counts[i], expected);
      } else {
        rest_expected += expected;
        rest_found += counts[i];
      }
    }
    if (rest_expected > 5) add(rest_found, rest_expected);
    // The 99.99 % quantile by its normal approximation.
    EXPECT_LT(chi_square, cells + 4 * std::sqrt(2 * cells)) << temperature << " " << top_k << " " << top_p;
    EXPECT_EQ(outside, 0);
    std::printf("temperature %.1f, top_k %d, top_p %g: chi-square %.0f over %.0f cells\n", temperature,
                static_cast<int>(top_k), top_p, chi_square, cells);
  }
}

TEST_F(DecodeGpu, ContextsEndAnswersAndFullPromptsHaveEmptyOnes) {
  auto config = testing::small().front();
  config.context = 140;
  const auto policy = model(config);
  const auto work = prompts_of(config.vocabulary, {139, 140, 100}, 2);
  const auto answers = generate_on_gpu(policy, work, how(config, 1, 60, 64), {});
  EXPECT_EQ(answers[0][0].tokens.size(), 1U);
  EXPECT_EQ(answers[1][1].tokens.size(), 0U);
  EXPECT_EQ(answers[2][1].tokens.size(), 40U);
}

}  // namespace
}  // namespace trl::runtime
