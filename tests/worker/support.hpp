// A temporary folder, a stage without a worker, and a tiny model.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "base/support/random.hpp"
#include "runtime/model/language_model.hpp"

namespace trl::runtime::testing {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "trl-worker-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  /// Creates a subfolder and returns its path.
  std::filesystem::path folder(const std::string& name) const {
    std::filesystem::create_directories(path_ / name);
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// A piece of an answer, as `Stage::answer` got it.
struct Piece {
  std::int64_t prompt, sample;
  std::string text, finish;
};

class FakeStage : public Stage {
 public:
  void progress(std::int64_t, std::int64_t, const std::string&) override {}
  void send_metric(const std::string& name, std::int64_t step, double value) override {
    metrics.push_back({name, step, value});
  }
  void resumed(std::int64_t done, std::int64_t) override { resumed_at = done; }
  void note(const std::string& sentence) override { notes.push_back(sentence); }
  void answer(std::int64_t prompt, std::int64_t sample, const std::string& text,
              const std::string& finish) override {
    pieces.push_back({prompt, sample, text, finish});
  }
  void check_cancelled() override {
    ++checks;
    if (checks_until_cancel == 0) throw Cancelled();
    if (checks_until_cancel > 0) --checks_until_cancel;
  }
  std::vector<double> values(const std::string& name) const {
    std::vector<double> found;
    for (const auto& metric : metrics) {
      if (metric.name == name) found.push_back(metric.value);
    }
    return found;
  }

  std::vector<Metric> metrics;
  std::vector<Piece> pieces;
  std::vector<std::string> notes;
  std::int64_t resumed_at = 0;
  std::int64_t checks = 0;                // how often it was asked whether to stop
  std::int64_t checks_until_cancel = -1;  // never; from 0 on every check throws, as a worker's does
};

inline ModelConfig tiny_config(Family family = Family::qwen2) {
  auto config = family_config(family);
  if (family == Family::qwen2) config.tied_embeddings = true;
  config.vocabulary = 300;
  config.hidden = 32;
  config.layers = 2;
  config.heads = 4;
  config.kv_heads = 2;
  config.head_size = 8;
  config.intermediate = 40;
  config.context = 96;
  config.rope_theta = 1e4;
  return config;
}

/// A pattern of an adapter's spec: modules("down_proj", {{"rank", 32}}).
inline nlohmann::json modules(const char* pattern, nlohmann::json said) {
  return {{"call", "modules"}, {"args", {pattern}}, {"named", std::move(said)}};
}

/// Random weights with larger entries than before training, so that logits differ clearly.
inline Weights lively_weights(const ModelConfig& config, std::int64_t seed = 1) {
  auto weights = random_weights(config, seed);
  for (auto& [name, tensor] : weights) {
    if (name.ends_with("weight") && !name.ends_with("norm.weight")) tensor = tensor * 8;
  }
  return weights;
}

/// Like lively_weights, but norms and biases, too, differ from element to element.
inline Weights scattered_weights(const ModelConfig& config, std::int64_t seed = 1) {
  auto weights = lively_weights(config, seed);
  for (auto& [name, tensor] : weights) {
    if (tensor.dim() != 1) continue;
    RandomStream stream(fmt::format("{}/scattered/{}", seed, name));
    tensor = tensor.clone();
    for (std::int64_t i = 0; i < tensor.numel(); ++i)
      tensor.mutable_data_ptr<float>()[i] += static_cast<float>(0.2 * stream.normal());
  }
  return weights;
}

/// The message of the UserError that `body` throws; "" when it throws none.
template <typename Body>
std::string stage_error(Body&& body) {
  try {
    body();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

}  // namespace trl::runtime::testing
