// The hand-written training step compared with tensor operations and autograd.
#include <gtest/gtest.h>

#include "runtime/adapter/dropout.hpp"
#include "runtime/train/lora_step.hpp"
#include "runtime/train/loss.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::scattered_weights;
using testing::tiny_config;

struct Case {
  std::string name;
  ModelConfig config;
  nlohmann::json adapter;
};

Case make_case(const std::string& name, std::int64_t hidden, std::int64_t heads, std::int64_t kv_heads,
               std::int64_t intermediate, std::int64_t vocabulary, nlohmann::json adapter) {
  auto config = tiny_config();
  config.hidden = hidden;
  config.heads = heads;
  config.kv_heads = kv_heads;
  config.head_size = hidden / heads;
  config.intermediate = intermediate;
  config.vocabulary = vocabulary;
  return {name, config, std::move(adapter)};
}

std::vector<Case> cases() {
  std::vector<Case> all = {
      make_case("as small as the tests' model", 32, 4, 2, 40, 300,
                {{"rank", 4}, {"alpha", 8}, {"dropout", 0.1}}),
      make_case("the wind tunnel's widths", 256, 4, 2, 640, 720,
                {{"rank", 16}, {"alpha", 32}, {"dropout", 0.05}}),
      make_case("widths that no vector divides", 36, 6, 2, 41, 301, {{"rank", 3}, {"alpha", 5}}),
      make_case("one head of keys, wide heads", 168, 3, 1, 72, 257,
                {{"rank", 17}, {"alpha", 16}, {"dropout", 0.2}}),
      make_case("a head of keys for each query", 64, 2, 2, 24, 77, {{"rank", 48}, {"alpha", 48}}),
      make_case(
          "some projections alone", 64, 4, 2, 48, 130,
          {{"rank", 8}, {"alpha", 16}, {"dropout", 0.1}, {"targets", {"v_proj", "o_proj", "up_proj"}}})};
  all[4].config.tied_embeddings = false;
  all[5].config.layers = 1;
  auto llama =
      make_case("Llama with biases and scaled positions", 36, 6, 3, 41, 301, {{"rank", 3}, {"alpha", 5}});
  llama.config.family = Family::llama;
  llama.config.qkv_bias = llama.config.output_bias = llama.config.mlp_bias = true;
  llama.config.rope_scaling = {RopeScaling::Kind::llama3, 8, 1, 4, 20};
  all.push_back(llama);
  // Heads that are together wider than the residual stream, and narrower.
  auto qwen3 = make_case("Qwen3, whose queries and keys are normalised", 60, 4, 2, 41, 301,
                         {{"rank", 5}, {"alpha", 9}});
  auto narrow = make_case("Qwen3 with biases and dropout", 64, 4, 2, 48, 301,
                          {{"rank", 5}, {"alpha", 9}, {"dropout", 0.1}});
  narrow.config.qkv_bias = narrow.config.output_bias = true;
  qwen3.config.head_size = 24, narrow.config.head_size = 10;
  for (auto* one : {&qwen3, &narrow}) {
    one->config.family = Family::qwen3;
    one->config.qk_norm = true;
    all.push_back(*one);
  }
  auto wide = make_case("heads that are wider than the residual stream", 36, 6, 3, 41, 301,
                        {{"rank", 3}, {"alpha", 5}});
  wide.config.head_size = 18;
  all.push_back(wide);
  const nlohmann::json patterns = {testing::modules("layers\\.1\\..*_proj", {{"rank", 21}, {"alpha", 7}}),
                                   testing::modules("v_proj|o_proj|up_proj", {{"rank", 1}}),
                                   testing::modules("q_proj|down_proj", {{"rank", 33}, {"alpha", 3.5}})};
  for (const bool rslora : {false, true})
    all.push_back(make_case("ranks and alphas by pattern", 64, 4, 2, 48, 130,
                            {{"rank", 8},
                             {"alpha", 16},
                             {"dropout", rslora ? 0.1 : 0.0},
                             {"use_rslora", rslora},
                             {"patterns", patterns}}));
  return all;
}

// Lengths near the sizes of tiles and blocks; the last document exceeds the context of 96.
std::vector<Document> documents(std::int64_t vocabulary) {
  std::vector<Document> result;
  for (const int length : {2, 9, 16, 17, 33, 64, 66, 95, 97, 130}) {
    Document document;
    for (int t = 0; t < length; ++t)
      document.tokens.push_back(static_cast<Token>((length * 71 + t * t * 13) % vocabulary));
    document.answer_begin = static_cast<std::size_t>(length) / 3;
    result.push_back(document);
  }
  return result;
}

Lora lively_adapter(const Case& of) {
  auto lora = Lora::fresh(of.config, lora_settings(of.adapter, of.config.family), 3);
  auto pairs = lora.pairs();
  int number = 0;
  for (auto& [module, pair] : pairs)
    pair.b = at::sin(at::arange(pair.b.numel(), at::kFloat) + ++number).view_as(pair.b) * 0.05;
  Lora lively(lora.settings(), pairs);
  lively.prepare_training(at::kCPU);
  return lively;
}

double size(const at::Tensor& tensor) { return tensor.detach().to(at::kDouble).norm().item<double>(); }

TEST(LoraStepTest, LossAndGradientsAreThoseOfTensorOperations) {
  for (const auto& of : cases()) {
    const auto weights = scattered_weights(of.config);
    const LanguageModel model(of.config, weights, at::kFloat, LanguageModel::Use::trained);
    const auto lora = lively_adapter(of);
    LoraStep step(of.config, weights, lora.settings());
    step.load(lora);
    LoraStep::Room room;
    const auto all = documents(of.config.vocabulary);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto key = random_key(fmt::format("{}", i));
      auto own = lora.copy_for_thread();
      if (lora.settings().dropout > 0) own.set_dropout({key});
      const auto batch = make_batch(all, {i}, of.config.context, at::kCPU);
      const auto expected = answer_loss(model, batch, &own);
      (expected * 0.25).backward();

      ASSERT_EQ(step.answer_tokens(all[i]), batch.targets.size(0));
      const auto part = step.run(all[i], key, 0.25F, room);
      const auto where = fmt::format("{}, {} tokens", of.name, all[i].tokens.size());
      EXPECT_NEAR(part.loss, expected.item<double>(), 1e-4 * expected.item<double>()) << where;
      const auto found = step.tensors(part.gradient);
      const auto parameters = own.parameters();
      ASSERT_EQ(found.size(), parameters.size());
      double largest = 0;
      for (const auto& parameter : parameters) largest = std::max(largest, size(parameter.grad()));
      for (std::size_t p = 0; p < found.size(); ++p) {
        ASSERT_EQ(found[p].sizes(), parameters[p].sizes()) << where << ", parameter " << p;
        // A single position attends only to itself, so the gradients of its queries and keys consist of
        // rounding errors.
        EXPECT_LT(size(found[p] - parameters[p].grad()), 1e-3 * size(parameters[p].grad()) + 1e-5 * largest)
            << where << ", parameter " << p;
      }
    }
  }
}

TEST(LoraStepTest, ADocumentsShareDependsNeitherOnTheRoomNorOnWhatWasInIt) {
  const auto of = cases()[1];
  const auto lora = lively_adapter(of);
  LoraStep step(of.config, scattered_weights(of.config), lora.settings());
  step.load(lora);
  const auto all = documents(of.config.vocabulary);
  LoraStep::Room shared;
  for (const std::size_t i : {8, 3, 8, 0, 5}) {
    LoraStep::Room fresh;
    const auto one = step.run(all[i], {i}, 1.0F, shared), two = step.run(all[i], {i}, 1.0F, fresh);
    EXPECT_EQ(one.loss, two.loss);
    EXPECT_EQ(step.tensors(one.gradient)[0].equal(step.tensors(two.gradient)[0]), true) << i;
  }
}

TEST(LoraStepTest, ADocumentWithoutAnAnswerHasNoGradient) {
  const auto of = cases()[0];
  const auto lora = lively_adapter(of);
  LoraStep step(of.config, scattered_weights(of.config), lora.settings());
  step.load(lora);
  Document document{{1, 2, 3, 4}, 4};
  LoraStep::Room room;
  const auto part = step.run(document, {1}, 1.0F, room);
  EXPECT_EQ(part.loss, 0);
  for (const auto& gradient : step.tensors(part.gradient)) EXPECT_EQ(gradient.abs().max().item<float>(), 0);
}

TEST(LoraStepTest, DropoutMasksAreThoseOfTheAdapter) {
  const auto key = random_key("mask");
  const auto mask = dropout_mask({key}, 37, 24, 0.05, at::kCPU);
  std::vector<std::uint8_t> kept(37 * 24 + 64);
  training_kernels().dropout(key, 37 * 24, dropout_limit(0.05), kept.data());
  for (std::int64_t i = 0; i < mask.numel(); ++i)
    ASSERT_EQ(kept[static_cast<std::size_t>(i)], mask.const_data_ptr<float>()[i] > 0) << i;
}

}  // namespace
}  // namespace trl::runtime
