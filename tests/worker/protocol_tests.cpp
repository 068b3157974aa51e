#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ATen/Version.h>
#include <torch/headeronly/version.h>

#include <cstdlib>

#include "base/support/machine.hpp"
#include "base/tensors/safetensors.hpp"
#include "runtime/tokenizer/trainer.hpp"
#include "tests/worker/support.hpp"
#include "tests/worker/worker_process.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
using testing::Worker;

TEST(Rows, OfAFileThatCannotBeReadToItsEndAreAnError) {
  // A folder can be opened like a file, but reading it fails as on a failing disk.
  const auto count = [](const std::filesystem::path& file) {
    int rows = 0;
    for_each_row(file, [&](const json&) { ++rows; });
    return rows;
  };
  EXPECT_THROW(count(std::filesystem::temp_directory_path()), UserError);
}

class ProtocolTest : public ::testing::Test {
 protected:
  json tokenizer_request(int id) {
    write_text(folder_.folder("corpus") / "samples.jsonl",
               "{\"prompt\": \"a b a b\", \"answer\": \"a b\"}\n");
    return {{"id", id},
            {"stage", "tokenizer"},
            {"spec", {{"vocabulary", 260}}},
            {"inputs", {{"corpus", (folder_ / "corpus").string()}}},
            {"output", (folder_ / fmt::format("out{}", id)).string()}};
  }

  /// A request that takes minutes unless it is cancelled.
  json endless_request(int id) {
    auto config = testing::tiny_config();
    config.context = 2000;
    const auto model = folder_.folder("model");
    TokenizerTrainer trainer;
    trainer.add("a a");
    write_text(model / "tokenizer.json", trainer.train(258).dump());
    write_text(model / "config.json", to_json(config).dump());
    write_safetensors(model / "model.safetensors", {random_weights(config, 1), {}});
    const auto task = json::parse(R"json({"suite": "s", "id": 1, "name": "t", "doc": "", "dims": [["N", 4]],
      "inputs": [{"name": "x", "dtype": "f32", "shape": ["N"]}], "value": {"op": "relu", "args": [{"input": "x"}]},
      "output": {"dtype": "f32", "shape": ["N"]}, "key": "relu(x0:f32[d0])"
  })json");
    write_text(folder_.folder("tasks") / "tasks.json", json::array({task}).dump());
    return {{"id", id},
            {"stage", "sample"},
            {"spec",
             {{"samples", 100000},
              {"temperature", 1.0},
              {"max_tokens", 1900},
              {"purpose", "test"},
              {"round", 0},
              {"seed", 1},
              {"precision", "bf16"}}},
            {"inputs", {{"model", model.string()}, {"tasks", (folder_ / "tasks").string()}}},
            {"output", (folder_ / "endless").string()}};
  }

  testing::TemporaryFolder folder_;
  Worker worker_;
};

TEST_F(ProtocolTest, CarriesOutAStage) {
  worker_.send(tokenizer_request(7));
  auto done = worker_.last();
  done.erase("made_on");
  EXPECT_EQ(done, (json{{"id", 7}, {"event", "done"}, {"summary", {{"size", 259}}}}));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "out7/tokenizer.json"));
}

TEST_F(ProtocolTest, SaysWhatAStageWasMadeOn) {
  auto request = tokenizer_request(1);
  request["threads"] = 3;
  worker_.send(request);
  const auto made_on = contract::MadeOn::read(worker_.last().at("made_on"));
  EXPECT_EQ(made_on.device, "cpu");
  EXPECT_EQ(made_on.cpu, cpu_model());
  EXPECT_EQ(made_on.capability, at::get_cpu_capability());
  EXPECT_EQ(made_on.loops, vector_level_name());
  EXPECT_EQ(made_on.threads, 3);
  EXPECT_EQ(made_on.versions.at("libtorch"), TORCH_VERSION);
  EXPECT_TRUE(made_on.driver.empty() && made_on.cuda.empty());
}

TEST(MadeHere, SaysTheVectorUnitThatTheEnvironmentChose) {
  // libtorch reads the variable once, so this needs a process of its own.
  testing::TemporaryFolder folder;
  write_text(folder.folder("corpus") / "samples.jsonl", "{\"prompt\": \"a b a b\", \"answer\": \"a b\"}\n");
  const json request = {{"id", 1},
                        {"stage", "tokenizer"},
                        {"spec", {{"vocabulary", 260}}},
                        {"inputs", {{"corpus", (folder / "corpus").string()}}},
                        {"output", (folder / "out").string()}};
  write_text(folder / "request.json", request.dump());
  const auto command = fmt::format("ATEN_CPU_CAPABILITY=default {} --stage {} > {}", TRL_WORKER,
                                   (folder / "request.json").string(), (folder / "answer").string());
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto lines = read_text(folder / "answer");
  const auto last = lines.rfind('\n', lines.size() - 2);
  const auto done = json::parse(lines.substr(last == std::string::npos ? 0 : last + 1));
  EXPECT_EQ(done.at("made_on").at("capability"), "DEFAULT");
  EXPECT_EQ(done.at("made_on").at("loops"), vector_level_name())
      << "the project's own loops choose for themselves";
}

TEST_F(ProtocolTest, MalformedRequestsGetErrorEventsAndTheWorkerGoesOn) {
  worker_.send_text("{\"id\": 1,\n[1, 2]\n\n\"text\"\n");
  for (int i = 0; i < 3; ++i) {
    const auto event = worker_.last();
    EXPECT_EQ(event["event"], "error");
    EXPECT_EQ(event["help"], "send one JSON object a line");
  }
  worker_.send({{"id", 2}, {"stage", "dance"}});
  const auto unknown = worker_.last();
  EXPECT_EQ(unknown["id"], 2);
  EXPECT_EQ(unknown["message"], "there is no stage `dance`");
  worker_.send({{"id", 3}, {"stage", 4}});
  EXPECT_EQ(worker_.last()["message"], "the request's `stage` is 4, which has the wrong type");
  worker_.send({{"id", 4}, {"stage", "tokenizer"}, {"output", "relative"}});
  EXPECT_EQ(worker_.last()["message"], "the path of `output` is not absolute: relative");
  auto request = tokenizer_request(5);
  request["spec"] = json::object();
  worker_.send(request);
  EXPECT_EQ(worker_.last()["message"], "the stage's spec has no field `vocabulary`");
  request = tokenizer_request(6);
  request["inputs"] = json::object();
  worker_.send(request);
  EXPECT_EQ(worker_.last()["message"], "the stage's input `corpus` is missing");
  worker_.send(tokenizer_request(8));
  EXPECT_EQ(worker_.last()["event"], "done");
}

TEST_F(ProtocolTest, ACancelledStageAnswersSoAndTheNextOneRuns) {
  worker_.send(endless_request(1));
  EXPECT_EQ(worker_.next_said()["event"], "progress");  // the stage is running
  worker_.send({{"id", 1}, {"cancel", true}});
  const auto event = worker_.last();
  EXPECT_EQ(event["event"], "error");
  EXPECT_EQ(event["cancelled"], true);
  worker_.send(tokenizer_request(2));
  EXPECT_EQ(worker_.last()["event"], "done");
}

TEST_F(ProtocolTest, ASignOfLifeComesBeforeAnythingElse) {
  worker_.send(endless_request(1));
  EXPECT_EQ(worker_.next(), (json{{"id", 1}, {"event", "alive"}}));
}

TEST_F(ProtocolTest, TheEndOfTheFileEndsTheWorkerMidStage) {
  worker_.send(endless_request(1));
  EXPECT_EQ(worker_.next_said()["event"], "progress");
  worker_.hang_up();
  EXPECT_EQ(worker_.wait(), 0);
}

TEST_F(ProtocolTest, ShutdownEndsTheWorker) {
  worker_.send({{"shutdown", true}});
  EXPECT_EQ(worker_.wait(), 0);
}

TEST_F(ProtocolTest, ATerminatedWorkerEndsCleanly) {
  worker_.send(tokenizer_request(1));
  EXPECT_EQ(worker_.last()["event"], "done");
  worker_.signal(SIGTERM);
  const int status = worker_.wait();
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
}

}  // namespace
}  // namespace trl::runtime
