// Several processes of the real trl on one store at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include "base/support/files.hpp"
#include "interpreter/store/index.hpp"
#include "interpreter/store/lock.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/store_log.hpp"
#include "tests/interpreter/trl_process.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
namespace fs = std::filesystem;
using nlohmann::json;
using trl::has;

namespace {

class SharedStore : public ::testing::Test {
 protected:
  SharedStore() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "crash.trl") {
    EXPECT_EQ(folder_.trl("run study.trl --store one --out one.out").status, 0);
    alone_ = folder_.files("one.out/study");
    folder_.make_store("runs/.store", "one");
  }
  fs::path store() const { return folder_.path() / "runs/.store"; }
  static std::string name_of(pid_t process) { return "process " + std::to_string(process); }

  pid_t start(const std::string& arguments, const std::string& name,
              const TrlFolder::Environment& environment = {}) const {
    return folder_.start("exec $trl " + arguments, name, environment);
  }
  /// Starts a run that stops itself (SIGSTOP) at a step.
  pid_t start_and_stop(const std::string& step, const TrlFolder::Environment& environment = {}) const {
    auto all = environment;
    all["TRL_FAILPOINT"] = step + "=stop";
    const pid_t child = start("run study.trl", "first", all);
    while (!has(read_text("/proc/" + std::to_string(child) + "/stat"), ") T "))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return child;
  }
  void await(const std::string& file, const std::string& text) const {
    while (!fs::exists(folder_.path() / file) || !has(unwrapped(read_text(folder_.path() / file)), text))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  void kill(pid_t process, const std::string& name) const {
    ::kill(process, SIGKILL);
    EXPECT_EQ(folder_.wait(process, name).signal, SIGKILL);
  }
  void expect_whole() const {
    EXPECT_EQ(folder_.files("runs/study"), alone_);
    const auto slots = finished_stages(store());
    EXPECT_EQ(std::adjacent_find(slots.begin(), slots.end()), slots.end()) << "a stage was made twice";
    const auto plan = json::parse(folder_.trl("plan study.trl --json").out);
    EXPECT_EQ(slots.size(), plan[0].at("stages").size());
    EXPECT_EQ(folder_.trl("gc --verify").status, 0);
    EXPECT_TRUE(has(folder_.trl("run study.trl").err, "all done"));
    for (const auto& entry : fs::directory_iterator(store()))
      EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-")) << entry.path();
  }

  TrlFolder folder_;
  std::map<std::string, std::string> alone_;
};

TEST_F(SharedStore, RunsTogetherMakeEachStageOnceAndTheSameBytes) {
  for (int round = 0; round < 5; ++round) {
    std::vector<pid_t> runs;
    for (int i = 0; i < 3; ++i) runs.push_back(start("run study.trl", "run" + std::to_string(i)));
    for (int i = 0; i < 3; ++i) {
      const auto ended = folder_.wait(runs[static_cast<std::size_t>(i)], "run" + std::to_string(i));
      EXPECT_EQ(ended.status, 0) << ended.err;
      EXPECT_FALSE(has(ended.err, "the store's index")) << ended.err;
    }
    expect_whole();
    fs::remove_all(folder_.path() / "runs");
    folder_.make_store("runs/.store", "one");
  }
}

TEST_F(SharedStore, AStageOfAnotherIsWaitedForAndThenFound) {
  const pid_t first = start_and_stop("begun:4");
  const pid_t second = start("run study.trl", "second");
  await("second.err", "waiting for " + name_of(first) + " (trl run study.trl) since 20");
  const auto status = json::parse(folder_.trl("status study.trl --json").out);
  ASSERT_EQ(status.at("running").size(), 2u) << status;
  for (const auto& [at, process] : {std::pair{0u, first}, {1u, second}}) {
    const auto& run = status["running"][at];
    EXPECT_EQ(run.at("pid"), process);
    EXPECT_EQ(run.at("host"), host_name());
    EXPECT_EQ(run.at("file"), "study.trl");
    EXPECT_TRUE(has(run.at("started"), "20"));
  }
  await("runs/.store/running/2.json", R"("waiting":"process)");
  const auto text = unwrapped(folder_.trl("status study.trl").out);
  EXPECT_TRUE(has(text, "running: " + name_of(first))) << text;
  EXPECT_TRUE(has(text, "running: " + name_of(second))) << text;
  EXPECT_TRUE(has(text, "waiting for " + name_of(first))) << text;
  EXPECT_EQ(folder_.trl("plan study.trl --why").status, 0);
  EXPECT_TRUE(has(folder_.trl("table study.trl").err, "lacks"));
  ::kill(first, SIGCONT);
  EXPECT_EQ(folder_.wait(first, "first").status, 0);
  const auto ended = folder_.wait(second, "second");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(has(ended.err, "made by another run")) << ended.err;
  expect_whole();
}

TEST_F(SharedStore, OtherStagesAreMadeMeanwhile) {
  const pid_t first = start_and_stop("begun:4");
  const auto base = folder_.trl("run study.trl --only base");
  EXPECT_EQ(base.status, 0) << base.err;
  EXPECT_TRUE(has(base.err, "base/seed 1/")) << base.err;
  ::kill(first, SIGCONT);
  EXPECT_EQ(folder_.wait(first, "first").status, 0);
  expect_whole();
}

TEST_F(SharedStore, ARunThatIsKilledLeavesItsStageToTheOther) {
  for (const std::string step : {"claimed:3", "begun:5", "described:2", "renamed:6", "indexed:4"}) {
    SCOPED_TRACE(step);
    const pid_t first = start_and_stop(step);
    const pid_t second = start("run study.trl", "second");
    // A result that is in its place is found, whatever its maker still does.
    if (!has(step, "renamed") && !has(step, "indexed")) await("second.err", "waiting for");
    kill(first, "first");
    const auto ended = folder_.wait(second, "second");
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(folder_.files("runs/study"), alone_);
    EXPECT_EQ(folder_.trl("gc --verify").status, 0);
    EXPECT_TRUE(has(folder_.trl("status study.trl").out, "nothing is running"));
    EXPECT_TRUE(has(folder_.trl("run study.trl").err, "all done"));
    for (const auto& entry : fs::directory_iterator(store()))
      EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-")) << entry.path();
    fs::remove_all(folder_.path() / "runs");
    folder_.make_store("runs/.store", "one");
  }
}

TEST_F(SharedStore, StoppingOneLeavesTheOtherRunning) {
  const pid_t first = start("run study.trl", "first", {{"FAKE_WAIT", "sample"}});
  await("runs/.store/running/1.json", "round 1/sample");
  const pid_t second = start("run study.trl", "second");
  await("second.err", "waiting for " + name_of(first));
  ::kill(first, SIGINT);
  const auto stopped = folder_.wait(first, "first");
  EXPECT_EQ(stopped.status, 130) << stopped.err;
  EXPECT_TRUE(has(unwrapped(stopped.err), "Go on with: trl run study.trl")) << stopped.err;
  const auto ended = folder_.wait(second, "second");
  EXPECT_EQ(ended.status, 0) << ended.err;
  expect_whole();
}

TEST_F(SharedStore, AWaitingRunCanBeStopped) {
  const pid_t first = start_and_stop("begun");
  const pid_t second = start("run study.trl", "second");
  await("second.err", "waiting for");
  ::kill(second, SIGINT);
  EXPECT_EQ(folder_.wait(second, "second").status, 130);
  kill(first, "first");
  EXPECT_EQ(folder_.trl("run study.trl").status, 0);
  EXPECT_EQ(folder_.files("runs/study"), alone_);
}

TEST_F(SharedStore, WhatDeletesHasItAlone) {
  const pid_t run = start_and_stop("begun:4");
  for (const char* gc : {"gc --yes --keep study.trl", "gc --verify"}) {
    const auto refused = folder_.trl(gc);
    EXPECT_EQ(refused.status, 1);
    EXPECT_TRUE(has(unwrapped(refused.err), "is in use by " + name_of(run) + " (trl run study.trl)"))
        << refused.err;
    EXPECT_TRUE(has(refused.err, "--wait")) << refused.err;
  }
  EXPECT_EQ(folder_.trl("gc --keep study.trl --dry-run").status, 0);
  const pid_t gc = start("gc --wait --yes --keep-nothing", "gc", {{"TRL_FAILPOINT", "discarded=stop"}});
  await("gc.err", "waiting for " + name_of(run));
  ::kill(run, SIGCONT);
  EXPECT_EQ(folder_.wait(run, "first").status, 0);
  while (!has(read_text("/proc/" + std::to_string(gc) + "/stat"), ") T "))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto refused = folder_.trl("run study.trl");
  EXPECT_EQ(refused.status, 1);
  EXPECT_TRUE(has(unwrapped(refused.err), name_of(gc) + " (trl gc --wait")) << refused.err;
  EXPECT_TRUE(has(folder_.trl("status study.trl").out, "running: " + name_of(gc)));
  const pid_t waiting = start("run study.trl --wait", "waiting");
  await("waiting.err", "waiting for " + name_of(gc));
  ::kill(gc, SIGCONT);
  EXPECT_EQ(folder_.wait(gc, "gc").status, 0);
  EXPECT_EQ(folder_.wait(waiting, "waiting").status, 0);
  EXPECT_EQ(folder_.files("runs/study"), alone_);
}

TEST_F(SharedStore, ADamagedResultIsMadeAnewByOneOfThem) {
  ASSERT_EQ(folder_.trl("run study.trl").status, 0);
  for (const auto& entry : fs::recursive_directory_iterator(store() / "stages"))
    if (entry.path().filename() == "verdicts.jsonl") {
      write_text(entry.path(), "");
      break;
    }
  std::vector<pid_t> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(start("run study.trl", "run" + std::to_string(i)));
  for (int i = 0; i < 3; ++i) {
    const auto ended = folder_.wait(runs[static_cast<std::size_t>(i)], "run" + std::to_string(i));
    EXPECT_EQ(ended.status, 0) << ended.err;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(store() / "damaged"), fs::directory_iterator()), 1);
  EXPECT_EQ(folder_.files("runs/study"), alone_);
}

TEST_F(SharedStore, OnANetworkFileSystemIsOneRunsAtATime) {
  const TrlFolder::Environment nfs = {{"LD_PRELOAD", FAILING_DISK},
                                      {"FAILING_DISK_FILE_SYSTEM", std::to_string(0x6969)}};
  const pid_t first = start_and_stop("begun:4", nfs);
  const auto refused = folder_.trl("run study.trl", nfs);
  EXPECT_EQ(refused.status, 1);
  const auto words = unwrapped(refused.err);
  EXPECT_TRUE(has(words, "is on a network file system (NFS)")) << words;
  EXPECT_TRUE(has(words, "in use by " + name_of(first) + " (trl run study.trl)")) << words;
  EXPECT_TRUE(has(words, "--store DIR") && has(words, "running/only")) << words;
  kill(first, "first");
  const auto after = folder_.trl("run study.trl", nfs);
  EXPECT_EQ(after.status, 0) << after.err << "a process of this machine that was killed is no obstacle";
  EXPECT_FALSE(fs::exists(store() / "running/only"));
  expect_whole();
  write_text(store() / "running/only", R"({"pid": 1, "host": "elsewhere", "since": "2025-01-31 12:00:00"})");
  const auto elsewhere = folder_.trl("run study.trl", nfs);
  EXPECT_EQ(elsewhere.status, 1);
  EXPECT_TRUE(has(unwrapped(elsewhere.err), "process 1 on elsewhere since")) << elsewhere.err;
}

}  // namespace
