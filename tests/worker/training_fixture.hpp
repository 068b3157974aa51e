// A corpus, a tokenizer and stages that train a tiny model on them.
#pragma once

#include <gtest/gtest.h>

#include "base/support/json_text.hpp"
#include "runtime/tokenizer/trainer.hpp"
#include "runtime/worker/stages.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime::testing {

/// Rewrites the corpus: `change` gets each row and its number.
template <typename Change>
std::string changed_rows(const std::filesystem::path& file, const Change& change) {
  std::string rows;
  int number = 0;
  for_each_row(file, [&](nlohmann::json row) {
    change(row, number++);
    rows += row.dump() + "\n";
  });
  return rows;
}

/// A corpus, a tokenizer and a model of two layers, pretrained for a few steps.
class TrainingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string rows;
    for (int i = 0; i < 24; ++i) {
      rows += nlohmann::json{{"prompt", fmt::format("task {} of {}\n", i % 6, i % 6)},
                             {"answer", std::string("answer ") + std::string(1 + i % 6, 'a' + i % 6)}}
                  .dump() +
              "\n";
    }
    write_text(folder_.folder("corpus") / "samples.jsonl", rows);
    write_text(folder_ / "corpus/manifest.json", "{\"keys\": []}\n");
    TokenizerTrainer trainer;
    trainer.add("task of answer task of answer");
    write_text(folder_.folder("tokenizer") / "tokenizer.json", trainer.train(300).dump());
  }

  FakeStage pretraining(const std::string& output) {
    FakeStage stage;
    stage.spec = {{"architecture",
                   {{"hidden", 32},
                    {"layers", 2},
                    {"heads", 4},
                    {"kv_heads", 2},
                    {"intermediate", 48},
                    {"context", 64}}},
                  {"steps", 30},
                  {"batch", 8},
                  {"sequence", 24},
                  {"learning_rate", 1e-2},
                  {"warmup", 0.1},
                  {"schedule", "cosine"},
                  {"clip", 1.0},
                  {"weight_decay", 0.1},
                  {"precision", "bf16"},
                  {"seed", 5}};
    stage.inputs = {{"corpus", folder_ / "corpus"}, {"tokenizer", folder_ / "tokenizer"}};
    stage.output = folder_.folder(output);
    return stage;
  }

  FakeStage finetuning(const std::string& output) {
    FakeStage stage;
    stage.spec = {{"adapter", {{"rank", 4}, {"alpha", 16}, {"dropout", 0.05}, {"targets", {"all_linear"}}}},
                  {"epochs", 6},
                  {"batch", 6},
                  {"learning_rate", 1e-2},
                  {"warmup", 0.1},
                  {"schedule", "cosine"},
                  {"weight_decay", 0.0},
                  {"clip", 1.0},
                  {"precision", "bf16"},
                  {"seed", 1},
                  {"round", 0}};
    stage.inputs = {{"model", folder_ / "model"}, {"samples", folder_ / "corpus"}};
    stage.output = folder_.folder(output);
    return stage;
  }

  void pretrain() {
    auto stage = pretraining("model");
    summary_ = run_pretrain(stage);
    losses_ = stage.values("loss");
  }

  std::string bytes(const std::string& name) {
    std::ifstream in(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  TemporaryFolder folder_;
  nlohmann::json summary_;
  std::vector<double> losses_;
};

}  // namespace trl::runtime::testing
