// Randomly initialised models of published sizes, and how benchmarks on a GPU time and print.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/gpu/driver.hpp"
#include "runtime/model/language_model.hpp"
#include "tests/decode/models.hpp"

namespace trl::benchmarks {

using namespace trl::runtime;

/// Returns the sizes of Qwen2.5's 0.5B, 1.5B or 3B for "0.5b", "1.5b", "3b", of the embedded model for
/// "windtunnel", and of 7B for any other name.
inline ModelConfig config_named(const std::string& name) {
  using runtime::testing::config_of;
  auto config = config_of({Family::qwen2, 3584, 28, 28, 4, 128, 18944, 152064});
  if (name == "0.5b") config = config_of({Family::qwen2, 896, 24, 14, 2, 64, 4864, 151936}, true);
  if (name == "1.5b") config = config_of({Family::qwen2, 1536, 28, 12, 2, 128, 8960, 151936}, true);
  if (name == "3b") config = config_of({Family::qwen2, 2048, 36, 16, 2, 128, 11008, 151936}, true);
  if (name == "windtunnel") config = config_of({Family::qwen2, 256, 6, 4, 2, 64, 640, 764}, true);
  config.context = 16384;
  return config;
}

/// In bf16 on `device`.
inline LanguageModel random_model(const ModelConfig& config, const c10::Device& device) {
  Weights weights;
  at::manual_seed(1);
  for (const auto& [name, shape] : weight_shapes(config)) {
    auto tensor = at::empty(shape, at::TensorOptions().dtype(at::kBFloat16).device(device));
    tensor.normal_(name.ends_with("norm.weight") ? 1.0 : 0.0, 0.02);
    weights[name] = tensor;
  }
  return {config, std::move(weights), at::kBFloat16, LanguageModel::Use::frozen};
}

/// Returns the seconds from the call of `work` until its work on the GPU has ended.
inline double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  gpu::check(gpu::driver().cuStreamSynchronize(nullptr), "waiting");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

inline void print(const nlohmann::ordered_json& line) { std::cout << line.dump() << std::endl; }

}  // namespace trl::benchmarks
