#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "runtime/model/accelerator.hpp"
#include "runtime/model/linear.hpp"
#include "runtime/model/load.hpp"
#include "runtime/model/safetensors.hpp"
#include "runtime/model/threads.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

using testing::lively_weights;
using testing::stage_error;
using testing::tiny_config;

// Threads inside operations would wait for each other on a busy machine, so there is only one.
[[maybe_unused]] const bool kOneThread = (at::set_num_threads(1), true);

void write_model(const std::filesystem::path& folder, const Qwen2Config& config, const Weights& weights) {
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
    const auto all = packed(x);
    for (const int rows : {16, 32, 48}) {
      EXPECT_TRUE(at::equal(packed(x.narrow(0, 0, rows)), all.narrow(0, 0, rows)))
          << out << "x" << in << ", " << rows;
    }
  }
}

TEST(Qwen2Test, LaterTokensNeverReachEarlierPositions) {
  const auto config = tiny_config();
  const Qwen2 model(config, lively_weights(config), at::kFloat, Qwen2::Use::frozen);
  const auto tokens = at::arange(8).view({1, 8});
  auto changed = tokens.clone();
  changed[0][7] = 99;
  const auto a = model.hidden(tokens), b = model.hidden(changed);
  EXPECT_TRUE(at::equal(a.narrow(1, 0, 7), b.narrow(1, 0, 7)));
  EXPECT_FALSE(at::equal(a, b));
}

TEST(Qwen2Test, AMissingOrMisshapenTensorIsNamed) {
  const auto config = tiny_config();
  auto weights = lively_weights(config);
  weights["model.norm.weight"] = at::ones({31});
  EXPECT_EQ(stage_error([&] { Qwen2(config, weights, at::kFloat, Qwen2::Use::frozen); }),
            "the tensor model.norm.weight has the shape [31], config.json asks for [32]");
  weights.erase("model.norm.weight");
  EXPECT_EQ(stage_error([&] { Qwen2(config, weights, at::kFloat, Qwen2::Use::frozen); }),
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
  const auto read = read_weights(folder / "m");
  ASSERT_EQ(read.size(), weights.size());
  for (const auto& [name, tensor] : weights) EXPECT_TRUE(at::equal(read.at(name), tensor)) << name;
  map["absent"] = "part-0.safetensors";
  write_text(folder / "m/model.safetensors.index.json", nlohmann::json{{"weight_map", map}}.dump());
  EXPECT_NE(stage_error([&] { read_weights(folder / "m"); }).find("absent is not in part-0"),
            std::string::npos);
}

TEST(ConfigTest, WhatIsNotQwen2IsNamed) {
  const testing::TemporaryFolder folder;
  auto json = to_json(tiny_config());
  json["model_type"] = "llama";
  write_text(folder / "config.json", json.dump());
  EXPECT_NE(stage_error([&] { read_config(folder / ""); }).find("model_type is llama"), std::string::npos);
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
