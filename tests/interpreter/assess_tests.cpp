// Tasks that trivial answers pass, with the real `trl` and a stand-in for trl-verify: what trl asks it, and
// what it caches.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/support/files.hpp"
#include "interpreter/assess/assessments.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;
namespace fs = std::filesystem;

namespace {

const std::string tasks = R"(suite mine {
  task degenerate_a[M = 64](x: f32[M]) = relu(x - 20)
  task sound[M = 64](x: f32[M]) = tanh(x) + abs(x)
  task unused[M = 64](x: f32[M]) = exp(x) + abs(x)
}
)";

class AssessCommand : public ::testing::Test {
 protected:
  AssessCommand() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {
    write_text(folder_.path() / "exam.trl", "import example\n" + tasks + R"(
evaluation x : example.exam { split = mine[1..2] }
experiment e : example.study { evaluate = x }
)");
    write_text(folder_.path() / "sound.trl", "import example\n" + tasks + R"(
evaluation x : example.exam { split = mine[2] }
experiment e : example.study { evaluate = x }
)");
  }
  Ended trl(const std::string& arguments, TrlFolder::Environment more = {}) const {
    more.emplace("TRL_VERIFY", FAKE_VERIFY);
    more.emplace("FAKE_VERIFY_LOG", (folder_.path() / "log").string());
    return folder_.trl(arguments, more);
  }
  /// The log of what the stand-in was asked, a line for each start.
  std::string log() const {
    return fs::exists(folder_.path() / "log") ? read_text(folder_.path() / "log") : "";
  }
  fs::path cache() const { return folder_.path() / "cache" / "trl" / "assessments"; }
  TrlFolder folder_;
};

}  // namespace

TEST_F(AssessCommand, ADegenerateTaskOfAnExamIsAnError) {
  const auto ended = trl("check exam.trl");
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.err, "exam.trl:3:8: error[degenerate_task]:") &&
              has(ended.err, "an answer of zeros passes"))
      << ended.err;
  EXPECT_EQ(log(), "2 task\n")
      << "only the tasks that an experiment uses are assessed; the library's are known";
}

TEST_F(AssessCommand, WhatWasAssessedIsRemembered) {
  const auto first = trl("check exam.trl"), second = trl("check exam.trl");
  EXPECT_EQ(first.err, second.err);
  EXPECT_EQ(log(), "2 task\n");
  // A cached assessment is found by what a task computes, whatever its name.
  write_text(folder_.path() / "again.trl", R"(import example
suite other { task renamed[M = 64](x: f32[M]) = tanh(x) + abs(x) }
evaluation x : example.exam { split = other }
experiment e : example.study { evaluate = x }
)");
  EXPECT_EQ(trl("check again.trl").out, "again.trl is fine\n");
  EXPECT_EQ(log(), "2 task\n");
}

TEST_F(AssessCommand, AnotherPrecisionIsAnotherQuestion) {
  trl("check sound.trl");
  EXPECT_EQ(trl("check sound.trl --set x.precision=half").status, 0);
  EXPECT_TRUE(has(log(), "1 task\n") && has(log(), " half\n")) << log();
}

TEST_F(AssessCommand, ADamagedMemoryIsAskedAgain) {
  trl("check sound.trl");
  const auto before = log();
  for (const auto& file : fs::directory_iterator(cache())) write_text(file.path(), "{\"degen");
  EXPECT_EQ(trl("check sound.trl").out, "sound.trl is fine\n");
  EXPECT_EQ(log(), before + before);
  EXPECT_EQ(trl("check sound.trl").out, "sound.trl is fine\n");
  EXPECT_EQ(log(), before + before) << "mended";
}

TEST_F(AssessCommand, AFolderThatCannotBeWrittenIsNoError) {
  write_text(folder_.path() / "cache", "a file where the folder should be");
  EXPECT_EQ(trl("check sound.trl").out, "sound.trl is fine\n");
  EXPECT_EQ(trl("check sound.trl").status, 0);
  EXPECT_EQ(log(), "1 task\n1 task\n");
}

TEST_F(AssessCommand, WithoutTrlVerifyTheRestIsChecked) {
  const auto ended = trl("check exam.trl --strict", {{"TRL_VERIFY", "/nowhere/trl-verify"}});
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.out, "exam.trl is fine\n");
  EXPECT_TRUE(has(ended.err, "note[degenerate_task]") && has(ended.err, "2 tasks were not tried") &&
              has(ended.err, "/nowhere/trl-verify"))
      << ended.err;
  EXPECT_EQ(trl("check exam.trl").status, 1) << "a missing trl-verify is not cached as a result";
}

TEST_F(AssessCommand, AnAnswerThatIsNoneIsSaid) {
  for (const char* mood : {"silent", "nonsense", "failing"}) {
    const auto ended = trl("check exam.trl", {{"FAKE_VERIFY_MOOD", mood}});
    EXPECT_EQ(ended.status, 0) << mood;
    EXPECT_TRUE(has(ended.err, "note[degenerate_task]")) << mood << ended.err;
  }
  EXPECT_TRUE(has(trl("check exam.trl", {{"FAKE_VERIFY_MOOD", "failing"}}).err, "no memory is left"));
}

TEST_F(AssessCommand, NothingIsSpentOnADegenerateExam) {
  for (const char* command : {"run", "plan"}) {
    const auto ended = trl(std::string(command) + " exam.trl e");
    EXPECT_EQ(ended.status, 1);
    EXPECT_TRUE(has(ended.err, "error[degenerate_task]")) << ended.err;
    EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
  }
}

TEST_F(AssessCommand, EditorsGetTheSameFinding) {
  const auto found = json::parse(trl("check exam.trl --json").out);
  ASSERT_EQ(found.size(), 1u) << found.dump(1);
  EXPECT_EQ(found[0].at("rule"), "degenerate_task");
  EXPECT_EQ(found[0].at("line"), 3);
  EXPECT_TRUE(has(trl("explain degenerate_task").out, "Breaks it:"));
}

TEST_F(AssessCommand, TheLibrarysTasksAreKnown) {
  write_text(folder_.path() / "library.trl", R"(import windtunnel
import kernelbench_like
import example
evaluation x : example.exam { split = kernelbench_like.kb_level1 + kernelbench_like.kb_level2 }
train t : example.reinforce { tasks = windtunnel.level1 + windtunnel.level2 + windtunnel.pairs }
experiment e : example.study { evaluate = x, train = t }
)");
  const auto ended = trl("check library.trl");
  EXPECT_EQ(log(), "") << "./trl renew assessed";
  EXPECT_FALSE(has(ended.err, "degenerate_task")) << ended.err;
}
