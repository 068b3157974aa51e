// FILE.lock: an unchanged model gives no message, a changed one is reported.
#include <gtest/gtest.h>

#include "base/support/files.hpp"
#include "base/support/json_text.hpp"
#include "interpreter/plan/lock_file.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

namespace trl::interpreter {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Lock : public ::testing::Test {
 protected:
  testing::TrlFolder folder_{TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl"};
  fs::path file_ = folder_.path() / "study.trl.lock";
  void change_model() {
    const fs::path tokenizer = folder_.path() / "stdlib/windtunnel/tokenizer.json";
    write_text(tokenizer, read_text(tokenizer) + "\n");
  }
};

TEST_F(Lock, HoldsDigestsOfModelsImportsAndLibrary) {
  const auto locked = folder_.trl("lock study.trl");
  ASSERT_EQ(locked.status, 0) << locked.err;
  EXPECT_EQ(locked.err, "trl: study.trl.lock: 2 experiments\n");
  const json contents = read_json(file_);
  const json& study = contents["experiments"]["study"];
  EXPECT_EQ(study["model"], "base");
  EXPECT_EQ(study["weights"], "windtunnel.base");
  for (const char* name : {"config.json", "model.safetensors", "tokenizer.json"})
    EXPECT_EQ(study["files"][name].get<std::string>().size(), 64u) << name;
  EXPECT_TRUE(contents["library"].contains("windtunnel.trl") && contents["library"].contains("schema.trl"));
  EXPECT_TRUE(contents["imports"].empty());
  const std::string before = read_text(file_);
  EXPECT_EQ(folder_.trl("lock study.trl").status, 0);
  EXPECT_EQ(read_text(file_), before);
}

TEST_F(Lock, AnUnchangedModelIsSilentAndAChangedOneIsFound) {
  ASSERT_EQ(folder_.trl("lock study.trl").status, 0);
  const auto same = folder_.trl("plan study.trl");
  EXPECT_EQ(same.status, 0);
  EXPECT_EQ(same.err, "");
  change_model();
  for (const char* command : {"plan study.trl", "run study.trl", "plan study.trl longer"}) {
    const auto other = folder_.trl(command);
    EXPECT_EQ(other.status, 1) << command;
    EXPECT_TRUE(has(other.err, "study.trl.lock") && has(other.err, "tokenizer.json is ") &&
                has(other.err, "trl lock study.trl"))
        << other.err;
    EXPECT_FALSE(has(other.err, "model.safetensors")) << "what has not changed is not reported";
  }
  EXPECT_FALSE(fs::exists(folder_.path() / "runs/study")) << "no stage is started";
  EXPECT_EQ(folder_.trl("plan study.trl --update-lock").status, 0);
  EXPECT_EQ(folder_.trl("plan study.trl").err, "");
}

TEST_F(Lock, AnImportedFileIsFoundAndTheProgramItselfMayChange) {
  write_text(folder_.path() / "common.trl", "lora small { rank = 2 }\n");
  const std::string program = "import common\n" + read_text(folder_.path() / "study.trl");
  write_text(folder_.path() / "study.trl", program);
  ASSERT_EQ(folder_.trl("lock study.trl").status, 0);
  EXPECT_TRUE(read_json(file_)["imports"].contains("common.trl"));
  EXPECT_TRUE(read_json(file_)["implementations"].contains("verify"));
  EXPECT_FALSE(read_json(file_)["implementations"].contains("served")) << "no plan has such a stage";
  write_text(folder_.path() / "study.trl", program + "# a remark\n");
  EXPECT_EQ(folder_.trl("plan study.trl").status, 0);
  write_text(folder_.path() / "common.trl", "lora small { rank = 3 }\n");
  EXPECT_TRUE(has(folder_.trl("plan study.trl").err, "common.trl is "));
}

TEST_F(Lock, AnotherModelOnTheCommandLineIsAnotherModel) {
  ASSERT_EQ(folder_.trl("lock study.trl").status, 0);
  fs::copy(folder_.path() / "stdlib/windtunnel", folder_.path() / "mine");
  const auto other = folder_.trl("plan study.trl --set 'base.weights=path(\"mine\")'");
  EXPECT_EQ(other.status, 1);
  EXPECT_TRUE(has(other.err, "model base of study is path(\"mine\"), in the lock")) << other.err;
}

TEST_F(Lock, AModelThatIsNotHereIsLeftOutAndSaid) {
  write_text(folder_.path() / "study.trl", read_text(folder_.path() / "study.trl") +
                                               "model far { weights = huggingface(\"a/b\") }\n"
                                               "experiment elsewhere : study { model = far }\n");
  const auto locked = folder_.trl("lock study.trl");
  EXPECT_EQ(locked.status, 0);
  EXPECT_TRUE(has(locked.err, "not locked: elsewhere: weights = huggingface(")) << locked.err;
  EXPECT_FALSE(read_json(file_)["experiments"].contains("elsewhere"));
  EXPECT_EQ(folder_.trl("plan study.trl").status, 0);
}

TEST_F(Lock, AFileThatIsNoLockIsRefused) {
  write_text(file_, "not JSON");
  const auto refused = folder_.trl("plan study.trl");
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(refused.err, "isn't a lock file of this version")) << refused.err;
}

TEST(LockDifferences, NameWhatIsOther) {
  const json locked = {{"lock", 1},
                       {"tool_chain", "torch 1"},
                       {"importable", "numpy 1"},
                       {"implementations", {{"verify", 3}}},
                       {"library", {{"gone.trl", std::string(64, 'a')}}},
                       {"experiments", {{"e", {{"model", "m"}, {"weights", "random"}}}}}};
  json now = locked;
  EXPECT_TRUE(lock_differences(locked, now).empty());
  now["tool_chain"] = "torch 2";
  now["importable"] = "numpy 2";
  now["implementations"]["verify"] = 4;
  now["library"] = {{"new.trl", std::string(64, 'b')}};
  now["experiments"]["f"] = now["experiments"]["e"];
  EXPECT_EQ(lock_differences(locked, now),
            (std::vector<std::string>{
                "the tool chain is torch 2, in the lock file torch 1",
                "candidates can import numpy 2, in the lock file numpy 1",
                "stage verify is version 4, in the lock file 3", "stdlib/new.trl is not in the lock file",
                "stdlib/gone.trl is in the lock file, but not here", "f is not in the lock file"}));
  now = locked;
  now["experiments"] = json::object();
  EXPECT_TRUE(lock_differences(locked, now).empty()) << "experiments that `now` lacks are ignored";
}

}  // namespace
}  // namespace trl::interpreter
