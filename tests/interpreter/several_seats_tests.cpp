// The real trl with several workers: on the CPU, and on GPUs that a stand-in for nvidia-smi lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "base/support/files.hpp"
#include "interpreter/store/index.hpp"
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

class SeveralSeatsOfTrl : public ::testing::Test {
 protected:
  SeveralSeatsOfTrl() : folder_(TRL, FAKE_WORKER, fs::path(SOURCE) / "small.trl") {
    EXPECT_EQ(folder_.trl("run study.trl study --store one --out one.out").status, 0);
    alone_ = folder_.files("one.out/study");
    folder_.make_store("runs/.store", "one");
  }
  fs::path store() const { return folder_.path() / "runs/.store"; }
  /// The environment of a machine with so many GPUs.
  TrlFolder::Environment machine_with(int gpus, TrlFolder::Environment environment = {}) const {
    fs::create_directories(folder_.path() / "bin");
    {
      std::ofstream script(folder_.path() / "bin/nvidia-smi");
      script << "#!/bin/sh\n";
      for (int i = 0; i < gpus; ++i)
        script << "echo 'GPU " << i << ": NVIDIA H200 (UUID: GPU-" << i << ")'\n";
    }
    fs::permissions(folder_.path() / "bin/nvidia-smi", fs::perms::owner_all);
    environment["PATH"] = (folder_.path() / "bin").string() + ":" + std::getenv("PATH");
    environment.try_emplace("TRL_GPU_LOCKS", folder_.path() / "locks");
    return environment;
  }
  void expect_whole() const {
    EXPECT_EQ(folder_.files("runs/study"), alone_);
    expect_sound();
  }
  /// Nothing is damaged, left over or made twice.
  void expect_sound() const {
    EXPECT_EQ(folder_.trl("gc --verify").status, 0);
    for (const auto& entry : fs::directory_iterator(store()))
      EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-")) << entry.path();
    const auto slots = finished_stages(store());
    EXPECT_EQ(std::adjacent_find(slots.begin(), slots.end()), slots.end()) << "a stage was made twice";
  }
  /// Waits until the run's progress has so many stages at once.
  void await_running(std::size_t count) const {
    while (true) {
      const auto text = text_if_there(store() / "running/1.json").value_or("");
      const auto progress = json::parse(text, nullptr, false);
      if (progress.is_object() && progress.value("running", json::array()).size() >= count) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }

  TrlFolder folder_;
  std::map<std::string, std::string> alone_;
};

TEST_F(SeveralSeatsOfTrl, WorkersOnTheCpuMakeTheSameReport) {
  const auto ended = folder_.trl("run study.trl study --workers 3");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(has(ended.err, " on worker 1  ")) << ended.err;
  EXPECT_TRUE(has(ended.err, " on worker 2  ")) << ended.err;
  expect_whole();
}

TEST_F(SeveralSeatsOfTrl, GpusHaveAWorkerEachAndGroupsOfThem) {
  const auto log = folder_.path() / "stages";
  const auto ended = folder_.trl("run study.trl study --device cuda",
                                 machine_with(4, {{"FAKE_LOG", log}, {"CUDA_VISIBLE_DEVICES", "3,0,2"}}));
  EXPECT_EQ(ended.status, 0) << ended.err;
  expect_sound();
  // Other files have the column `cost`: the fake worker takes as long in a group as alone, on each GPU.
  for (const char* file : {"main.values.csv", "learning.csv", "hypotheses.json"})
    EXPECT_EQ(folder_.files("runs/study").at(file), alone_.at(file));
  std::istringstream lines(read_text(log));
  std::set<std::string> gpus;
  std::set<int> sizes;
  std::string kind, visible;
  for (int rank = 0, size = 0; lines >> kind >> rank >> size >> visible;) {
    if (kind == "verify" || kind == "corpus") {
      EXPECT_EQ(visible, "3,0,2") << "on the cores, the environment is as it was";
      continue;
    }
    gpus.insert(visible), sizes.insert(size);
  }
  EXPECT_EQ(gpus, (std::set<std::string>{"0", "2", "3"}));
  EXPECT_TRUE(sizes.contains(3)) << "the first stage that trains has all of them";
  EXPECT_TRUE(has(ended.err, " on GPUs 3, 0, 2  ")) << ended.err;
}

TEST_F(SeveralSeatsOfTrl, OneOfSeveralGpusIsUsedAsTheOnlyOne) {
  const auto log = folder_.path() / "stages";
  const auto ended = folder_.trl("run study.trl study --gpus 1", machine_with(4, {{"FAKE_LOG", log}}));
  EXPECT_EQ(ended.status, 0) << ended.err;
  expect_whole();
  EXPECT_FALSE(has(ended.err, "GPU 0")) << ended.err;
  std::istringstream lines(read_text(log));
  for (std::string line; std::getline(lines, line);) EXPECT_TRUE(has(line, " 0 1 0")) << line;
}

TEST_F(SeveralSeatsOfTrl, ACrashOfOneRankIsTriedOnceMore) {
  const auto once = folder_.trl("run study.trl study --gpus 2",
                                machine_with(2, {{"FAKE_CRASH_ONCE", folder_.path() / "marker"}}));
  EXPECT_EQ(once.status, 0) << once.err;
  EXPECT_TRUE(has(once.err, "trying again")) << once.err;
  expect_sound();
  folder_.make_store("again", "one");
  const auto always =
      folder_.trl("run study.trl study --store again --gpus 2", machine_with(2, {{"FAKE_CRASH_RANK", "1"}}));
  EXPECT_EQ(always.status, 1);
  for (const char* part : {"failed twice", "rank 1 of 2 on GPU 1", "signal 11", "worker.1.log"})
    EXPECT_TRUE(has(unwrapped(always.err), part)) << part << "\n" << always.err;
}

TEST_F(SeveralSeatsOfTrl, MoreGpusThanThereAreIsAnError) {
  const auto ended = folder_.trl("run study.trl study --gpus 5", machine_with(4));
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.err, "this machine has 4")) << ended.err;
  const auto hidden =
      folder_.trl("run study.trl study --gpus 2", machine_with(4, {{"CUDA_VISIBLE_DEVICES", "1"}}));
  EXPECT_EQ(hidden.status, 1);
  EXPECT_TRUE(has(hidden.err, "CUDA_VISIBLE_DEVICES lists 1")) << hidden.err;
  const auto contrary = folder_.trl("run study.trl study --workers 2 --gpus 2", machine_with(4));
  EXPECT_EQ(contrary.status, 2);
}

TEST_F(SeveralSeatsOfTrl, RunsHaveTheirGpusForThemselves) {
  for (const char* other : {"other", "third"}) folder_.make_store(other, "one");
  const auto log = folder_.path() / "stages";
  const pid_t first = folder_.start("exec $trl run study.trl study --gpus 2", "first",
                                    machine_with(3, {{"FAKE_WAIT", "sample"}}));
  await_running(1);
  const auto used =
      "GPU 0 is used by process " + std::to_string(first) + " (trl run study.trl study --gpus 2)";

  const auto two = folder_.trl("run study.trl study --gpus 2 --store other", machine_with(3));
  EXPECT_EQ(two.status, 1);
  for (const char* part : {"only one GPU is free: ", "Write --gpus 1", used.c_str(), "; GPU 1 by process "})
    EXPECT_TRUE(has(unwrapped(two.err), part)) << part << two.err;
  const auto none = folder_.trl("run study.trl study --gpus 1 --store other",
                                machine_with(3, {{"CUDA_VISIBLE_DEVICES", "1,0"}}));
  EXPECT_EQ(none.status, 1);
  EXPECT_TRUE(has(unwrapped(none.err), "no GPU is free: GPU 1 is used by process ")) << none.err;

  const auto rest = folder_.trl("run study.trl study --device cuda --store other --out other.out",
                                machine_with(3, {{"FAKE_LOG", log}}));
  EXPECT_EQ(rest.status, 0) << rest.err;
  EXPECT_TRUE(has(unwrapped(rest.err), used.c_str())) << rest.err;
  EXPECT_TRUE(has(unwrapped(rest.err), "; this run takes GPU 2")) << rest.err;
  EXPECT_FALSE(has(read_text(log), " 0 1 0\n")) << read_text(log);
  EXPECT_EQ(folder_.files("other.out/study"), alone_);
  // What is done needs no GPU.
  EXPECT_EQ(folder_.trl("run study.trl study --gpus 3 --store other --out other.out", machine_with(3)).status,
            0);
  // Who wants to share says so.
  EXPECT_EQ(folder_
                .trl("run study.trl study --gpus 1 --store third --out third.out",
                     machine_with(3, {{"TRL_GPU_LOCKS", ""}}))
                .status,
            0);

  ::kill(first, SIGKILL);
  folder_.wait(first, "first");
  EXPECT_EQ(folder_.trl("run study.trl study --gpus 3", machine_with(3)).status, 0)
      << "a lock ends with its process";
}

TEST_F(SeveralSeatsOfTrl, AnInterruptStopsAllStagesAndTheNextRunGoesOn) {
  const pid_t run =
      folder_.start("exec $trl run study.trl study --workers 3", "run", {{"FAKE_WAIT", "sample"}});
  await_running(3);
  const auto status = folder_.trl("status study.trl study").out;
  for (const char* worker : {" on worker 1", " on worker 2", " on worker 3"})
    EXPECT_TRUE(has(status, worker)) << status;
  ::kill(run, SIGINT);
  const auto ended = folder_.wait(run, "run");
  EXPECT_EQ(ended.status, 130) << ended.err;
  EXPECT_TRUE(has(ended.err, "trl: stopped; ")) << ended.err;
  EXPECT_EQ(folder_.trl("run study.trl study --workers 3").status, 0);
  expect_whole();
}

TEST_F(SeveralSeatsOfTrl, AFailureOfOneEndsTheRun) {
  const auto ended = folder_.trl("run study.trl study --workers 3", {{"FAKE_ERROR", "sample"}});
  EXPECT_EQ(ended.status, 1);
  EXPECT_TRUE(has(ended.err, "no GPU here")) << ended.err;
  EXPECT_EQ(folder_.trl("run study.trl study").status, 0);
  expect_whole();
}

TEST_F(SeveralSeatsOfTrl, KilledWithSeveralStagesRunningItGoesOn) {
  const pid_t run =
      folder_.start("exec $trl run study.trl study --workers 3", "run", {{"FAKE_WAIT", "sample"}});
  await_running(3);
  ::kill(run, SIGKILL);
  EXPECT_EQ(folder_.wait(run, "run").signal, SIGKILL);
  const auto ended = folder_.trl("run study.trl study --workers 2");
  EXPECT_EQ(ended.status, 0) << ended.err;
  expect_whole();
}

TEST_F(SeveralSeatsOfTrl, KilledAtItsStepsItGoesOn) {
  for (const std::string step : {"begun", "described", "renamed", "rename synced", "indexed"})
    for (const int passing : {3, 9}) {
      SCOPED_TRACE(step + ":" + std::to_string(passing));
      folder_.trl("run study.trl study --workers 3",
                  {{"TRL_FAILPOINT", step + ":" + std::to_string(passing) + "=kill"}});
    }
  EXPECT_EQ(folder_.trl("run study.trl study --workers 3").status, 0);
  EXPECT_EQ(folder_.files("runs/study"), alone_);
  EXPECT_EQ(folder_.trl("gc --verify").status, 0);
}

TEST_F(SeveralSeatsOfTrl, ADamagedInputIsMadeAnewWhileOthersGoOn) {
  EXPECT_EQ(folder_.trl("run study.trl study").status, 0);
  const auto plan = json::parse(folder_.trl("plan study.trl study --json").out)[0];
  const auto folder = [&](const std::string& key) { return store() / "stages" / key.substr(0, 2) / key; };
  for (const char* workers : {"1", "3"}) {
    SCOPED_TRACE(workers);
    bool damaged = false;
    for (const auto& stage : plan.at("stages")) {
      if (stage.at("kind") != "verify" || !stage.at("slot").get<std::string>().ends_with("exam/verify"))
        continue;
      fs::remove_all(folder(stage.at("key")));
      if (std::exchange(damaged, true)) continue;
      // A change that leaves the size as it is is found when the file is read.
      std::fstream file(folder(stage.at("inputs").at("candidates")) / "candidates.jsonl");
      file.seekp(3);
      file.put('#');
    }
    const auto ended = folder_.trl(std::string("run study.trl study --workers ") + workers);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_TRUE(has(ended.err, "damaged")) << ended.err;
    EXPECT_EQ(folder_.files("runs/study"), alone_);
    fs::remove_all(store() / "damaged");
  }
}

TEST_F(SeveralSeatsOfTrl, TwoRunsShareAStore) {
  std::vector<pid_t> runs;
  for (const char* name : {"first", "second"})
    runs.push_back(folder_.start("exec $trl run study.trl study --workers 2", name));
  for (const auto& [run, name] : {std::pair{runs[0], "first"}, {runs[1], "second"}}) {
    const auto ended = folder_.wait(run, name);
    EXPECT_EQ(ended.status, 0) << ended.err;
  }
  expect_whole();
}

TEST_F(SeveralSeatsOfTrl, APlanIsSimulatedOnSeveralNumbersOfGpus) {
  const auto unknown = folder_.trl("plan study.trl study --gpus 1,2,4");
  EXPECT_EQ(unknown.status, 0) << unknown.err;
  EXPECT_TRUE(has(unknown.out, "no simulation: the shape of the model of `study` is unknown")) << unknown.out;
  EXPECT_EQ(folder_.trl("run study.trl study --only none").status, 0);
  const auto shown = folder_.trl("plan study.trl study --gpus 1,2,4");
  for (const char* part : {"simulated", "Adding GPUs pays up to", "What bounds 4 GPUs"})
    EXPECT_TRUE(has(shown.out, part)) << part << shown.out;
  const auto read = json::parse(folder_.trl("plan study.trl study --gpus 1,2,4 --json").out)[0].at("gpus");
  ASSERT_EQ(read.at("points").size(), 3u);
  EXPECT_EQ(read.at("measured"), read.at("stages")) << "there are finished ones of each kind";
  double before = 1e300;
  for (const auto& point : read["points"]) {
    EXPECT_LE(point.at("seconds").get<double>(), before);
    before = point["seconds"];
  }
  for (const char* wrong : {"0", "two", "1,,2", "-1"})
    EXPECT_EQ(folder_.trl(std::string("plan study.trl study --gpus ") + wrong).status, 2) << wrong;
}

}  // namespace
