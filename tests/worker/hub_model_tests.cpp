// `trl run` with models of every family in a cache of Hugging Face's layout: the real trl and trl-worker.
#include <gtest/gtest.h>

#include "base/support/digest.hpp"
#include "base/tensors/safetensors.hpp"
#include "tests/interpreter/trl_process.hpp"
#include "tests/worker/foreign_tokenizer.hpp"
#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A repository of random weights: large files as blobs named by their SHA-256, the others by another hash,
/// and a snapshot of links to them. `shards` are written with an index.
void add_repository(const fs::path& hub, const std::string& name, const ModelConfig& config, bool shards) {
  const auto folder = hub / ("models--tests--" + name), snapshot = folder / "snapshots" / "0123abcd";
  for (const auto& made : {snapshot, folder / "blobs", folder / "refs"}) fs::create_directories(made);
  write_text(folder / "refs/main", "0123abcd");
  const auto add = [&](const std::string& file, const auto& write) {
    write(folder / "blobs/new");
    const auto digest = sha256_of_file(folder / "blobs/new");
    const auto blob = file.ends_with(".safetensors") ? digest : digest.substr(0, 40);
    fs::rename(folder / "blobs/new", folder / "blobs" / blob);
    fs::create_symlink("../../blobs/" + blob, snapshot / file);
  };
  const auto add_text = [&](const std::string& file, const std::string& text) {
    add(file, [&](const fs::path& path) { write_text(path, text); });
  };
  add_text("config.json", to_json(config).dump(2));
  add_text("generation_config.json", R"({"eos_token_id": [0, 1]})");
  add_text("tokenizer.json", testing::foreign_tokenizer().dump());
  Safetensors parts[2];
  json map;
  for (const auto& [tensor, value] : testing::scattered_weights(config)) {
    const int part = shards && tensor.find(".mlp.") != std::string::npos;
    parts[part].tensors[tensor] = value.to(at::kBFloat16);
    map[tensor] = fmt::format("model-0000{}-of-00002.safetensors", part + 1);
  }
  for (int part = 0; part <= (shards ? 1 : 0); ++part)
    add(shards ? fmt::format("model-0000{}-of-00002.safetensors", part + 1) : "model.safetensors",
        [&](const fs::path& path) { write_safetensors(path, parts[part]); });
  if (shards) add_text("model.safetensors.index.json", json{{"metadata", {}}, {"weight_map", map}}.dump());
}

TEST(HubModelTest, AnExperimentTrainsAndExaminesModelsOfEveryFamily) {
  const testing::TemporaryFolder folder;
  const auto hub = folder.folder("hub");
  for (const auto family : {Family::qwen2, Family::qwen3, Family::llama, Family::starcoder2}) {
    auto config = testing::tiny_config(family);
    config.context = 4096;
    config.layers = 1;
    if (family == Family::llama) config.rope_scaling = {RopeScaling::Kind::llama3, 8, 1, 4, 256};
    add_repository(hub, std::string(name_of(family)), config, family == Family::llama);
  }
  write_text(folder / "study.trl", R"(import windtunnel
model far { weights = huggingface("tests/qwen2") }
lora writer { rank = 4 }
train imitate : sft {
  allow(too_few_steps, "a test: the steps, not what they teach")
  data = windtunnel.corpus(level1 = 2, exclude = windtunnel.level1[1..2])
  batch = 2
}
evaluation exam { split = windtunnel.level1[1..2], samples = 1, temperature = 0.5, max_tokens = 8 }
experiment study {
  model = far, adapter = writer, train = imitate, evaluate = exam, seeds = [1]
  vary = grid(far.weights = [huggingface("tests/qwen2"), huggingface("tests/qwen3"),
                             huggingface("tests/llama"), huggingface("tests/starcoder2", revision = "0123abcd")])
}
table main { of = study, rows = cells, columns = [valid, tokens] }
)");
  const interpreter::testing::TrlFolder trl(TRL, TRL_WORKER, folder / "study.trl");
  const interpreter::testing::TrlFolder::Environment environment = {
      {"HF_HUB_CACHE", hub.string()}, {"TRL_HOME", TRL_SOURCE}, {"OMP_NUM_THREADS", "1"}};
  const auto planned = trl.trl("plan study.trl", environment);
  EXPECT_EQ(planned.status, 0) << planned.err;
  EXPECT_EQ(planned.out.find("lacks"), std::string::npos) << planned.out;
  const auto ended = trl.trl("run study.trl", environment);
  ASSERT_EQ(ended.status, 0) << ended.out << ended.err;

  int answers = 0;
  std::set<std::string> bases;
  for (const auto& entry : fs::recursive_directory_iterator(trl.path() / "runs")) {
    if (entry.path().filename() == "candidates.jsonl") {
      for_each_row(entry.path(), [&](const json& row) {
        ++answers;
        EXPECT_LE(row.at("tokens").get<int>(), 8);
      });
    }
    if (entry.path().filename() == "adapter_config.json")
      bases.insert(read_json(entry.path())["base_model_name_or_path"].get<std::string>());
  }
  EXPECT_EQ(answers, 5 * 2) << "four trained models, and the first before training";
  EXPECT_EQ(bases, (std::set<std::string>{"tests/qwen2", "tests/qwen3", "tests/llama", "tests/starcoder2"}));
}

// The example of the tour's section on sampling and storage, with another model: every storage is trained on
// and sampled, and answers end at a text.
TEST(HubModelTest, AQuantisedModelIsTrainedAndSampled) {
  const testing::TemporaryFolder folder;
  auto config = testing::tiny_config();
  config.context = 4096;
  config.layers = 1;
  add_repository(folder.folder("hub"), "small", config, false);
  write_text(folder / "study.trl", R"(import windtunnel
model small { weights = huggingface("tests/small"), quantize = nf4 }
lora writer { rank = 4 }
train imitate : sft {
  allow(too_few_steps, "a test: the steps, not what they teach")
  data = windtunnel.corpus(level1 = 2, exclude = windtunnel.level1[1..2])
  batch = 2
}
evaluation exam {
  split = windtunnel.level1[1..2], samples = 4, max_tokens = 24
  temperature = 1.5, top_p = 0.95, top_k = 200, stop = ["e", "\n```"]
}
experiment study {
  model = small, adapter = writer, train = imitate, evaluate = exam, seeds = [1]
  vary = grid(small.quantize = [int8, llm_int8, nf4])
}
table main { of = study, rows = cells, columns = [valid, tokens] }
)");
  const interpreter::testing::TrlFolder trl(TRL, TRL_WORKER, folder / "study.trl");
  const auto ended = trl.trl(
      "run study.trl",
      {{"HF_HUB_CACHE", (folder / "hub").string()}, {"TRL_HOME", TRL_SOURCE}, {"OMP_NUM_THREADS", "1"}});
  ASSERT_EQ(ended.status, 0) << ended.out << ended.err;
  int answers = 0, stopped = 0;
  std::set<std::string> adapters;
  for (const auto& entry : fs::recursive_directory_iterator(trl.path() / "runs")) {
    if (entry.path().filename() == "candidates.jsonl")
      for_each_row(entry.path(), [&](const json& row) {
        ++answers;
        stopped += row.at("finish") == "stop";
        EXPECT_EQ(row.at("answer").get<std::string>().find('e'), std::string::npos);
      });
    if (entry.path().filename() == "adapter_model.safetensors") adapters.insert(sha256_of_file(entry.path()));
  }
  EXPECT_EQ(answers, 4 * 2 * 4) << "three trained models, and the first before training";
  EXPECT_GT(stopped, 0);
  EXPECT_EQ(adapters.size(), 3u) << "each storage is another base";
}

}  // namespace
}  // namespace trl::runtime
