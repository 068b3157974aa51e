#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "base/tensors/safetensors.hpp"
#include "runtime/model/accelerator.hpp"
#include "runtime/model/linear.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/threads.hpp"
#include "runtime/model/upload.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::lively_weights;
using testing::stage_error;
using testing::tiny_config;

// Threads inside operations would wait for each other on a busy machine, so there is only one.
[[maybe_unused]] const bool kOneThread = (at::set_num_threads(1), true);

void write_model(const std::filesystem::path& folder, const ModelConfig& config, const Weights& weights) {
  write_text(folder / "config.json", to_json(config).dump());
  write_safetensors(folder / "model.safetensors", {weights, {}});
}

TEST(LinearTest, APackedMatrixGivesTheSameProductAndGradient) {
  const auto weight = at::randn({24, 16}), bias = at::randn({24});
  auto x = at::randn({2, 5, 16}).set_requires_grad(true);
  const auto packed = Linear::frozen(weight, bias, 10, true);
  const auto y = packed(x);
  EXPECT_TRUE(at::allclose(y, at::linear(x, weight, bias), 1e-5, 1e-5));
  y.square().sum().backward();
  const auto expected = at::matmul(2 * y.detach(), weight);
  EXPECT_TRUE(at::allclose(x.grad(), expected, 1e-4, 1e-4));
}

// Decoder relies on this property. It doesn't hold for every number of rows.
TEST(LinearTest, InWholeSixteensARowsProductDoesNotDependOnTheRowsBesideIt) {
  for (const auto& [out, in] :
       std::vector<std::pair<int, int>>{{512, 256}, {1280, 256}, {256, 640}, {1024, 256}}) {
    const auto packed = Linear::frozen(at::randn({out, in}), {}, 32, false);
    const auto x = at::randn({64, in});
    const auto all = packed.each_row(x);
    EXPECT_TRUE(at::allclose(all, packed(x), 1e-4, 1e-4));
    for (const int rows : {16, 32, 48}) {
      EXPECT_TRUE(at::equal(packed.each_row(x.narrow(0, 0, rows)), all.narrow(0, 0, rows)))
          << out << "x" << in << ", " << rows;
    }
  }
}

TEST(LanguageModelTest, LaterTokensNeverReachEarlierPositions) {
  const auto config = tiny_config();
  const LanguageModel model(config, lively_weights(config), at::kFloat, LanguageModel::Use::frozen);
  const auto tokens = at::arange(8).view({1, 8});
  auto changed = tokens.clone();
  changed[0][7] = 99;
  const auto a = model.hidden(tokens), b = model.hidden(changed);
  EXPECT_TRUE(at::equal(a.narrow(1, 0, 7), b.narrow(1, 0, 7)));
  EXPECT_FALSE(at::equal(a, b));
}

TEST(LanguageModelTest, AMissingMisshapenOrSuperfluousTensorIsNamed) {
  const auto config = tiny_config();
  auto weights = lively_weights(config);
  weights["model.norm.weight"] = at::ones({31});
  EXPECT_EQ(stage_error([&] { LanguageModel(config, weights, at::kFloat, LanguageModel::Use::frozen); }),
            "the tensor model.norm.weight has the shape [31], config.json asks for [32]");
  weights["model.norm.weight"] = at::ones({32});
  weights["model.layers.0.self_attn.o_proj.bias"] = at::ones({32});
  EXPECT_EQ(stage_error([&] { LanguageModel(config, weights, at::kFloat, LanguageModel::Use::frozen); }),
            "the tensor model.layers.0.self_attn.o_proj.bias belongs to no module of a qwen2 model with this "
            "config.json");
  weights.erase("model.norm.weight");
  EXPECT_EQ(stage_error([&] { LanguageModel(config, weights, at::kFloat, LanguageModel::Use::frozen); }),
            "the model lacks the tensor model.norm.weight");
}

TEST(LoadTest, AModelIsKeptUntilItsFilesChange) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  write_model(folder.folder("m"), config, lively_weights(config));
  const auto first = load_frozen(folder / "m", at::kCPU, at::kFloat);
  EXPECT_EQ(load_frozen(folder / "m", at::kCPU, at::kFloat), first);
  const auto file = folder / "m/model.safetensors";
  std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) - std::chrono::hours(1));
  EXPECT_NE(load_frozen(folder / "m", at::kCPU, at::kFloat), first);
}

TEST(LoadTest, ShardsAreReadThroughTheirIndex) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  const auto weights = lively_weights(config);
  write_text(folder.folder("m") / "config.json", to_json(config).dump());
  Safetensors shards[2];
  nlohmann::json map;
  for (const auto& [name, tensor] : weights) {
    const int shard = name.size() % 2;
    shards[shard].tensors[name] = tensor;
    map[name] = fmt::format("part-{}.safetensors", shard);
  }
  for (int i = 0; i < 2; ++i) write_safetensors(folder / fmt::format("m/part-{}.safetensors", i), shards[i]);
  write_text(folder / "m/model.safetensors.index.json", nlohmann::json{{"weight_map", map}}.dump());
  const auto read = read_weights(folder / "m", config);
  ASSERT_EQ(read.size(), weights.size());
  for (const auto& [name, tensor] : weights) EXPECT_TRUE(at::equal(read.at(name), tensor)) << name;
  const auto error = [&] { return stage_error([&] { read_weights(folder / "m", config); }); };
  shards[1].tensors.emplace(*shards[0].tensors.begin());
  write_safetensors(folder / "m/part-1.safetensors", shards[1]);
  EXPECT_NE(error().find("is in another file too"), std::string::npos) << error();
  std::filesystem::remove(folder / "m/part-1.safetensors");
  EXPECT_NE(error().find("part-1.safetensors: No such file"), std::string::npos) << error();
}

TEST(LoadTest, ATensorThatAModelCantUseIsNamed) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  const auto error = [&](const std::string& name, const at::Tensor& tensor) {
    auto weights = lively_weights(config);
    weights[name] = tensor;
    write_model(folder.folder("m"), config, weights);
    return stage_error([&] { read_weights(folder / "m", config); });
  };
  EXPECT_EQ(error("model.norm.weight", at::ones({32}, at::kHalf)), "");
  EXPECT_NE(error("model.norm.weight", at::ones({32}, at::kChar)).find("model.norm.weight is stored as Char"),
            std::string::npos);
  EXPECT_NE(error("model.norm.scale", at::ones({32})).find("model.norm.scale belongs to no module"),
            std::string::npos);
  EXPECT_EQ(error("model.layers.0.self_attn.rotary_emb.inv_freq", at::ones({4})), "");
  EXPECT_EQ(error("lm_head.weight", lively_weights(config).at("model.embed_tokens.weight")), "")
      << "the embedding is the head";
}

TEST(LoadTest, AnOutputMatrixBesideTiedEmbeddingsIsNotLost) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  auto weights = lively_weights(config);
  // It differs in one number that lies where require_fitting_files doesn't look in larger matrices.
  auto head = weights.at("model.embed_tokens.weight").clone();
  head[150][7] += 1;
  weights["lm_head.weight"] = head;
  write_model(folder.folder("m"), config, weights);
  const auto error = stage_error([&] { read_weights(folder / "m", config); });
  EXPECT_NE(error.find("lm_head.weight differs from the embedding"), std::string::npos) << error;
}

TEST(LoadTest, AnOutputMatrixAloneIsTheEmbeddingWhereBothAreOne) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  auto weights = lively_weights(config);
  const auto embedding = weights.at("model.embed_tokens.weight");
  weights.erase("model.embed_tokens.weight");
  weights["lm_head.weight"] = embedding;
  write_model(folder.folder("m"), config, weights);
  EXPECT_TRUE(at::equal(read_weights(folder / "m", config).at("model.embed_tokens.weight"), embedding));
}

TEST(LoadTest, ATokenWithoutARowIsNamed) {
  const testing::TemporaryFolder folder;
  const auto config = tiny_config();
  write_model(folder.folder("m"), config, lively_weights(config));
  write_text(folder / "m/tokenizer.json", R"({"added_tokens": [{"id": 300, "content": "<new>"}]})");
  const auto error = stage_error([&] { load_frozen(folder / "m", at::kCPU, at::kFloat); });
  EXPECT_NE(error.find("`<new>` (300)"), std::string::npos) << error;
}

// On the CPU the same code copies through ordinary memory.
TEST(UploadTest, StagedCopiesAreWholeInEverySizeAndType) {
  Weights weights;
  for (const std::int64_t size : {0, 1, 7, 1023, 1024, 1025, 5000}) {
    for (const auto type : {at::kFloat, at::kBFloat16, at::kHalf})
      weights[fmt::format("{} {}", size, c10::toString(type))] = at::randn({size, 3}).to(type);
  }
  weights["turned"] = at::randn({40, 30}).t();
  for (const auto type : {at::kFloat, at::kBFloat16}) {
    for (const auto& [threads, buffer] : {std::pair{1, 1}, {3, 1000}, {4, 1 << 20}}) {
      const auto found = upload(weights, at::kCPU, type, {threads, buffer, true});
      ASSERT_EQ(found.size(), weights.size());
      for (const auto& [name, tensor] : weights)
        EXPECT_TRUE(at::equal(found.at(name), tensor.to(type))) << name << " " << threads << " " << buffer;
    }
  }
  const auto kept = upload(weights, at::kCPU, at::kFloat);
  EXPECT_EQ(kept.at("7 Float").const_data_ptr(), weights.at("7 Float").const_data_ptr());
  EXPECT_TRUE(at::equal(kept.at("7 Half"), weights.at("7 Half").to(at::kFloat)));
}

// Each family with features that differ from its defaults.
std::vector<ModelConfig> varied_configs() {
  std::vector<ModelConfig> configs;
  for (const auto family : {Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2}) {
    for (const bool varied : {false, true}) {
      auto config = testing::tiny_config(family);
      if (varied) {
        config.tied_embeddings = !config.tied_embeddings;
        config.head_size = 12;
        config.norm_epsilon = 1e-4;
        config.end_tokens = {3, 5};
        config.begin_token = 7;
        config.pad_token = 9;
        if (family == Family::llama) {
          config.qkv_bias = config.output_bias = config.mlp_bias = true;
          config.rope_scaling = {RopeScaling::Kind::llama3, 8, 1, 4, 32};
        } else if (family == Family::starcoder2) {
          config.qkv_bias = config.output_bias = config.mlp_bias = false;
          config.rope_scaling = {.kind = RopeScaling::Kind::linear, .factor = 4};
        }
      }
      configs.push_back(config);
    }
  }
  return configs;
}

TEST(ConfigTest, WhatIsWrittenIsReadBack) {
  const testing::TemporaryFolder folder;
  for (const auto& config : varied_configs()) {
    write_text(folder / "config.json", to_json(config).dump());
    EXPECT_EQ(read_config(folder / ""), config) << to_json(config).dump(2);
  }
}

class ConfigFieldTest : public ::testing::TestWithParam<Family> {
 protected:
  // config.json with one field changed.
  ModelConfig read_with(const std::string& name, const nlohmann::json& value) {
    auto json = to_json(testing::tiny_config(GetParam()));
    json[name] = value;
    write_text(folder_ / "config.json", json.dump());
    return read_config(folder_ / "");
  }
  testing::TemporaryFolder folder_;
};

TEST_P(ConfigFieldTest, AFieldThatIsReadHasAnEffectAndAnIgnoredOneHasNone) {
  using enum ConfigField::Use;
  const auto config = testing::tiny_config(GetParam());
  for (const auto& field : config_fields(GetParam())) {
    const std::string name(field.name);
    if (field.use == equal) {
      EXPECT_EQ(read_with(name, nlohmann::json::parse(field.note)), config) << name;
      EXPECT_NE(stage_error([&] { read_with(name, "other"); }).find("`" + name + "` is \"other\""),
                std::string::npos);
    } else if (field.use == refused) {
      EXPECT_NE(stage_error([&] {
                  read_with(name, {{"a", 1}});
                }).find("not supported"),
                std::string::npos)
          << name;
    } else if (field.use == ignored) {
      EXPECT_EQ(read_with(name, {{"a", 1}}), config) << name;
    } else if (name == "model_type" || name == "use_sliding_window" || name == "max_window_layers" ||
               (name == "sliding_window" && GetParam() != Family::starcoder2)) {
      continue;  // they have an effect together, as the next tests show
    } else {
      // A text is wrong for all of them, so a field that nobody reads would be found here.
      EXPECT_NE(stage_error([&] { read_with(name, "other"); }).find("`" + name + "` is \"other\""),
                std::string::npos)
          << name;
    }
  }
}

TEST_P(ConfigFieldTest, AnUnknownFieldIsNamedWithItsFile) {
  const auto message = stage_error([&] { read_with("attention_sinks", 4); });
  EXPECT_NE(message.find((folder_ / "config.json").string()), std::string::npos) << message;
  EXPECT_NE(message.find("the field `attention_sinks` is unknown"), std::string::npos) << message;
  EXPECT_NE(
      stage_error([&] {
        read_with("rope_scaling", {{"rope_type", "linear"}, {"factor", 2.0}, {"attention_factor", 0.5}});
      }).find("the field `attention_factor` is unknown"),
      std::string::npos);
  EXPECT_NE(stage_error([&] {
              read_with("rope_scaling", {{"rope_type", "yarn"}, {"factor", 4.0}});
            }).find("\"yarn\""),
            std::string::npos);
}

TEST_P(ConfigFieldTest, OlderAndNewerNamesOfRotaryPositionsAreRead) {
  const RopeScaling linear = {.kind = RopeScaling::Kind::linear, .factor = 4};
  EXPECT_EQ(read_with("rope_scaling", {{"type", "linear"}, {"factor", 4.0}}).rope_scaling, linear);
  const auto newer =
      read_with("rope_parameters", {{"rope_type", "linear"}, {"factor", 4.0}, {"rope_theta", 5000.0}});
  EXPECT_EQ(newer.rope_scaling, linear);
  EXPECT_EQ(newer.rope_theta, 5000);
}

INSTANTIATE_TEST_SUITE_P(Families, ConfigFieldTest,
                         ::testing::Values(Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(ConfigTest, AnotherArchitectureIsNamed) {
  const testing::TemporaryFolder folder;
  auto json = to_json(tiny_config());
  json["model_type"] = "mamba";
  write_text(folder / "config.json", json.dump());
  EXPECT_NE(stage_error([&] { read_config(folder / ""); }).find("model_type is mamba"), std::string::npos);
}

// Within the window a sliding window hides nothing, so the context ends there.
TEST(ConfigTest, AnActiveSlidingWindowLimitsTheContext) {
  const testing::TemporaryFolder folder;
  const auto context = [&](Family family, const nlohmann::ordered_json& fields) {
    auto json = to_json(testing::tiny_config(family));
    json.update(fields);
    write_text(folder / "config.json", json.dump());
    return read_config(folder / "").context;
  };
  EXPECT_EQ(context(Family::starcoder2, {{"sliding_window", 40}}), 40);
  EXPECT_EQ(context(Family::starcoder2, {{"sliding_window", 400}}), 96);
  EXPECT_EQ(context(Family::starcoder2, {{"sliding_window", nullptr}}), 96);
  for (const auto family : {Family::qwen2, Family::qwen3}) {
    const nlohmann::ordered_json window = {{"sliding_window", 40}, {"max_window_layers", 1}};
    EXPECT_EQ(context(family, window), 96);
    auto used = window;
    used["use_sliding_window"] = true;
    EXPECT_EQ(context(family, used), 40);
    used["max_window_layers"] = 2;  // the number of layers
    EXPECT_EQ(context(family, used), 96);
    used["layer_types"] = {"full_attention", "sliding_attention"};
    EXPECT_EQ(context(family, used), 40);
    used["layer_types"] = {"full_attention", "linear_attention"};
    EXPECT_NE(stage_error([&] { context(family, used); }).find("`layer_types`"), std::string::npos);
  }
}

TEST(ConfigTest, EndTokensOfTheGenerationConfigTakeTheirPlace) {
  const testing::TemporaryFolder folder;
  auto config = testing::tiny_config(Family::qwen2);
  config.end_tokens = {3};
  write_text(folder / "config.json", to_json(config).dump());
  EXPECT_EQ(read_config(folder / "").end_tokens, std::vector<std::int64_t>{3});
  write_text(folder / "generation_config.json", R"({"eos_token_id": [4, 5], "temperature": 0.6})");
  EXPECT_EQ(read_config(folder / "").end_tokens, (std::vector<std::int64_t>{4, 5}));
  write_text(folder / "generation_config.json", R"({"eos_token_id": 400})");
  EXPECT_NE(stage_error([&] { read_config(folder / ""); }).find("end token 400"), std::string::npos);
}

TEST(AcceleratorTest, UnknownDevicesAndPrecisionsAreErrors) {
  EXPECT_EQ(stage_error([] { open_device("gpu"); }), "the device `gpu` is unknown");
  EXPECT_EQ(stage_error([] { compute_type(at::kCPU, "int8"); }), "the precision `int8` is not supported");
  EXPECT_EQ(compute_type(at::kCPU, "bf16"), at::kFloat);
}

TEST(ParallelTest, EveryPieceRunsOnceAndTheFirstErrorArrives) {
  std::atomic<int> sum = 0;
  parallel(100, 3, [&](std::size_t i) { sum += static_cast<int>(i); });
  EXPECT_EQ(sum, 4950);
  EXPECT_THROW(parallel(100, 3,
                        [](std::size_t i) {
                          if (i == 5) throw UserError("five");
                        }),
               UserError);
}

}  // namespace
}  // namespace trl::runtime
