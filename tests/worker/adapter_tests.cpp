#include <gtest/gtest.h>

#include "runtime/adapter/dropout.hpp"
#include "runtime/adapter/lora.hpp"
#include "runtime/adapter/peft.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::lively_weights;
using testing::stage_error;
using testing::tiny_config;

Lora lively_adapter(const ModelConfig& config) {
  auto lora = Lora::fresh(
      config, lora_settings({{"rank", 4}, {"alpha", 8}, {"targets", {"all_linear"}}}, config.family), 3);
  auto pairs = lora.pairs();
  for (auto& [module, pair] : pairs) pair.b = at::ones_like(pair.b) * 0.1;
  return {lora.settings(), pairs};
}

TEST(LoraTest, AnUnknownTargetIsAnErrorThatNamesIt) {
  EXPECT_EQ(stage_error([] {
              lora_settings({{"rank", 4}, {"alpha", 8}, {"targets", {"q_prj"}}}, Family::qwen2);
            }),
            "the adapter's target `q_prj` is no module of the model");
}

TEST(LoraTest, TargetsAreModulesOrAllOfThem) {
  EXPECT_EQ(lora_settings({{"rank", 4}, {"alpha", 8}, {"targets", {"q_proj", "v_proj"}}}, Family::qwen2)
                .targets.size(),
            2U);
  EXPECT_EQ(
      lora_settings({{"rank", 4}, {"alpha", 8}, {"targets", "all_linear"}}, Family::qwen2).targets.size(),
      7U);
}

TEST(LoraTest, ModulesHaveTheNamesOfTheirFamily) {
  EXPECT_EQ(lora_settings({{"rank", 4}, {"alpha", 8}}, Family::starcoder2).targets,
            (std::set{Projection::q, Projection::k, Projection::v, Projection::o, Projection::up,
                      Projection::down}));
  EXPECT_EQ(lora_settings({{"rank", 4}, {"alpha", 8}, {"targets", {"c_fc"}}}, Family::starcoder2).targets,
            std::set{Projection::up});
  EXPECT_EQ(module_path(Family::starcoder2, 3, Projection::down), "model.layers.3.mlp.c_proj");
  EXPECT_EQ(stage_error([] {
              lora_settings({{"rank", 4}, {"alpha", 8}, {"targets", {"gate_proj"}}}, Family::starcoder2);
            }),
            "the adapter's target `gate_proj` is no module of the model");
}

TEST(LoraTest, AFreshAdapterChangesNothing) {
  const auto config = tiny_config();
  const LanguageModel model(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  const auto lora = Lora::fresh(config, lora_settings({{"rank", 4}, {"alpha", 8}}, Family::qwen2), 3);
  const auto tokens = at::arange(12).view({2, 6});
  EXPECT_TRUE(at::equal(model.hidden(tokens), model.hidden(tokens, &lora)));
}

TEST(LoraTest, MergedWeightsGiveTheSameLogits) {
  for (const auto family : {Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2}) {
    const auto config = tiny_config(family);
    const auto weights = lively_weights(config);
    const auto lora = lively_adapter(config);
    const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
    const LanguageModel merged(config, lora.merged(weights), at::kFloat, LanguageModel::Use::frozen);
    const auto tokens = at::arange(12).view({2, 6});
    const auto expected = model.logits(model.hidden(tokens, &lora));
    EXPECT_FALSE(at::allclose(expected, model.logits(model.hidden(tokens))));
    EXPECT_TRUE(at::allclose(expected, merged.logits(merged.hidden(tokens)), 1e-4, 1e-4));
  }
}

TEST(LoraTest, ABaseInHuggingFacesCacheHasItsName) {
  EXPECT_EQ(base_name("/data/hub/models--Qwen--Qwen2.5-Coder-7B/snapshots/0123abcd"),
            "Qwen/Qwen2.5-Coder-7B");
  EXPECT_EQ(base_name("/data/hub/models--gpt2/snapshots/0123abcd"), "gpt2");
  EXPECT_EQ(base_name("/data/windtunnel"), "windtunnel");
}

TEST(LoraTest, FilesComeBack) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  const auto lora = lively_adapter(config);
  write_adapter(folder.folder("a"), lora, "base");
  const auto read = read_adapter(folder / "a", config);
  EXPECT_EQ(read.settings(), lora.settings());
  for (const auto& [module, pair] : lora.pairs()) {
    EXPECT_TRUE(at::equal(read.pairs().at(module).a, pair.a));
    EXPECT_TRUE(at::equal(read.pairs().at(module).b, pair.b));
  }
  auto other = config;
  other.intermediate = 48;
  EXPECT_NE(stage_error([&] { read_adapter(folder / "a", other); }).find("has the wrong shape"),
            std::string::npos);
}

TEST(DropoutTest, MasksDependOnKeyAndPositionAlone) {
  const auto together = dropout_mask({{1}, {2}}, 6, 16, 0.25, at::kCPU);
  const auto alone = dropout_mask({{2}}, 9, 16, 0.25, at::kCPU);
  EXPECT_TRUE(at::equal(together[1], alone[0].narrow(0, 0, 6)));
}

TEST(DropoutTest, TheTensorFormGivesTheSameMask) {
  const std::vector<RandomKey> keys = {random_key("a"), random_key("b")};
  EXPECT_TRUE(at::equal(dropout_mask(keys, 40, 24, 0.05, at::kCPU),
                        dropout_mask_by_tensors(keys, 40, 24, 0.05, at::kCPU)));
}

TEST(DropoutTest, TheRateIsKept) {
  const auto mask = dropout_mask({random_key("rate")}, 400, 256, 0.05, at::kCPU);
  EXPECT_NEAR((mask == 0).to(at::kFloat).mean().item<double>(), 0.05, 0.003);
  EXPECT_NEAR(mask.max().item<double>(), 1 / 0.95, 1e-6);
}

}  // namespace
}  // namespace trl::runtime
