#include "interpreter/schedule/worker_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "interpreter/files.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

class WorkerTest : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"FAKE_CRASH_ONCE", "FAKE_CRASH", "FAKE_HANG", "FAKE_WAIT", "FAKE_GARBAGE",
                             "FAKE_ERROR", "FAKE_MADE_ON", "FAKE_RESUME"})
      ::unsetenv(name);
  }
  void make() {
    worker_ = std::make_unique<WorkerProcess>(WorkerOptions{.program = program_,
                                                            .log = scratch_.path / "log",
                                                            .secret = "s",
                                                            .wait_limit = std::chrono::milliseconds(50),
                                                            .together = std::chrono::milliseconds(0)},
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
