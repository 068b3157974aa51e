// The stage: files in, files out.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "runtime/worker/rows.hpp"
#include "runtime/worker/stage.hpp"
#include "tests/verify/candidates.hpp"

namespace trl::runtime {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class TestStage : public Stage {
 public:
  void progress(std::int64_t done, std::int64_t total, const std::string&) override { last = {done, total}; }
  void metric(const std::string&, std::int64_t, double) override {}
  void check_cancelled() override {
    if (cancel) throw Cancelled();
  }
  std::pair<std::int64_t, std::int64_t> last;
  bool cancel = false;
};

class VerifyStage : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/trl-verify-stage-XXXXXX";
    folder_ = mkdtemp(name);
    for (const char* part : {"tasks", "candidates", "one", "two"}) fs::create_directory(folder_ / part);
    write_text(folder_ / "tasks/tasks.json", json::array({candidates::relu().to_json()}).dump());
    std::string rows;
    const std::string wrong = candidates::relu_answer("        return x\n");
    int sample = 0;
    for (const std::string& answer : {candidates::honest_relu, wrong, candidates::honest_relu, wrong})
      rows += json{{"task", 0}, {"sample", sample++}, {"answer", answer}}.dump() + "\n";
    write_text(folder_ / "candidates/candidates.jsonl", rows);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string run(const char* output, int threads) {
    TestStage stage;
    prepare(stage, output, threads);
    const json summary = run_verify(stage);
    EXPECT_EQ(summary["candidates"], 4);
    std::ifstream in(stage.output / "verdicts.jsonl");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  void prepare(TestStage& stage, const char* output, int threads) {
    stage.spec = {
        {"variations", {"original", {{"call", "resize"}, {"args", {1.5}}, {"named", json::object()}}}},
        {"tiny", true},
        {"compile", "after_values"},
        {"memory_checks", false},
        {"strict", false},
        {"modelled_for", "H200"}};
    stage.inputs = {{"tasks", folder_ / "tasks"}, {"candidates", folder_ / "candidates"}};
    stage.output = folder_ / output;
    stage.secret = "00ff";
    stage.threads = threads;
    stage.sandbox = !candidates::unconfined();
  }

  fs::path folder_;
};

TEST_F(VerifyStage, WritesOneRowACandidateInOrderWhateverTheLanes) {
  const std::string text = run("one", 2);
  EXPECT_EQ(text, run("two", 1));
  std::vector<json> rows;
  for_each_row(folder_ / "one/verdicts.jsonl", [&](const json& row) { rows.push_back(row); });
  ASSERT_EQ(rows.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(rows[i]["sample"], i);
    EXPECT_EQ(rows[i]["correct"], i % 2 == 0) << rows[i];
    EXPECT_EQ(rows[i]["modelled"], true);
  }
  EXPECT_EQ(rows[1]["reason"], "no_kernel");
}

TEST_F(VerifyStage, StopsWhenCancelled) {
  TestStage stage;
  prepare(stage, "one", 1);
  stage.cancel = true;
  EXPECT_THROW(run_verify(stage), Cancelled);
  EXPECT_FALSE(fs::exists(folder_ / "one/verdicts.jsonl"));
}

}  // namespace
}  // namespace trl::runtime
