#include <gtest/gtest.h>

#include <functional>

#include "base/tensors/safetensors.hpp"
#include "runtime/adapter/dropout.hpp"
#include "runtime/adapter/lora.hpp"
#include "runtime/adapter/peft.hpp"
#include "runtime/adapter/peft_config.hpp"
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

TEST(LoraTest, AFileThatDoesntFitSaysHowToSaveOneThatDoes) {
  const auto config = tiny_config();
  const auto remedy = [&](const std::function<std::string(std::string)>& renamed,
                          const std::string& besides) {
    const testing::TemporaryFolder folder;
    write_adapter(folder.folder("a"), lively_adapter(config), "base");
    const auto file = folder / "a" / "adapter_model.safetensors";
    auto content = read_safetensors(file);
    Safetensors changed;
    for (const auto& [name, tensor] : content.tensors) changed.tensors[renamed(name)] = tensor.clone();
    if (!besides.empty()) changed.tensors[besides] = at::ones({2, 2});
    write_safetensors(file, changed);
    try {
      read_adapter(folder / "a", config);
    } catch (const UserError& error) {
      return error.help;
    }
    return std::string("it was read");
  };
  const auto with = [](std::string from, std::string to) {
    return [=](std::string name) { return name.replace(name.find(from), from.size(), to); };
  };
  const auto same = [](std::string name) { return name; };
  EXPECT_EQ(remedy(same, ""), "it was read");
  EXPECT_NE(remedy(with("base_model.model.", "base_model.model._orig_mod."), "").find("while compiled"),
            std::string::npos);
  EXPECT_NE(remedy(with(".weight", ".default.weight"), "").find("save_pretrained"), std::string::npos);
  for (const char* besides :
       {"base_model.model.model.embed_tokens.weight", "base_model.model.lm_head.weight"})
    EXPECT_NE(remedy(same, besides).find("merge_and_unload"), std::string::npos) << besides;
  EXPECT_NE(remedy(same, "base_model.model.model.layers.9.mlp.up_proj.lora_A.weight").find("another model"),
            std::string::npos);
}

/// What PEFT 0.21 writes of an adapter, with some fields changed.
nlohmann::json peft_config(const nlohmann::json& changes) {
  nlohmann::json config = nlohmann::json::parse(R"({
    "alora_invocation_tokens": null, "alpha_pattern": {}, "arrow_config": null, "auto_mapping": null,
    "base_model_name_or_path": "base", "bias": "none", "corda_config": null, "ensure_weight_tying": false,
    "eva_config": null, "exclude_modules": null, "fan_in_fan_out": false, "inference_mode": true,
    "init_lora_weights": true, "kasa_config": null, "layer_replication": null, "layers_pattern": null,
    "layers_to_transform": null, "loftq_config": {}, "lora_alpha": 8, "lora_bias": false, "lora_dropout": 0.0,
    "lora_ga_config": null, "megatron_config": null, "megatron_core": "megatron.core", "modules_to_save": null,
    "monteclora_config": null, "peft_type": "LORA", "peft_version": "0.21.2", "qalora_group_size": 16, "r": 4,
    "rank_pattern": {}, "revision": null, "target_modules": ["q_proj", "v_proj"], "target_parameters": null,
    "task_type": "CAUSAL_LM", "trainable_token_indices": null, "use_bdlora": null, "use_dora": false,
    "use_qalora": false, "use_rslora": false, "velora_config": null})");
  config.update(changes);
  return config;
}

class PeftConfigTest : public ::testing::Test {
 protected:
  PeftConfig read(const nlohmann::json& changes) {
    write_text(folder_ / "adapter_config.json", peft_config(changes).dump());
    return PeftConfig::read(folder_ / "adapter_config.json");
  }
  /// The modules of two layers of Qwen2 that are adapted: "0.q 0.v 1.q 1.v".
  std::string adapted(const nlohmann::json& changes) {
    const auto config = read(changes);
    std::string text;
    for (std::int64_t layer = 0; layer < 2; ++layer)
      for (const auto projection : projections(Family::qwen2))
        if (config.of(module_path(Family::qwen2, layer, projection))) {
          const auto name = projection_name(Family::qwen2, projection);
          text += fmt::format("{}{}.{}", text.empty() ? "" : " ", layer, name.substr(0, name.find('_')));
        }
    return text;
  }
  testing::TemporaryFolder folder_;
};

TEST_F(PeftConfigTest, TargetsAreThoseOfPeft) {
  const auto changes = [](const char* text) { return nlohmann::json::parse(text); };
  EXPECT_EQ(adapted(nlohmann::json::object()), "0.q 0.v 1.q 1.v");
  EXPECT_EQ(adapted({{"target_modules", "all-linear"}}),
            "0.q 0.k 0.v 0.o 0.gate 0.up 0.down 1.q 1.k 1.v 1.o 1.gate 1.up 1.down");
  EXPECT_EQ(adapted({{"target_modules", "All-Linear"}, {"exclude_modules", R"(.*\.mlp\..*|.*layers\.0.*)"}}),
            "1.q 1.k 1.v 1.o");
  EXPECT_EQ(adapted({{"target_modules", R"(model\.layers\.1\.(self_attn\.[qk]|mlp\.up)_proj)"}}),
            "1.q 1.k 1.up");
  EXPECT_EQ(adapted({{"target_modules", "q_proj"}}), "") << "a regular expression is for the whole path";
  EXPECT_EQ(adapted(changes(R"({"target_modules": ["model.layers.1.mlp.down_proj", "self_attn.k_proj"]})")),
            "0.k 1.k 1.down");
  EXPECT_EQ(adapted(changes(R"({"exclude_modules": ["layers.0.self_attn.q_proj", "v_proj"]})")), "1.q");
  EXPECT_EQ(adapted({{"layers_to_transform", 1}}), "1.q 1.v");
  EXPECT_EQ(adapted(changes(R"({"layers_to_transform": [0, 7], "layers_pattern": ["h", "layers"]})")),
            "0.q 0.v");
  EXPECT_EQ(adapted(changes(R"({"layers_to_transform": [0], "layers_pattern": "blocks"})")), "");
}

TEST_F(PeftConfigTest, TheFirstPatternThatFitsSaysRankAndAlpha) {
  const std::string text = peft_config({{"target_modules", "all-linear"}, {"use_rslora", true}}).dump();
  // A pattern's place in the file counts, which nlohmann::json would sort.
  const auto with = text.substr(0, text.find("\"rank_pattern\":{}")) +
                    R"("rank_pattern":{"q_proj":2,"layers\\.1\\.self_attn\\..*":6,"^model.*up_proj":1})" +
                    text.substr(text.find("\"rank_pattern\":{}") + 17);
  write_text(folder_ / "c.json", with);
  const auto config = PeftConfig::read(folder_ / "c.json");
  const auto rank = [&](const char* path) { return config.of(path)->rank; };
  EXPECT_EQ(rank("model.layers.1.self_attn.q_proj"), 2);
  EXPECT_EQ(rank("model.layers.1.self_attn.k_proj"), 6);
  EXPECT_EQ(rank("model.layers.11.self_attn.k_proj"), 4);
  EXPECT_EQ(rank("model.layers.0.mlp.up_proj"), 1);
  EXPECT_TRUE(config.rslora());
  EXPECT_EQ(read({{"alpha_pattern", {{"v_proj", 2.5}}}}).of("model.layers.0.self_attn.v_proj")->alpha, 2.5);
}

TEST_F(PeftConfigTest, WhatPeftSetsBackForLinearLayersSaysNothing) {
  EXPECT_EQ(adapted({{"fan_in_fan_out", true}}), "0.q 0.v 1.q 1.v");
}

TEST_F(PeftConfigTest, WhatIsNotSupportedIsRefusedByName) {
  const auto error = [&](const nlohmann::json& changes) { return stage_error([&] { read(changes); }); };
  for (const char* text : {R"({"peft_type": "ADALORA"})",
                           R"({"task_type": "SEQ_CLS"})",
                           R"({"bias": "all"})",
                           R"({"use_dora": "yes"})",
                           R"({"modules_to_save": ["lm_head"]})",
                           R"({"init_lora_weights": "pissa"})",
                           R"({"trainable_token_indices": [1]})",
                           R"({"lora_bias": true})",
                           R"({"layer_replication": [[0, 1]]})",
                           R"({"target_parameters": ["x"]})",
                           R"({"loftq_config": {"bits": 4}})",
                           R"({"alora_invocation_tokens": [1]})",
                           R"({"use_qalora": true})",
                           R"({"a_field_of_tomorrow": "on"})",
                           R"({"a_number_of_tomorrow": 0})",
                           R"({"target_modules": null})",
                           R"({"target_modules": 3})",
                           R"({"target_modules": "(?i)Q_PROJ"})",
                           R"({"target_modules": "q_proj\\Z"})",
                           R"({"target_modules": "("})",
                           R"({"rank_pattern": {"q_proj": 0}})",
                           R"({"rank_pattern": {"q_proj": "2"}})",
                           R"({"r": "many"})",
                           R"({"layers_to_transform": 1, "target_modules": "all-linear"})",
                           R"({"layers_pattern": "h"})"}) {
    const auto changes = nlohmann::json::parse(text);
    const auto message = error(changes);
    EXPECT_NE(message.find(changes.begin().key()), std::string::npos) << text << ": " << message;
    EXPECT_NE(message.find("adapter_config.json"), std::string::npos) << message;
  }
  EXPECT_EQ(error({{"a_field_of_tomorrow", nullptr}, {"another", nlohmann::json::array()}, {"third", false}}),
            "");
}

TEST(LoraTest, RanksAndAlphasOfModulesComeBackWithTheirScales) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  const auto regular = lively_adapter(config);
  auto settings = regular.settings();
  settings.rslora = true;
  auto pairs = regular.pairs();
  std::int64_t number = 0;
  for (auto& [module, pair] : pairs) {
    const auto rank = 1 + number % 5;
    pair = {at::rand({rank, pair.a.size(1)}), at::rand({pair.b.size(0), rank})};
    ++number;
  }
  pairs.erase({1, Projection::k});
  const Lora irregular(settings, pairs);
  EXPECT_TRUE(regular.regular(config.layers));
  EXPECT_FALSE(irregular.regular(config.layers));
  EXPECT_EQ(irregular.largest_rank(), 5);
  write_adapter(folder.folder("a"), irregular, "base");
  const auto read = read_adapter(folder / "a", config);
  EXPECT_EQ(read.settings().targets, settings.targets);
  ASSERT_EQ(read.pairs().size(), pairs.size());
  for (const auto& [module, pair] : pairs) {
    EXPECT_TRUE(at::equal(read.pairs().at(module).a, pair.a));
    EXPECT_TRUE(at::equal(read.pairs().at(module).b, pair.b));
    EXPECT_NEAR(read.scale(module), irregular.scale(module), 1e-12 * irregular.scale(module));
  }
}

/// An adapter whose modules have ranks and alphas by pattern.
Lora patterned_adapter(const ModelConfig& config, bool dora = false) {
  const auto fresh = Lora::fresh(
      config,
      lora_settings(
          {{"rank", 4},
           {"alpha", 8},
           {"use_dora", dora},
           {"patterns",
            {testing::modules("layers\\.1\\..*", {{"rank", 6}, {"alpha", 3}}),
             testing::modules("q_proj", {{"rank", 17}}), testing::modules(".*o_proj", {{"alpha", 20}})}}},
          config.family),
      3);
  auto pairs = fresh.pairs();
  for (auto& [module, pair] : pairs)
    pair.b = at::sin(at::arange(pair.b.numel(), at::kFloat)).view_as(pair.b) * 0.1;
  return {fresh.settings(), pairs};
}

TEST(LoraTest, PatternsAreReadAndWrittenAsPeftHasThem) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  const auto lora = patterned_adapter(config);
  EXPECT_EQ(lora.pairs().at({0, Projection::q}).a.size(0), 17);
  EXPECT_EQ(lora.pairs().at({1, Projection::q}).b.size(1), 6);
  EXPECT_EQ(lora.scale({0, Projection::q}), 8.0 / 17);
  EXPECT_EQ(lora.scale({0, Projection::o}), 20.0 / 4);
  EXPECT_EQ(lora.scale({1, Projection::o}), 3.0 / 6);
  EXPECT_TRUE(lora.regular(config.layers));
  write_adapter(folder.folder("a"), lora, "base");
  const auto written = read_json(folder / "a/adapter_config.json");
  EXPECT_EQ(written["rank_pattern"], (nlohmann::json{{"layers\\.1\\..*", 6}, {"q_proj", 17}}));
  EXPECT_EQ(written["alpha_pattern"], (nlohmann::json{{"layers\\.1\\..*", 3}, {".*o_proj", 20}}));
  EXPECT_EQ(written["target_modules"].size(), 7u);
  const auto read = read_adapter(folder / "a", config);
  EXPECT_TRUE(read.fits(lora.settings(), config.layers));
  for (const auto& [module, pair] : lora.pairs()) {
    EXPECT_EQ(read.scale(module), lora.scale(module));
    EXPECT_TRUE(at::equal(read.pairs().at(module).b, pair.b));
  }
}

TEST(LoraTest, EveryUseOfAnAdapterHasTheScalesOfItsModules) {
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
  for (const bool dora : {false, true}) {
    auto lora = patterned_adapter(config, dora);
    lora.use_on(model);
    const auto tokens = at::arange(12).view({2, 6});
    const auto expected = model.logits(model.hidden(tokens, &lora));
    EXPECT_FALSE(at::allclose(expected, model.logits(model.hidden(tokens))));
    const LanguageModel merged(config, lora.merged(weights), at::kFloat, LanguageModel::Use::frozen);
    EXPECT_TRUE(at::allclose(expected, merged.logits(merged.hidden(tokens)), 1e-4, 1e-4));
    const auto leaves = lora.leaves(at::kFloat);
    EXPECT_TRUE(at::allclose(expected, model.logits(model.hidden(tokens, &leaves)), 1e-5, 1e-5));
    // Gradients of the copy are those of the adapter itself.
    lora.prepare_training(at::kCPU);
    const auto copy = lora.leaves(at::kFloat);
    const LanguageModel through(config, weights, at::kFloat, LanguageModel::Use::frozen_differentiable);
    through.hidden(tokens, &lora).square().sum().backward();
    through.hidden(tokens, &copy).square().sum().backward();
    const auto parameters = lora.parameters(), found = copy.gradients();
    ASSERT_EQ(found.size(), parameters.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      EXPECT_TRUE(at::allclose(found[i], parameters[i].grad(), 1e-3, 1e-4)) << i;
  }
}

/// An adapter with DoRA whose matrices and magnitudes differ from where training begins.
Lora lively_dora(const LanguageModel& model) {
  auto settings = lively_adapter(model.config()).settings();
  settings.dora = true;
  Lora begun(settings, lively_adapter(model.config()).pairs());
  begun.use_on(model);
  auto magnitudes = begun.magnitudes();
  for (auto& [module, magnitude] : magnitudes)
    magnitude = magnitude * at::linspace(0.5, 1.5, magnitude.size(0));
  return {settings, begun.pairs(), magnitudes};
}

TEST(DoraTest, AFreshAdapterChangesNothing) {
  const auto config = tiny_config();
  const LanguageModel model(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  auto settings = lora_settings({{"rank", 4}, {"alpha", 8}, {"use_dora", true}}, Family::qwen2);
  auto lora = Lora::fresh(config, settings, 3);
  lora.use_on(model);
  EXPECT_EQ(lora.parameters().size(), 3 * lora.pairs().size());
  const auto tokens = at::arange(12).view({2, 6});
  EXPECT_TRUE(at::allclose(model.hidden(tokens), model.hidden(tokens, &lora), 1e-5, 1e-5));
}

TEST(DoraTest, MergedWeightsGiveTheSameLogits) {
  for (const auto family : {Family::qwen2, Family::starcoder2}) {  // with biases, and without
    const auto config = tiny_config(family);
    const auto weights = testing::scattered_weights(config);
    const LanguageModel model(config, weights, at::kFloat, LanguageModel::Use::frozen);
    auto lora = lively_dora(model);
    lora.use_on(model);
    const LanguageModel merged(config, lora.merged(weights), at::kFloat, LanguageModel::Use::frozen);
    const auto tokens = at::arange(12).view({2, 6});
    const auto expected = model.logits(model.hidden(tokens, &lora));
    EXPECT_FALSE(at::allclose(expected, model.logits(model.hidden(tokens))));
    EXPECT_TRUE(at::allclose(expected, merged.logits(merged.hidden(tokens)), 1e-3, 1e-3));
    const auto leaves = lora.leaves(at::kFloat);
    EXPECT_TRUE(at::allclose(expected, model.logits(model.hidden(tokens, &leaves)), 1e-4, 1e-4));
  }
}

TEST(DoraTest, FilesComeBack) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  const LanguageModel model(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  const auto lora = lively_dora(model);
  write_adapter(folder.folder("a"), lora, "base");
  const auto read = read_adapter(folder / "a", config);
  EXPECT_EQ(read.settings(), lora.settings());
  EXPECT_EQ(read.magnitudes().size(), lora.pairs().size());
  for (const auto& [module, magnitude] : lora.magnitudes())
    EXPECT_TRUE(at::equal(read.magnitudes().at(module), magnitude));
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
