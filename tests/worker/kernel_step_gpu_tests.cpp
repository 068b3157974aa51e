// The training step by kernels, compared with products in f64 and with the CPU's loops. Skipped where there
// is no GPU.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/support/random.hpp"
#include "runtime/model/quantise.hpp"
#include "runtime/train/kernel_step.hpp"
#include "runtime/train/trainer.hpp"
#include "tests/gpu.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime::testing {
namespace {

double relative_error(const at::Tensor& found, const at::Tensor& expected) {
  const auto a = found.detach().to(at::kCPU, at::kDouble), b = expected.detach().to(at::kCPU, at::kDouble);
  return ((a - b).norm() / (b.norm() + 1e-300)).item<double>();
}

class AdapterProductsGpu : public GpuTest {
 protected:
  at::Tensor random(at::IntArrayRef sizes) {
    return at::randn(sizes, at::TensorOptions().device(gpu_)).to(at::kBFloat16);
  }

  // [tokens, width] of 0 and 1 in f64.
  static at::Tensor unpacked(const at::Tensor& bits) {
    std::vector<at::Tensor> of_bit;
    for (int i = 0; i < 8; ++i) of_bit.push_back(bits.bitwise_right_shift(i).bitwise_and(1));
    return at::stack(of_bit, 2).flatten(1).to(at::kDouble);
  }
};

TEST_F(AdapterProductsGpu, AreThoseOfTensorOperationsInF64) {
  const at::NoGradGuard no_grad;
  at::manual_seed(1);
  int number = 0;
  for (const auto& [rows, width, units] :
       {std::tuple{128, 64, 1}, {128, 192, 2}, {384, 640, 3}, {256, 1152, 4}, {640, 128, 7}}) {
    for (const bool masked : {false, true}) {
      const auto name = fmt::format("{} tokens, width {}, {} units, {}", rows, width, units,
                                    masked ? "dropout" : "no dropout");
      const auto whole = random({rows, width + 64});
      const auto x = ++number % 2 ? whole.narrow(1, 64, width) : random({rows, width});
      std::vector<at::Tensor> a, b, kept;
      std::vector<at::Tensor> masks;
      for (int u = 0; u < units; ++u) {
        a.push_back(random({16, width}));
        b.push_back(random({width, 16}));
        const auto bits =
            at::randint(0, 256, {rows, width / 8}, at::TensorOptions().device(gpu_)).to(at::kByte);
        if (masked) kept.push_back(bits);
        masks.push_back(masked ? unpacked(bits) : at::ones({rows, width}, bits.options().dtype(at::kDouble)));
      }
      const auto low = adapter_products::down(x, a, kept, 0.5);
      ASSERT_EQ(low.size(), a.size());
      auto y = random({rows, width});
      auto expected_y = y.to(at::kDouble);
      std::vector<at::Tensor> gradients;
      std::vector<UnitGradient> into;
      for (int u = 0; u < units; ++u) {
        const auto i = static_cast<std::size_t>(u);
        const auto dropped = x.to(at::kDouble) * masks[i];
        const auto expected_low = 0.5 * dropped.matmul(a[i].to(at::kDouble).t());
        EXPECT_LT(relative_error(low[i].rows, expected_low), 4e-3) << name << ", down, unit " << u;
        EXPECT_TRUE(at::equal(low[i].rows.t(), low[i].columns)) << name << ", unit " << u;
        expected_y =
            expected_y + 0.25 * masks[i] * low[i].rows.to(at::kDouble).matmul(b[i].to(at::kDouble).t());
        // A matrix of 5 or 16 ranks, by ranks or by columns.
        const std::int64_t ranks = u % 2 ? 5 : 16;
        gradients.push_back(at::ones({width, ranks}, y.options().dtype(at::kFloat)));
        into.push_back({gradients.back().view({-1}), ranks});
      }
      adapter_products::up(y, low, b, kept, 0.25);
      EXPECT_LT(relative_error(y, expected_y), 4e-3) << name << ", up";
      for (int u = 0; u < units; ++u) {  // one by one, since their strides differ
        const auto i = static_cast<std::size_t>(u);
        const std::vector<at::Tensor> own_kept = masked ? std::vector{kept[i]} : std::vector<at::Tensor>();
        adapter_products::outer(x, std::span(low).subspan(i, 1), own_kept, 2, std::span(into).subspan(i, 1),
                                1, into[i].ranks);
        const auto full = 1 + 2 * (x.to(at::kDouble) * masks[i]).t().matmul(low[i].rows.to(at::kDouble));
        EXPECT_LT(relative_error(gradients[i], full.narrow(1, 0, into[i].ranks)), 1e-5)
            << name << ", outer, unit " << u;
      }
      // All together, by ranks.
      std::vector<at::Tensor> by_rank;
      std::vector<UnitGradient> all;
      for (int u = 0; u < units; ++u) {
        by_rank.push_back(at::zeros({16, width}, y.options().dtype(at::kFloat)));
        all.push_back({by_rank.back().view({-1}), 16});
      }
      adapter_products::outer(x, low, kept, 1, all, width, 1);
      for (int u = 0; u < units; ++u) {
        const auto i = static_cast<std::size_t>(u);
        const auto full = low[i].rows.to(at::kDouble).t().matmul(x.to(at::kDouble) * masks[i]);
        EXPECT_LT(relative_error(by_rank[i], full), 1e-5) << name << ", outer of all, unit " << u;
      }
    }
  }
}

struct Shape {
  std::int64_t hidden, heads, kv_heads, intermediate, vocabulary;
  bool tied, biases;
  std::int64_t qwen3_head = 0;  // of Qwen3, whose heads may be wider than the residual stream
};

ModelConfig config_of(const Shape& shape) {
  auto config = tiny_config(shape.qwen3_head > 0 ? Family::qwen3
                            : shape.biases       ? Family::qwen2
                                                 : Family::llama);
  config.hidden = shape.hidden;
  config.heads = shape.heads;
  config.kv_heads = shape.kv_heads;
  config.head_size = shape.qwen3_head > 0 ? shape.qwen3_head : shape.hidden / shape.heads;
  config.intermediate = shape.intermediate;
  config.vocabulary = shape.vocabulary;
  config.tied_embeddings = shape.tied;
  config.layers = 3;
  return config;
}

const std::vector<Shape> kShapes = {{128, 2, 1, 192, 300, true, true},
                                    {64, 1, 1, 128, 257, false, false},
                                    {256, 4, 2, 640, 764, true, true},
                                    {128, 2, 1, 192, 300, true, false, 128},
                                    {192, 4, 2, 320, 420, false, false, 32}};

std::vector<Document> documents_of(const ModelConfig& config) {
  std::vector<Document> documents;
  for (const int length : {9, 96, 2, 40, 120, 1, 63}) {
    Document document;
    for (int t = 0; t < length; ++t)
      document.tokens.push_back(
          static_cast<Token>((documents.size() * 71 + static_cast<std::size_t>(t * t) * 13) %
                             static_cast<std::size_t>(config.vocabulary)));
    document.answer_begin = static_cast<std::size_t>(length / 3 + 1);
    document.weight = documents.size() % 3 == 1 ? -0.5F : 1.0F;
    documents.push_back(document);
  }
  return documents;
}

Weights weights_of(const ModelConfig& config) {
  auto weights = scattered_weights(config);
  for (auto& [name, tensor] : weights)
    tensor = (name.ends_with("proj.weight") ? tensor * 0.5 : tensor).to(at::kBFloat16).to(at::kFloat);
  return weights;
}

Weights moved(Weights weights, const c10::Device& device) {
  for (auto& [name, tensor] : weights) tensor = tensor.to(device, at::kBFloat16);
  return weights;
}

Lora lora_of(const ModelConfig& config, std::int64_t rank, double dropout, const nlohmann::json& targets,
             const nlohmann::json& patterns = nlohmann::json::array()) {
  const auto fresh = Lora::fresh(config,
                                 lora_settings({{"rank", rank},
                                                {"alpha", 2 * rank},
                                                {"dropout", dropout},
                                                {"targets", targets},
                                                {"patterns", patterns}},
                                               config.family),
                                 3);
  auto pairs = fresh.pairs();
  for (auto& [module, pair] : pairs)
    pair.b = at::sin(at::arange(pair.b.numel(), at::kFloat)).view_as(pair.b) * 0.02;
  return {fresh.settings(), pairs};
}

const std::vector<std::size_t> kChosen = {4, 0, 2, 5, 6, 1, 3};

std::vector<RandomKey> keys() {
  std::vector<RandomKey> result;
  for (std::size_t i = 0; i < kChosen.size(); ++i) result.push_back(random_key(fmt::format("key {}", i)));
  return result;
}

class KernelStepGpu : public GpuTest {
 protected:
  // The step as the CPU's loops compute it in f32, and as tensor operations do in bf16 on the GPU.
  struct Expected {
    StepGradients exact, tensors;
  };

  Expected expected(const ModelConfig& config, const Weights& weights, Lora lora,
                    const std::vector<Document>& documents) {
    const LanguageModel cpu(config, weights, at::kFloat, LanguageModel::Use::frozen_differentiable);
    const LanguageModel gpu(config, moved(weights, gpu_), at::kBFloat16, LanguageModel::Use::frozen);
    Lora there(lora.settings(), lora.pairs());
    there.prepare_training(gpu_);
    return {trainer_by_loops(cpu, lora.settings(), documents, 4)->step(lora, kChosen, keys()),
            trainer_by_tensors(gpu, documents)->step(there, kChosen, keys())};
  }
};

/// Ranks and alphas of modules: units of several numbers in one layer, and modules that aren't fused.
nlohmann::json patterns() {
  return {testing::modules("layers\\.1\\..*(gate|q)_proj", {{"rank", 80}, {"alpha", 100}}),
          testing::modules("up_proj|v_proj", {{"rank", 40}}),
          testing::modules("down_proj|o_proj", {{"rank", 3}, {"alpha", 12}}),
          testing::modules("layers\\.2\\..*", {{"rank", 17}, {"alpha", 8}})};
}

// Rounding to bf16 is allowed for by what it does to tensor operations.
TEST_F(KernelStepGpu, LossAndGradientsAreTheCpus) {
  for (const auto& shape : kShapes) {
    const auto config = config_of(shape);
    const auto weights = weights_of(config);
    const auto documents = documents_of(config);
    const LanguageModel gpu(config, moved(weights, gpu_), at::kBFloat16, LanguageModel::Use::frozen);
    ASSERT_EQ(KernelStep::reason_against(gpu), "");
    const nlohmann::json none = nlohmann::json::array(), all_linear = "all_linear";
    for (const auto& [rank, dropout, targets, by_pattern] :
         {std::tuple{16, 0.0, all_linear, none},
          {3, 0.1, all_linear, none},
          {24, 0.05, nlohmann::json::array({"q_proj", "v_proj", "up_proj"}), none},
          {72, 0.1, all_linear, none},
          {64, 0.0, all_linear, none},
          {16, 0.0, all_linear, patterns()},
          {16, 0.1, all_linear, patterns()},
          {5, 0.1, nlohmann::json::array({"q_proj", "v_proj", "up_proj", "down_proj"}), patterns()}}) {
      const auto name = fmt::format("hidden {}, rank {}, dropout {}, {} patterns", shape.hidden, rank,
                                    dropout, by_pattern.size());
      auto lora = lora_of(config, rank, dropout, targets, by_pattern);
      const auto wanted = expected(config, weights, lora, documents);
      lora.prepare_training(gpu_);
      const auto found = trainer_by_kernels(gpu, lora.settings(), documents)->step(lora, kChosen, keys());
      EXPECT_NEAR(found.loss.item<double>(), wanted.exact.loss.item<double>(),
                  0.01 * std::abs(wanted.exact.loss.item<double>()))
          << name;
      ASSERT_EQ(found.tensors.size(), wanted.exact.tensors.size());
      const auto all = [](const std::vector<at::Tensor>& tensors) {
        std::vector<at::Tensor> flat;
        for (const auto& tensor : tensors) flat.push_back(tensor.detach().cpu().view({-1}));
        return at::cat(flat);
      };
      const auto exact = all(wanted.exact.tensors);
      EXPECT_LT(relative_error(all(found.tensors), exact),
                1.2 * relative_error(all(wanted.tensors.tensors), exact))
          << name;
      for (std::size_t i = 0; i < found.tensors.size(); ++i) {
        const auto rounding = relative_error(wanted.tensors.tensors[i], wanted.exact.tensors[i]);
        EXPECT_LT(relative_error(found.tensors[i], wanted.exact.tensors[i]), std::max(0.03, 3 * rounding))
            << name << ", parameter " << i;
      }
    }
  }
}

// With the same log-probabilities of the old policy and of the reference for both. No ratio is at its bound,
// where rounding decides about a token's whole gradient.
TEST_F(KernelStepGpu, ObjectivesAreTheCpus) {
  const auto config = config_of(kShapes[2]);
  const auto weights = weights_of(config);
  auto documents = documents_of(config);
  const std::vector<std::size_t> chosen = {4, 0, 6, 1, 3, 2};
  std::vector<RandomKey> masks;
  for (const auto i : chosen) masks.push_back(random_key(fmt::format("{}", i)));
  std::vector<std::size_t> every(documents.size());
  for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
  contract::Objective group, whole, pairs;
  group.clip_low = group.clip_high = 0.9, group.kl = 0.1;
  auto planned = group;
  planned.plan_weight = 0.5;
  whole.ratio = contract::RatioOf::answer;
  pairs.loss = contract::LossKind::preference, pairs.beta = 0.2;
  const LanguageModel cpu(config, weights, at::kFloat, LanguageModel::Use::frozen_differentiable);
  const LanguageModel gpu(config, moved(weights, gpu_), at::kBFloat16, LanguageModel::Use::frozen);
  auto lora = lora_of(config, 16, 0.1, "all_linear"), there = lora_of(config, 16, 0.1, "all_linear");
  there.prepare_training(gpu_);
  for (const auto& settings : {group, whole, pairs, planned}) {
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      documents[chosen[i]].weight = i % 2 == 0 ? 1.0F : -1.0F;
      documents[chosen[i]].other = chosen[i ^ 1];
      documents[chosen[i]].plan = i % 3 == 0 ? -0.5F : 1.5F;
      documents[chosen[i]].code_begin = documents[chosen[i]].answer_begin + 2 * i;
    }
    const auto exact = trainer_by_loops(cpu, lora.settings(), documents, 4);
    const auto tensors = trainer_by_tensors(gpu, documents);
    const auto kernels = trainer_by_kernels(gpu, lora.settings(), documents);
    const Learning learning{Objective(settings), exact->log_probabilities(&lora, every, {}),
                            exact->log_probabilities(nullptr, every, {})};
    for (auto* trainer : {exact.get(), tensors.get(), kernels.get()}) trainer->learn_by(learning);
    const auto wanted = exact->step(lora, chosen, masks);
    const auto rounded = tensors->step(there, chosen, masks), found = kernels->step(there, chosen, masks);
    const auto all = [](const std::vector<at::Tensor>& parts) {
      std::vector<at::Tensor> flat;
      for (const auto& tensor : parts) flat.push_back(tensor.detach().cpu().view({-1}));
      return at::cat(flat);
    };
    const auto name = contract::Objective(settings).write().dump();
    // A whole answer's ratio is the exponential of a sum over up to 80 tokens, in which their roundings add.
    const auto tolerance = settings.ratio == contract::RatioOf::answer ? 0.15 : 0.02;
    EXPECT_NEAR(found.loss.item<double>(), wanted.loss.item<double>(),
                tolerance * std::abs(wanted.loss.item<double>()) + 0.02)
        << name;
    EXPECT_LT(relative_error(all(found.tensors), all(wanted.tensors)),
              1.2 * relative_error(all(rounded.tensors), all(wanted.tensors)) + 0.005)
        << name;
    ASSERT_TRUE(found.measures && wanted.measures);
    EXPECT_EQ(found.measures->tokens, wanted.measures->tokens);
    EXPECT_NEAR(found.measures->entropy, wanted.measures->entropy, 0.02 * wanted.measures->entropy) << name;
  }
}

// Of some thousand rows, which are computed in several leaves.
TEST_F(KernelStepGpu, ALargeStepIsTheCpusAndRepeatsItself) {
  const auto config = config_of(kShapes[2]);
  const auto weights = weights_of(config);
  const LanguageModel cpu(config, weights, at::kFloat, LanguageModel::Use::frozen_differentiable);
  const LanguageModel gpu(config, moved(weights, gpu_), at::kBFloat16, LanguageModel::Use::frozen);
  std::vector<Document> documents;
  for (int i = 0; i < 25; ++i)
    for (const auto& document : documents_of(config)) documents.push_back(document);
  std::vector<std::size_t> chosen;
  std::vector<RandomKey> masks;
  for (std::size_t i = 0; i < documents.size(); ++i)
    chosen.push_back(i), masks.push_back(random_key(fmt::format("{}", i)));
  auto lora = lora_of(config, 16, 0.1, "all_linear");
  const auto exact = trainer_by_loops(cpu, lora.settings(), documents, 4)->step(lora, chosen, masks);
  lora.prepare_training(gpu_);
  const auto rounded = trainer_by_tensors(gpu, documents)->step(lora, chosen, masks);
  const auto trainer = trainer_by_kernels(gpu, lora.settings(), documents);
  const auto found = trainer->step(lora, chosen, masks), again = trainer->step(lora, chosen, masks);
  EXPECT_TRUE(found.loss.equal(again.loss));
  EXPECT_NEAR(found.loss.item<double>(), exact.loss.item<double>(),
              0.01 * std::abs(exact.loss.item<double>()));
  for (std::size_t i = 0; i < found.tensors.size(); ++i) {
    EXPECT_TRUE(found.tensors[i].equal(again.tensors[i])) << i;
    EXPECT_LT(relative_error(found.tensors[i], exact.tensors[i]),
              std::max(0.03, 3 * relative_error(rounded.tensors[i], exact.tensors[i])))
        << i;
  }
}

TEST_F(KernelStepGpu, RepeatsItselfAndComputingLayersAgainChangesLittle) {
  const auto config = config_of(kShapes[2]);
  const LanguageModel gpu(config, moved(weights_of(config), gpu_), at::kBFloat16, LanguageModel::Use::frozen);
  const auto documents = documents_of(config);
  auto lora = lora_of(config, 16, 0.1, "all_linear");
  lora.prepare_training(gpu_);
  KernelStep step(gpu, lora.settings());
  const auto packed = pack_documents(documents, kChosen, keys(), config.context, kRowMultiple);
  const auto coefficients =
      at::full({static_cast<std::int64_t>(packed.answers.size())}, -0.01, at::TensorOptions().device(gpu_));
  const auto run = [&](const auto& losses, std::int64_t recomputed) {
    step.load(lora);
    const auto scores = step.run(packed, losses, recomputed);
    std::vector<at::Tensor> result = {scores.log_probabilities.clone()};
    for (const auto& gradient : step.gradients()) result.push_back(gradient.clone());
    return result;
  };
  const auto one = run(coefficients, 0), two = run(coefficients, 0), layers = run(coefficients, 2);
  const auto objective = run(KernelStep::Objective([&](const KernelStep::Scores& scores) {
                               EXPECT_TRUE(at::equal(scores.log_probabilities, one[0]));
                               return coefficients;
                             }),
                             0);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_TRUE(at::equal(one[i], two[i])) << i;
    EXPECT_TRUE(at::equal(one[i], objective[i])) << i;
    EXPECT_LT(relative_error(layers[i], one[i]), 0.01) << i;
  }
}

TEST_F(KernelStepGpu, ScoresAreTheModelsWithAndWithoutTheAdapter) {
  const auto config = config_of(kShapes[0]);
  const auto weights = weights_of(config);
  const LanguageModel cpu(config, weights, at::kFloat, LanguageModel::Use::frozen_differentiable);
  const LanguageModel gpu(config, moved(weights, gpu_), at::kBFloat16, LanguageModel::Use::frozen);
  const auto documents = documents_of(config);
  auto lora = lora_of(config, 16, 0.3, "all_linear", patterns());  // its dropout doesn't take part
  Lora on_cpu(lora.settings(), lora.pairs());
  lora.prepare_training(gpu_);
  KernelStep step(gpu, lora.settings());
  step.load(lora);
  for (const bool adapter : {true, false}) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const auto packed = pack_documents(documents, {i}, {RandomKey{0}}, config.context, kRowMultiple);
      const auto scores = step.scores(packed, adapter);
      ASSERT_EQ(scores.log_probabilities.size(0), static_cast<std::int64_t>(packed.answers.size()));
      if (packed.answers.empty()) continue;
      const at::NoGradGuard no_grad;
      const auto rows = packed.begins[1];
      const auto tokens =
          at::tensor(std::vector<std::int64_t>(packed.tokens.begin(), packed.tokens.begin() + rows),
                     at::kLong)
              .unsqueeze(0);
      const auto logits = cpu.logits(cpu.hidden(tokens, adapter ? &on_cpu : nullptr))[0].index_select(
          0, at::tensor(packed.answers, at::kLong));
      const auto log = at::log_softmax(logits, 1);
      const auto wanted = log.gather(1, at::tensor(packed.targets, at::kLong).unsqueeze(1)).squeeze(1);
      EXPECT_LT((scores.log_probabilities.cpu() - wanted).abs().mean().item<double>(), 0.05) << i << adapter;
      EXPECT_LT((scores.entropy.cpu() + (log * log.exp()).sum(1)).abs().mean().item<double>(), 0.05)
          << i << adapter;
    }
  }
}

TEST_F(KernelStepGpu, MatricesOfFewBitsGiveWhatTheirNumbersGive) {
  const auto config = config_of(kShapes[2]);
  const auto documents = documents_of(config);
  for (const auto storage : {MatrixStorage::Id::int8, MatrixStorage::Id::nf4}) {
    auto weights = moved(weights_of(config), gpu_), numbers = weights;
    QuantisedWeights few;
    for (const auto& name : quantised_names(config)) {
      few.emplace(name, quantise(weights.at(name), storage));
      numbers.at(name) = dequantise(few.at(name), at::kBFloat16);
      weights.erase(name);
    }
    const LanguageModel gpu(config, weights, few, at::kBFloat16),
        same(config, numbers, at::kBFloat16, LanguageModel::Use::frozen);
    ASSERT_EQ(KernelStep::reason_against(gpu), "");
    auto lora = lora_of(config, 16, 0.1, "all_linear");
    lora.prepare_training(gpu_);
    const auto found = trainer_by_kernels(gpu, lora.settings(), documents)->step(lora, kChosen, keys());
    const auto wanted = trainer_by_kernels(same, lora.settings(), documents)->step(lora, kChosen, keys());
    EXPECT_EQ(found.loss.item<double>(), wanted.loss.item<double>());
    for (std::size_t i = 0; i < found.tensors.size(); ++i)
      EXPECT_TRUE(at::equal(found.tensors[i], wanted.tensors[i])) << name_of(storage) << ", parameter " << i;
  }
}

}  // namespace
}  // namespace trl::runtime::testing
