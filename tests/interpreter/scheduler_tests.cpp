#include "interpreter/schedule/scheduler.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "interpreter/files.hpp"
#include "interpreter/report/report.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A clock that advances one second with every reading, so that measured seconds are reproducible.
Progress::Clock steps() {
  return [time = 0.0]() mutable { return time += 1; };
}

class SchedulerTest : public ::testing::Test {
 protected:
  SchedulerTest() : document_(small_study()) {
    write_model(scratch_.path);
    plan_ = make_plan(document_, "study", options(scratch_.path));
  }
  ScheduleResult run(
      StoreWriter& store, WorkerClient& worker, const std::function<bool()>& stop = [] { return false; }) {
    Progress progress(shown_, {}, steps());
    OneSeat seat(worker);
    return carry_out(plan_, store, seat, progress, stop, steps());
  }
  std::map<std::string, std::string> report(const fs::path& store) {
    return make_report(request_for(document_, "study"), document_, plan_, Store(store), {}).files;
  }
  Scratch scratch_;
  json document_;
  Plan plan_;
  std::ostringstream shown_;
};

}  // namespace

TEST_F(SchedulerTest, CarriesOutEveryStageOnceAndThenNothing) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  EXPECT_EQ(run(store, worker).executed, static_cast<int>(plan_.stages.size()));
  const auto asked = worker.asked;
  EXPECT_EQ(run(store, worker).executed, 0);
  EXPECT_EQ(worker.asked, asked);
  EXPECT_EQ(plan_status(plan_, store).missing.size(), 0u);
}

TEST_F(SchedulerTest, ACrashedWorkerIsTriedOnceMore) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  worker.crashes = 1;
  run(store, worker);
  EXPECT_EQ(worker.asked["corpus"], 2);
  EXPECT_NE(shown_.str().find("signal 11"), std::string::npos);
}

TEST_F(SchedulerTest, OtherCrashesAndThoseThatComeFurtherAreTriedAgain) {
  using Ends = std::vector<std::pair<std::string, int>>;
  const auto tries = [&](const Ends& ends) {
    StoreWriter store(scratch_.path / ("store" + std::to_string(ends.size()) + ends.back().first));
    FakeClient worker(store.secret());
    worker.ends = ends, worker.crashes = static_cast<int>(ends.size());
    bool ended = false;
    try {
      run(store, worker);
    } catch (const UserError&) {
      ended = true;
    }
    return std::pair(worker.asked["corpus"], ended);
  };
  EXPECT_EQ(tries({{"killed", 5}, {"out of memory", 5}}), std::pair(3, false)) << "another cause";
  EXPECT_EQ(tries({{"killed", 5}, {"killed", 9}, {"killed", 12}}), std::pair(4, false))
      << "each crash comes further";
  EXPECT_EQ(tries({{"killed", 5}, {"stuck", 2}, {"killed", 5}, {"never", 0}}), std::pair(3, true))
      << "no further";
  EXPECT_EQ(tries({{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}, {"e", 1}, {"f", 1}}), std::pair(5, true))
      << "a bound";
}

// A stage that scores answers before its steps counts both, one after the other.
TEST_F(SchedulerTest, HowFarACrashedStageCameIsCountedInItsLastUnit) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  int tries = 0;
  worker.before = [&](const WorkerRequest& request, const WorkerEvents& events) {
    if (request.stage != "finetune" || ++tries > 3) return;
    events.progress(576, 640, "answers scored");
    events.progress(10 * tries, 40, "steps");
    throw WorkerCrashed("killed", "");
  };
  run(store, worker);
  EXPECT_GT(tries, 3);
}

TEST_F(SchedulerTest, ASecondCrashNamesStageSignalAndLastWords) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  worker.crashes = 2;
  try {
    run(store, worker);
    FAIL() << "no error";
  } catch (const UserError& error) {
    const std::string message = error.what();
    for (const char* part : {"corpus", "signal 11", "last words"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  for (const auto& entry : fs::directory_iterator(store.root()))
    EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-"));
}

// What a stage had told before it was interrupted is told again by the worker that goes on from its
// checkpoint.
TEST_F(SchedulerTest, AStageThatGoesOnFromACheckpointHasEachMetricOnce) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  std::map<std::string, int> tries;
  std::string checkpointed;
  worker.before = [&](const WorkerRequest& request, const WorkerEvents& events) {
    EXPECT_EQ(request.checkpoint.has_value(), request.stage == "finetune" || request.stage == "pretrain")
        << request.stage;
    if (!request.checkpoint) return;
    const auto& [folder, key] = *request.checkpoint;
    EXPECT_EQ(folder, store.checkpoint_folder(key));
    if (!checkpointed.empty() && key != checkpointed) return;
    checkpointed = key;
    if (++tries[key] == 1) {
      events.metric("loss", 0, 0.9);
      events.metric("loss", 1, 0.8);
      fs::create_directories(folder);
      write_text(folder / "training.safetensors", "");
      throw WorkerCrashed("trl-worker was killed by signal 9 (Killed)", "");
    }
    events.note("a sentence");
    events.resumed(1, 3);
    events.metric("loss", 0, 0.9);
    events.metric("loss", 1, 0.8);
    events.metric("loss", 2, 0.7);
  };
  run(store, worker);
  ASSERT_EQ(tries[checkpointed], 2);
  const auto lines = read_json_lines(store.folder(checkpointed) / "metrics.jsonl");
  ASSERT_EQ(lines.size(), 3u);
  for (int step = 0; step < 3; ++step) EXPECT_EQ(lines[static_cast<std::size_t>(step)].at("step"), step);
  EXPECT_NE(shown_.str().find("goes on after 1 of 3 steps"), std::string::npos) << shown_.str();
  EXPECT_NE(shown_.str().find("a sentence"), std::string::npos) << shown_.str();
  EXPECT_FALSE(fs::exists(store.checkpoint_folder(checkpointed))) << "the stage is stored";
}

TEST_F(SchedulerTest, StopsBetweenStagesAndKeepsWhatIsDone) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  int asked = 0;
  EXPECT_THROW(run(store, worker, [&] { return ++asked > 5; }), Interrupted);
  EXPECT_EQ(plan_status(plan_, store).done, 5);
}

// kill -9 after any write, rename or sync: the next run goes on, and the report has the same bytes.
TEST_F(SchedulerTest, KilledAnywhereAndResumedItReportsTheSame) {
  const fs::path whole = scratch_.path / "whole", killed = scratch_.path / "killed";
  {
    StoreWriter store(whole);
    FakeClient worker(store.secret());
    run(store, worker);
  }
  fs::create_directory(killed);
  fs::copy_file(whole / "secret", killed / "secret");
  fs::permissions(killed / "secret", fs::perms::owner_read | fs::perms::owner_write);

  RandomStream random("kill");
  int kills = 0;
  for (bool finished = false; !finished;) {
    ASSERT_LT(kills, 1000);
    const auto steps_to_live = 1 + random.below(25);
    const pid_t child = ::fork();
    if (child == 0) {
      std::uint64_t taken = 0;
      StoreWriter store(killed, [&](const char*) {
        if (++taken == steps_to_live) ::kill(::getpid(), SIGKILL);
      });
      FakeClient worker(store.secret());
      run(store, worker);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    finished = WIFEXITED(status);
    kills += !finished;
  }
  EXPECT_GE(kills, 10);
  EXPECT_EQ(report(killed), report(whole));
}

TEST_F(SchedulerTest, ReportsTheSameBytesEveryTime) {
  StoreWriter store(scratch_.path / "store");
  FakeClient worker(store.secret());
  run(store, worker);
  const auto first = report(store.root());
  EXPECT_EQ(first, report(store.root()));
  for (const char* file : {"main.md", "main.csv", "main.values.csv", "main.json", "learning.csv",
                           "learning.svg", "hypotheses.json", "provenance.json"})
    EXPECT_TRUE(first.contains(file)) << file;
}
