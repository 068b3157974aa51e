// Files that somebody handed over: answers, rows, results, prompts and models whose files are pipes or links.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support/files.hpp"
#include "interpreter/local/local_stage.hpp"
#include "interpreter/plan/asking.hpp"
#include "interpreter/plan/data_files.hpp"
#include "interpreter/plan/model_folder.hpp"
#include "interpreter/store/result.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* private_text = "the user's private key";

class ForeignFiles : public ::testing::Test {
 protected:
  ForeignFiles() {
    ::alarm(60);  // a test that waits for a pipe ends the program
    fs::create_directories(given());
    write_text(scratch_.path / "private", private_text);
  }
  ~ForeignFiles() override { ::alarm(0); }

  fs::path given() const { return scratch_.path / "given"; }
  void put_pipe(const std::string& name) const {
    fs::remove(given() / name);
    ASSERT_EQ(::mkfifo((given() / name).c_str(), 0600), 0);
  }
  void put_link(const std::string& name) const {
    fs::remove(given() / name);
    fs::create_symlink(scratch_.path / "private", given() / name);
  }
  static json path_call(const std::string& folder = "given") {
    return {{"call", "path"}, {"args", {folder}}, {"named", json::object()}};
  }
  /// Expects that a link that leaves the folder and a pipe are both refused in the place of a file.
  template <typename Act>
  void expect_refused(const std::string& name, const Act& act) const {
    put_link(name);
    EXPECT_NE(message_of(act).find("leads out of the folder"), std::string::npos) << message_of(act);
    put_pipe(name);
    EXPECT_NE(message_of(act).find("is a named pipe"), std::string::npos) << message_of(act);
  }
  template <typename Act>
  static std::string message_of(const Act& act) {
    try {
      act();
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  Scratch scratch_;
};

}  // namespace

TEST_F(ForeignFiles, OfAnswersAreRegularFilesOfTheirFolder) {
  const std::string file = "level_1_problem_1_sample_0_kernel.py";
  const auto find = [&] { find_generations(path_call(), scratch_.path); };
  write_text(given() / file, "x = 1");
  EXPECT_EQ(message_of(find), "no error");
  expect_refused(file, find);
  fs::remove(given() / file);
  write_text(given() / file, "");
  fs::resize_file(given() / file, std::uint64_t{1} << 40);
  EXPECT_NE(message_of(find).find("has 1.0 TiB"), std::string::npos);
}

TEST_F(ForeignFiles, AnswersThatChangedSinceTheyWerePlannedAreReadWithTheSameCare) {
  const fs::path tasks = scratch_.path / "tasks", output = scratch_.path / "output";
  fs::create_directories(tasks), fs::create_directories(output);
  auto kernelbench = task("level1", 1);
  kernelbench["module"] = {{"level", 1}, {"code", ""}};
  write_text(tasks / "tasks.json", json::array({kernelbench}).dump());
  describe_result(tasks, {{"key", "tasks"}, {"slot", "tasks"}});
  LocalStage stage;
  stage.spec = {{"samples", 1}};
  stage.inputs.emplace("tasks", Result(tasks, std::make_shared<Result::Record>()));
  stage.output = output;
  stage.outside["folder"] = given();
  expect_refused("level_1_problem_1_sample_0_kernel.py", [&] { run_generations(stage); });
  EXPECT_FALSE(fs::exists(output / "candidates.jsonl"));
}

TEST_F(ForeignFiles, ManyAnswersAreReadOnceEachAndNotNotedOneByOne) {
  constexpr int count = 2000;
  fs::create_directories(scratch_.path / "store");
  for (int i = 0; i < count; ++i)
    write_text(given() / ("level_1_problem_1_sample_" + std::to_string(i) + "_kernel.py"), "x = 1");
  const auto key = find_generations(path_call(), scratch_.path).key;
  write_text(given() / "level_1_problem_1_sample_1999_kernel.py", "x = 2");
  EXPECT_NE(find_generations(path_call(), scratch_.path).key, key);
  const auto later = [] { return std::int64_t{1} << 40; };
  for (int i = 0; i < count; ++i) write_text(given() / (std::to_string(i) + ".jsonl"), "{}\n");
  find_rows(path_call(), scratch_.path, "", FileDigests(scratch_.path / "store", later));
  EXPECT_FALSE(fs::exists(scratch_.path / "store/file_digests.json"))
      << "every entry would write the whole cache again";
}

TEST_F(ForeignFiles, OfRowsAndResultsAreRegularFilesOfTheirFolder) {
  expect_refused("rows.jsonl", [&] { find_rows(path_call(), scratch_.path, ""); });
  fs::remove(given() / "rows.jsonl");
  const auto imported =
      contract::Call::read({{"call", "imported"}, {"args", {path_call()}}, {"named", {{"level", 1}}}});
  expect_refused("eval_results.json", [&] { find_results(imported, scratch_.path, {{1, 1}}); });
  // A file that the user named may be a link.
  write_text(scratch_.path / "own.jsonl", "{}\n");
  fs::create_symlink("own.jsonl", scratch_.path / "link.jsonl");
  EXPECT_EQ(message_of([&] { find_rows(path_call("link.jsonl"), scratch_.path, ""); }), "no error");
}

TEST_F(ForeignFiles, APromptIsNoPrivateFile) {
  const json prompt = {{"call", "path"}, {"args", {"prompt.txt"}}, {"named", json::object()}};
  expect_refused("prompt.txt",
                 [&] { asked_template(prompt, contract::KernelLanguage::triton, {}, given()); });
  // What the study names outside of its folder is meant.
  write_text(scratch_.path / "prompt.txt", "{task}");
  const json outside = {{"call", "path"}, {"args", {"../prompt.txt"}}, {"named", json::object()}};
  EXPECT_EQ(asked_template(outside, contract::KernelLanguage::triton, {}, given()), "{task}");
}

TEST_F(ForeignFiles, OfModelsAreRegularFilesOfTheirFolder) {
  const auto find = [&] { find_model(path_call(), {}, scratch_.path); };
  for (const char* name : {"config.json", "tokenizer.json", "model.safetensors", "tokenizer_config.json",
                           "chat_template.jinja", "generation_config.json"}) {
    Scratch source;
    write_model(source.path);
    fs::remove_all(given());
    fs::copy(source.path / "stdlib/windtunnel", given());
    EXPECT_EQ(message_of(find), "no error");
    expect_refused(name, find);
  }
}

TEST_F(ForeignFiles, OfStoredResultsAreRegularFilesOfTheirFolder) {
  write_text(given() / "verdicts.jsonl", "{}\n");
  describe_result(given(), {{"key", "given"}, {"slot", "exam"}});
  const auto damage = [&] {
    return Result(given(), std::make_shared<Result::Record>()).damage(Check::contents);
  };
  EXPECT_EQ(damage(), std::nullopt);
  fs::rename(given() / "verdicts.jsonl", scratch_.path / "verdicts.jsonl");
  fs::create_symlink("../verdicts.jsonl", given() / "verdicts.jsonl");
  EXPECT_NE(damage().value_or("").find("verdicts.jsonl"), std::string::npos) << damage().value_or("none");
  put_pipe("verdicts.jsonl");
  EXPECT_NE(damage().value_or("").find("isn't a file"), std::string::npos) << damage().value_or("none");
  put_pipe("stage.json");
  EXPECT_NE(damage().value_or("").find("is a named pipe"), std::string::npos) << damage().value_or("none");
}
