#include "interpreter/schedule/worker_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/support/files.hpp"
#include "interpreter/files.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
using trl::has;

namespace {

class WorkerTest : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"FAKE_CRASH_ONCE", "FAKE_STOP_ONCE", "FAKE_CRASH", "FAKE_HANG", "FAKE_WAIT",
                             "FAKE_GARBAGE", "FAKE_ERROR", "FAKE_MADE_ON", "FAKE_RESUME", "FAKE_LOG",
                             "FAKE_CRASH_RANK", "FAKE_LOST_RANK", "FAKE_ERROR_RANK", "FAKE_STOP_RANK"})
      ::unsetenv(name);
  }
  void make(std::chrono::milliseconds silence_limit = std::chrono::seconds(30)) {
    worker_ = std::make_unique<WorkerProcess>(WorkerOptions{.program = program_,
                                                            .log = scratch_.path / "log",
                                                            .secret = "s",
                                                            .wait_limit = std::chrono::milliseconds(50),
                                                            .together = std::chrono::milliseconds(0),
                                                            .silence_limit = silence_limit},
                                              cancellation_);
  }
  json run(const WorkerEvents& events = {}, std::optional<Checkpoint> checkpoint = {}) {
    if (!worker_) make();
    const auto output = scratch_.path / ("out" + std::to_string(++count_));
    std::filesystem::create_directory(output);
    last_output_ = output;
    auto [summary, made_on] =
        worker_->run({"corpus", {{"seed", 1}}, {}, output, std::move(checkpoint)}, events);
    made_on_ = made_on;
    return summary;
  }
  Scratch scratch_;
  /// nohup, which may have started the tests, has SIGHUP ignored, and then it stays so.
  const bool hangup_ends_ = std::signal(SIGHUP, SIG_DFL) != SIG_ERR;
  Interrupt interrupt_;
  Cancellation cancellation_{interrupt_};
  std::filesystem::path program_ = FAKE_WORKER, last_output_;
  std::unique_ptr<WorkerProcess> worker_;
  std::optional<trl::contract::MadeOn> made_on_;
  int count_ = 0;
};

}  // namespace

TEST_F(WorkerTest, CarriesOutStagesAndTellsHowFarItIs) {
  int progress = 0, metrics = 0;
  const WorkerEvents events{
      [&](auto done, auto total, auto& unit) { progress += done == 1 && total == 1 && unit == "stage"; },
      [&](auto& name, auto, auto value) { metrics += name == "loss" && value == 0.5; }};
  EXPECT_EQ(run(events)["rows"], 4);
  EXPECT_EQ(run()["rows"], 4);
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(metrics, 1);
  EXPECT_EQ(read_json_lines(last_output_ / "samples.jsonl").size(), 4u);
}

TEST_F(WorkerTest, ACrashNamesTheSignalAndTheLogsEndAndTheNextStageWorks) {
  ::setenv("FAKE_CRASH", "corpus", 1);
  try {
    run();
    FAIL() << "no crash";
  } catch (const WorkerCrashed& crash) {
    EXPECT_NE(std::string(crash.what()).find("signal 11"), std::string::npos) << crash.what();
    EXPECT_EQ(crash.last_words, "out of luck\n");
  }
  ::unsetenv("FAKE_CRASH");
  EXPECT_EQ(run()["rows"], 4);
}

TEST_F(WorkerTest, OneThatIsStoppedIsFoundByItsSilenceAndTheNextStageWorks) {
  ::setenv("FAKE_STOP_ONCE", (scratch_.path / "marker").c_str(), 1);
  make(std::chrono::seconds(1));
  try {
    run();
    FAIL() << "no crash";
  } catch (const WorkerCrashed& crash) {
    for (const char* part : {"the worker (process ", ") hasn't answered for 1 s; it is stopped"})
      EXPECT_TRUE(has(crash.what(), part)) << crash.what();
    EXPECT_EQ(crash.cause, "the worker hasn't answered");
  }
  make();
  EXPECT_EQ(run()["rows"], 4);
}

TEST_F(WorkerTest, SaysWhatAStageWasMadeOnOrNothing) {
  run();
  EXPECT_EQ(made_on_, std::nullopt);
  ::setenv("FAKE_MADE_ON", R"({"device": "cpu", "capability": "AVX2", "threads": 2})", 1);
  make();
  run();
  ASSERT_TRUE(made_on_);
  EXPECT_EQ(made_on_->capability, "AVX2");
  EXPECT_EQ(made_on_->threads, 2);
  ::setenv("FAKE_MADE_ON", R"({"device": 3})", 1);
  make();
  try {
    run();
    FAIL() << "a device that is a number";
  } catch (const WorkerCrashed& crash) {
    EXPECT_NE(std::string(crash.what()).find("`made_on.device` is 3"), std::string::npos) << crash.what();
  }
}

TEST_F(WorkerTest, GarbageIsACrash) {
  ::setenv("FAKE_GARBAGE", "corpus", 1);
  EXPECT_THROW(run(), WorkerCrashed);
}

TEST_F(WorkerTest, AnErrorEventIsAFailureWithItsHelp) {
  ::setenv("FAKE_ERROR", "corpus", 1);
  try {
    run();
    FAIL() << "no failure";
  } catch (const StageFailed& failure) {
    EXPECT_STREQ(failure.what(), "no GPU here");
    EXPECT_EQ(failure.help, "buy one");
  }
}

TEST_F(WorkerTest, AMissingProgramIsACrashThatSaysSo) {
  program_ = scratch_.path / "nowhere";
  try {
    run();
    FAIL() << "no crash";
  } catch (const WorkerCrashed& crash) {
    EXPECT_NE(crash.last_words.find("cannot start"), std::string::npos) << crash.what();
  }
}

TEST_F(WorkerTest, AnInterruptCancelsTheStage) {
  ::setenv("FAKE_WAIT", "corpus", 1);
  const WorkerEvents events{[](auto, auto, auto&) { ::raise(SIGINT); }, {}};
  EXPECT_THROW(run(events), Interrupted);
}

TEST_F(WorkerTest, ATerminalThatIsClosedCancelsTheStage) {
  ::setenv("FAKE_WAIT", "corpus", 1);
  const WorkerEvents events{[](auto, auto, auto&) { ::raise(SIGHUP); }, {}};
  EXPECT_THROW(run(events), Interrupted);
}

TEST(Interrupt, AHangupThatNohupHasIgnoredStaysIgnored) {
  std::signal(SIGHUP, SIG_IGN);
  {
    const Interrupt interrupt;
    ::raise(SIGHUP);
    EXPECT_FALSE(interrupt.requested());
    ::raise(SIGTERM);
    EXPECT_TRUE(interrupt.requested());
  }
  EXPECT_EQ(std::signal(SIGHUP, SIG_DFL), SIG_IGN);
}

TEST_F(WorkerTest, AWorkerThatIgnoresTheCancelIsKilled) {
  ::setenv("FAKE_HANG", "corpus", 1);
  const WorkerEvents events{[](auto, auto, auto&) { ::raise(SIGTERM); }, {}};
  EXPECT_THROW(run(events), Interrupted);
}

TEST_F(WorkerTest, TellsWhereCheckpointsAreAndThatAStageGoesOnFromOne) {
  ::setenv("FAKE_RESUME", "corpus", 1);
  std::vector<std::string> notes;
  std::int64_t done = 0, total = 0;
  WorkerEvents events;
  events.note = [&](const std::string& sentence) { notes.push_back(sentence); };
  events.resumed = [&](std::int64_t steps, std::int64_t all) { done = steps, total = all; };
  run(events, Checkpoint{"/somewhere/key", "key"});
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(json::parse(notes[0]), (json{{"folder", "/somewhere/key"}, {"key", "key"}, {"seconds", 60}}));
  EXPECT_EQ(done, 3);
  EXPECT_EQ(total, 10);
  run(events);
  EXPECT_EQ(notes.size(), 1u) << "without a checkpoint nothing is said of one";
}

// Such a worker may take a minute to write its checkpoint, unless the user asks once more.
TEST_F(WorkerTest, ASecondInterruptDoesNotWaitForACheckpoint) {
  ::setenv("FAKE_HANG", "corpus", 1);
  std::atomic<bool> ended = false;
  std::thread user;
  const WorkerEvents events{[&](auto, auto, auto&) {
                              ::kill(::getpid(), SIGINT);
                              user = std::thread([&] {
                                while (!ended) {
                                  ::kill(::getpid(), SIGINT);
                                  std::this_thread::yield();
                                }
                              });
                            },
                            {}};
  EXPECT_THROW(run(events, Checkpoint{"/somewhere/key", "key"}), Interrupted);
  ended = true;
  user.join();
}

namespace {

/// Three workers that carry out a stage together.
class GangTest : public WorkerTest {
 protected:
  GangTest() {
    for (int gpu = 0; gpu < 3; ++gpu)
      workers_.push_back(std::make_unique<WorkerProcess>(
          WorkerOptions{.program = FAKE_WORKER,
                        .log = scratch_.path / ("log" + std::to_string(gpu)),
                        .secret = "s",
                        .wait_limit = std::chrono::milliseconds(50),
                        .together = std::chrono::milliseconds(0),
                        .place = "GPU " + std::to_string(gpu + 4),
                        .environment = {"CUDA_VISIBLE_DEVICES=" + std::to_string(gpu + 4)},
                        .silence_limit = std::chrono::milliseconds(1000)},
          cancellation_));
  }
  json run_all(const WorkerEvents& events = {}) {
    const auto output = scratch_.path / ("out" + std::to_string(++count_));
    std::filesystem::create_directory(output);
    last_output_ = output;
    std::vector<WorkerProcess*> ranks;
    for (const auto& worker : workers_) ranks.push_back(worker.get());
    return run_together(ranks, {"corpus", {{"seed", 1}}, {}, output}, events).summary;
  }
  /// The crash of a stage on all three.
  WorkerCrashed crash() {
    try {
      run_all();
    } catch (const WorkerCrashed& crash) {
      return crash;
    }
    throw std::runtime_error("no crash");
  }
  /// Nothing but outputs is left beside the outputs, and after what went wrong the next stage works.
  void expect_tidy() {
    for (const auto& entry : std::filesystem::directory_iterator(scratch_.path))
      EXPECT_FALSE(has(entry.path().filename().string(), "-")) << entry.path();
    for (const char* name :
         {"FAKE_CRASH_RANK", "FAKE_ERROR_RANK", "FAKE_STOP_RANK", "FAKE_LOST_RANK", "FAKE_WAIT", "FAKE_HANG"})
      ::unsetenv(name);
    EXPECT_EQ(run_all()["rows"], 4);
  }
  /// The ids of this process's children, as a line.
  static std::string children() {
    std::string all;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task"))
      all += trl::read_text(task.path() / "children");
    return all + "\n";
  }
  std::vector<std::unique_ptr<WorkerProcess>> workers_;
};

}  // namespace

TEST_F(GangTest, RanksMeetAndTheFirstAnswers) {
  const auto log = scratch_.path / "stages";
  ::setenv("FAKE_LOG", log.c_str(), 1);
  int progress = 0;
  const WorkerEvents events{[&](auto, auto, auto&) { ++progress; }, {}};
  EXPECT_EQ(run_all(events)["rows"], 4);
  EXPECT_EQ(progress, 1);
  EXPECT_EQ(read_json_lines(last_output_ / "samples.jsonl").size(), 4u);
  std::istringstream lines(trl::read_text(log));
  std::set<std::string> told;
  for (std::string line; std::getline(lines, line);) told.insert(line);
  EXPECT_EQ(told, (std::set<std::string>{"corpus 0 3 4", "corpus 1 3 5", "corpus 2 3 6"}));
  expect_tidy();
}

TEST_F(GangTest, ARankThatDiesEndsAllAndIsNamed) {
  ::setenv("FAKE_CRASH_RANK", "1", 1);
  const auto crash = this->crash();
  for (const char* part : {"rank 1 of 3 on GPU 5", "signal 11"})
    EXPECT_TRUE(has(crash.what(), part)) << crash.what();
  EXPECT_EQ(crash.log, scratch_.path / "log1");
  expect_tidy();
}

// Another rank may tell of the end before it is seen here.
TEST_F(GangTest, ARankThatAnotherHasLostHasCrashed) {
  ::setenv("FAKE_LOST_RANK", "1", 1);
  const auto crash = this->crash();
  EXPECT_TRUE(has(crash.what(), "rank 1 of 3 on GPU 5")) << crash.what();
  expect_tidy();
}

TEST_F(GangTest, ARankThatIsStoppedIsFoundByItsSilence) {
  ::setenv("FAKE_STOP_RANK", "2", 1);
  const auto crash = this->crash();
  for (const char* part : {"the worker on GPU 6 (process ", ") hasn't answered for 1 s; it is stopped"})
    EXPECT_TRUE(has(crash.what(), part)) << crash.what();
  EXPECT_EQ(crash.cause, "the worker on GPU 6 hasn't answered") << "the same for another process";
  expect_tidy();
}

TEST_F(GangTest, AnErrorOfAnyRankFailsTheStage) {
  ::setenv("FAKE_ERROR_RANK", "1", 1);
  try {
    run_all();
    FAIL() << "no failure";
  } catch (const StageFailed& failure) {
    EXPECT_STREQ(failure.what(), "rank 1 of 3 on GPU 5: no memory");
    EXPECT_EQ(failure.help, "buy some");
  }
  expect_tidy();
}

TEST_F(GangTest, ACancellationReachesAllRanks) {
  ::setenv("FAKE_WAIT", "corpus", 1);
  const WorkerEvents events{[&](auto, auto, auto&) { cancellation_.request(); }, {}};
  EXPECT_THROW(run_all(events), Interrupted);
}

TEST_F(GangTest, RanksThatIgnoreTheCancelAreKilled) {
  ::setenv("FAKE_HANG", "corpus", 1);
  const WorkerEvents events{[](auto, auto, auto&) { ::raise(SIGINT); }, {}};
  EXPECT_THROW(run_all(events), Interrupted);
}

// A child that dies with us dies with the thread that started it, and stages run in threads that come and go.
TEST_F(GangTest, WorkersOutliveTheThreadThatStartedThem) {
  const auto log = scratch_.path / "pids";
  for (int i = 0; i < 2; ++i) {
    std::thread([&] { EXPECT_EQ(run_all()["rows"], 4); }).join();
    std::ofstream(log, std::ios::app) << children();
  }
  std::istringstream lines(trl::read_text(log));
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  EXPECT_EQ(first, second) << "the same processes carried out both stages";
}
