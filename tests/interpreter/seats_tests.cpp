// Which stage runs where, with fake workers and without: dispatch.hpp, seats.hpp, scaling.hpp, and the
// scheduler with several seats.
#include "interpreter/schedule/seats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <sstream>

#include "base/contract/stages/kinds.hpp"
#include "base/support/error.hpp"
#include "base/support/random.hpp"
#include "interpreter/report/report.hpp"
#include "interpreter/schedule/dispatch.hpp"
#include "interpreter/schedule/scaling.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/schedule/worker_seats.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

Stage stage_of(const std::string& kind, const std::string& key, const std::vector<std::string>& inputs = {}) {
  Stage stage;
  stage.kind = kind, stage.key = stage.slot = key;
  for (const auto& input : inputs) stage.inputs[input] = input;
  return stage;
}

std::vector<Seat> gpus(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back("GPU " + std::to_string(i));
  return seats_on_gpus(names);
}

std::vector<const Stage*> all_of(const Plan& plan) {
  std::vector<const Stage*> stages;
  for (const auto& stage : plan.stages) stages.push_back(&stage);
  return stages;
}

std::string order_of(const std::vector<const Stage*>& stages) {
  std::string text;
  for (const Stage* stage : stages) text += stage->key;
  return text;
}

}  // namespace

TEST(Dispatch, WhatTheLongestChainWaitsForComesFirst) {
  Plan plan;
  plan.stages = {stage_of("sample", "a"), stage_of("sample", "b"), stage_of("sample", "c"),
                 stage_of("finetune", "d", {"b"}), stage_of("sample", "e", {"d"})};
  auto stages = all_of(plan);
  const auto seconds = [](const Stage& stage, std::size_t) { return stage.key == "a" ? 25.0 : 10.0; };
  const auto paths = remaining_paths(stages, seconds);
  EXPECT_EQ(paths.at("b"), 30);
  EXPECT_EQ(paths.at("d"), 20);
  EXPECT_EQ(paths.at("a"), 25);
  sort_by_path(stages, paths);
  EXPECT_EQ(order_of(stages), "badce") << "equal ones stay in the plan's order";
}

TEST(Dispatch, FreeGpusAreDividedAmongWhatIsReady) {
  const Plan plan;
  const auto sample = stage_of("sample", "s"), finetune = stage_of("finetune", "f"),
             pretrain = stage_of("pretrain", "p");
  for (const auto& [ready, taken] :
       std::map<std::size_t, std::size_t>{{1, 8}, {2, 4}, {3, 2}, {5, 1}, {9, 1}}) {
    FreeSeats free(gpus(8), plan);
    EXPECT_EQ(free.take(sample, ready)->size(), taken) << ready;
  }
  FreeSeats free(gpus(8), plan);
  EXPECT_EQ(free.take(pretrain, 1)->size(), 1u) << "no group can carry it out";
  EXPECT_EQ(free.take(finetune, 2)->size(), 3u) << "seven are left for two";
  EXPECT_EQ(free.take(finetune, 1)->size(), 4u);
  EXPECT_FALSE(free.take(sample, 1));
}

TEST(Dispatch, NoSeatIsTakenTwice) {
  const Plan plan;
  FreeSeats free(gpus(5), plan);
  std::set<std::size_t> taken;
  const auto sample = stage_of("sample", "s");
  for (std::size_t ready = 3; auto seats = free.take(sample, ready);
       ready = std::max<std::size_t>(1, ready - 1))
    for (const std::size_t seat : *seats) EXPECT_TRUE(taken.insert(seat).second) << seat;
  EXPECT_EQ(taken, (std::set<std::size_t>{0, 1, 2, 3, 4}));
  free.give_back({1, 3});
  EXPECT_EQ(free.take(sample, 1), (std::vector<std::size_t>{1, 3}));
}

TEST(Dispatch, EachKindOfStageTakesWhatItNeeds) {
  Plan plan;
  plan.endpoints["asking"];
  const auto protocol = [](bool timed) {
    auto stage = stage_of("verify", timed ? "timed" : "modelled");
    stage.spec = {
        {"variations", {"original"}},
        {"tiny", true},
        {"compile", "all"},
        {"memory_checks", false},
        {"strict", false},
        {"limits", {{"seconds", 1}, {"memory_bytes", 1}, {"total_seconds", 1}, {"wall_seconds", 1}}}};
    if (timed)
      stage.spec["timed"] = true, stage.spec["timing"] = {{"warmup", 1}, {"trials", 1}, {"trim", 0.1}};
    else
      stage.spec["modelled_for"] = "H200";
    return stage;
  };
  const auto corpus = stage_of("corpus", "c"), draw = stage_of("draw", "d"), ask = stage_of("ask", "asking"),
             sample = stage_of("sample", "s");
  EXPECT_EQ(need_of(sample, plan, true), Need::gpu);
  EXPECT_EQ(need_of(protocol(true), plan, true), Need::gpu);
  EXPECT_EQ(need_of(protocol(false), plan, true), Need::cores);
  EXPECT_EQ(need_of(corpus, plan, true), Need::cores);
  EXPECT_EQ(need_of(draw, plan, true), Need::head);
  EXPECT_EQ(need_of(ask, plan, true), Need::server);
  EXPECT_EQ(need_of(sample, plan, false), Need::cores);
  EXPECT_EQ(need_of(protocol(false), plan, false), Need::cores);
  EXPECT_EQ(need_of(protocol(true), plan, false), Need::gpu) << "one at a time";
  FreeSeats cpu(seats_on_cpu(3), plan);
  EXPECT_TRUE(cpu.take(protocol(true), 2));
  EXPECT_FALSE(cpu.take(protocol(true), 1)) << "kernels are timed on a GPU with nothing beside them";
  // One seat serves all of them.
  FreeSeats one(gpus(1), plan);
  for (const Stage& stage : {corpus, draw, ask, sample}) {
    const auto taken = one.take(stage, 1);
    ASSERT_TRUE(taken);
    EXPECT_FALSE(one.take(stage, 1));
    one.give_back(*taken);
  }
}

TEST(Dispatch, SimulatesWhatASchedulerWouldDo) {
  // Two chains of pretrain, which takes one GPU, and a sample after both.
  Plan plan;
  plan.stages = {stage_of("pretrain", "a"), stage_of("pretrain", "b"), stage_of("pretrain", "c", {"a"}),
                 stage_of("sample", "d", {"b", "c"}), stage_of("draw", "e")};
  const auto seconds = [](const Stage& stage, std::size_t seats) {
    return (stage.kind == "draw" ? 1.0 : 10.0) / static_cast<double>(seats);
  };
  const auto stages = all_of(plan);
  const auto one = simulate(plan, stages, gpus(1), seconds);
  EXPECT_DOUBLE_EQ(one.seconds, 41) << "one after another";
  EXPECT_DOUBLE_EQ(one.gpu_seconds, 40);
  const auto two = simulate(plan, stages, gpus(2), seconds);
  EXPECT_DOUBLE_EQ(two.seconds, 25) << "a and b, c, and d on both";
  EXPECT_DOUBLE_EQ(two.gpu_seconds, 40);
  EXPECT_DOUBLE_EQ(simulate(plan, stages, gpus(4), seconds).seconds, 22.5);
  const auto cpu = simulate(plan, stages, seats_on_cpu(2), seconds);
  EXPECT_DOUBLE_EQ(cpu.seconds, 30) << "no groups";
}

// The same plan as the scheduler's, on more stages than a few: no more time than one after another, no less
// than the longest chain or than all work divided among the seats.
TEST(Dispatch, ASimulationLiesBetweenItsBounds) {
  for (unsigned round = 0; round < 50; ++round) {
    RandomStream random("simulation " + std::to_string(round));
    Plan plan;
    const auto count = 1 + random.below(40);
    std::map<std::string, double> takes;
    for (std::uint64_t i = 0; i < count; ++i) {
      std::vector<std::string> inputs;
      for (std::uint64_t j = 0; j < i; ++j)
        if (random.below(6) == 0) inputs.push_back("s" + std::to_string(j));
      plan.stages.push_back(stage_of("pretrain", "s" + std::to_string(i), inputs));
      takes["s" + std::to_string(i)] = static_cast<double>(random.below(100));
    }
    const auto stages = all_of(plan);
    const auto seconds = [&](const Stage& stage, std::size_t) { return takes.at(stage.key); };
    double work = 0, chain = 0;
    for (const auto& [key, path] : remaining_paths(stages, seconds))
      chain = std::max(chain, path), work += takes.at(key);
    EXPECT_DOUBLE_EQ(simulate(plan, stages, gpus(1), seconds).seconds, work);
    for (const std::size_t seats : {2u, 3u, 7u}) {
      const auto simulated = simulate(plan, stages, gpus(seats), seconds);
      EXPECT_DOUBLE_EQ(simulated.gpu_seconds, work);
      EXPECT_GE(simulated.seconds, std::max(chain, work / static_cast<double>(seats)) - 1e-9);
      EXPECT_LE(simulated.seconds, chain + work / static_cast<double>(seats) + 1e-9) << "Graham's bound";
    }
  }
}

TEST(Seats, AreNamedForTheUser) {
  EXPECT_EQ(gpus(1).size(), 1u);
  EXPECT_EQ(gpus(1).front().name, "") << "nothing to tell apart";
  const auto seats = gpus(4);
  EXPECT_EQ(seats_text(seats, {2}), "GPU 2");
  EXPECT_EQ(seats_text(seats, {0, 1, 3}), "GPUs 0, 1, 3");
  EXPECT_EQ(seats_text(seats_on_gpus({"GPU-8f1c2a33", "GPU-11"}), {0, 1}), "GPU-8f1c2a33, GPU-11");
  EXPECT_EQ(gpu_name("3"), "GPU 3");
  EXPECT_EQ(gpu_name("GPU-8f1c2a33-77aa-0c11"), "GPU-8f1c2a33");
}

TEST(Seats, AreTheEntriesOfTheVariableOrAllGpus) {
  using Entries = std::vector<std::string>;
  const std::string listed =
      "GPU 0: NVIDIA H200 (UUID: GPU-1)\nGPU 1: NVIDIA H200 (UUID: GPU-2)\n  MIG 1g.18gb Device 0: (UUID: "
      "MIG-3)\nGPU 2: NVIDIA H200 (UUID: GPU-4)\n";
  EXPECT_EQ(gpu_entries({}, listed), (Entries{"0", "1", "2"}));
  EXPECT_EQ(gpu_entries("2,0", listed), (Entries{"2", "0"}));
  EXPECT_EQ(gpu_entries(" 1, GPU-4", listed), (Entries{"1", "GPU-4"}));
  EXPECT_EQ(gpu_entries("1,7,0", listed), (Entries{"1"})) << "CUDA stops at one that isn't there";
  EXPECT_EQ(gpu_entries("-1", listed), Entries{});
  EXPECT_EQ(gpu_entries("", listed), Entries{});
  EXPECT_EQ(gpu_entries("4,5", ""), (Entries{"4", "5"})) << "without nvidia-smi";
  EXPECT_EQ(gpu_entries({}, ""), Entries{});
  for (const auto& [entry, id] :
       {std::pair{"1", "GPU-2"}, {"2", "GPU-4"}, {"GPU-4", "GPU-4"}, {"MIG-3", "MIG-3"}})
    EXPECT_EQ(gpu_id(entry, listed), id);
  EXPECT_EQ(wanted_gpus(3, "all"), 3u);
  EXPECT_EQ(wanted_gpus(3, "2"), 2u);
  try {
    wanted_gpus(3, "4");
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_TRUE(has(error.what(), "--gpus 4")) << error.what();
    EXPECT_TRUE(has(error.help, "--gpus 3")) << error.help;
  }
  EXPECT_THROW(wanted_gpus(0, "all"), UserError);
}

TEST(Scaling, PaysUpToWhereHalfOfTheNextStepIsSaved) {
  Scaling scaling;
  scaling.stages = 1;
  for (const auto& [count, seconds] : {std::pair{8, 50.0}, {1, 100.0}, {4, 52.0}, {2, 60.0}})
    scaling.points.push_back({count, seconds, 0, {}, {}});
  EXPECT_EQ(pays_up_to(scaling), 2) << "4 save 8 s of the 30 s that they could";
  EXPECT_TRUE(has(scaling_text(scaling), "pays up to 2"));
  EXPECT_DOUBLE_EQ(scaling.points[0].gpu_hours(), 400.0 / 3600);
}

namespace {

/// Fake workers on several seats, in threads of the scheduler.
class FakeSeats : public Seats {
 public:
  FakeSeats(std::vector<Seat> seats, std::string secret)
      : seats_(std::move(seats)), busy_(seats_.size()), secret_(std::move(secret)) {}

  const std::vector<Seat>& all() const override { return seats_; }
  StageDone run(const std::vector<std::size_t>& seats, const WorkerRequest& request,
                const WorkerEvents& events) override {
    {
      const std::lock_guard lock(mutex_);
      for (const std::size_t seat : seats) EXPECT_FALSE(busy_[seat].exchange(true)) << "seat " << seat;
      ++asked[request.stage];
      groups[request.stage].insert(seats.size());
      most = std::max(most, ++running_);
      changed_.notify_all();
    }
    const auto leave = [&] {
      const std::lock_guard lock(mutex_);
      for (const std::size_t seat : seats) busy_[seat] = false;
      --running_;
    };
    try {
      if (before) before(seats, request);
      const auto summary = fake_stage(request, secret_);
      if (events.progress) events.progress(1, 1, "thing");
      leave();
      return {summary, {}};
    } catch (...) {
      leave();
      throw;
    }
  }
  void cancel() override {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
    changed_.notify_all();
  }

  /// Waits until so many stages run at once. They stay until then, so that it comes about if it can.
  bool wait_for_running(int count) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, patience, [&] { return most >= count; });
  }
  /// Waits until the stages are cancelled, as a worker does that works for long.
  void work_until_cancelled() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, patience, [&] { return cancelled_; }));
    throw Interrupted();
  }
  std::function<void(const std::vector<std::size_t>&, const WorkerRequest&)> before;
  std::map<std::string, int> asked;
  std::map<std::string, std::set<std::size_t>> groups;  ///< how many seats stages of a kind had
  int most = 0;                                         ///< the most stages at once

 private:
  static constexpr std::chrono::seconds patience{60};
  std::vector<Seat> seats_;
  std::vector<std::atomic<bool>> busy_;
  std::string secret_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int running_ = 0;
  bool cancelled_ = false;
};

class SeveralSeats : public ::testing::Test {
 protected:
  SeveralSeats() : document_(small_study()) {
    write_model(scratch_.path);
    plan_ = make_plan(document_, "study", options(scratch_.path));
  }
  ScheduleResult run(
      StoreWriter& store, Seats& seats, const std::function<bool()>& stop = [] { return false; }) {
    Progress progress(shown_, {}, steady_seconds());
    return carry_out(plan_, store, seats, progress, stop, steady_seconds());
  }
  /// A store with the same secret as another.
  fs::path store_like(const StoreWriter& other, const std::string& name) {
    const auto root = scratch_.path / name;
    fs::create_directory(root);
    fs::copy_file(other.root() / "secret", root / "secret");
    fs::permissions(root / "secret", fs::perms::owner_read | fs::perms::owner_write);
    return root;
  }
  /// The files of all results but for the seconds that they took.
  std::map<std::string, std::string> results(const Store& store) {
    std::map<std::string, std::string> digests;
    for (const auto& stage : plan_.stages) {
      const auto description = store.stage(stage.key);
      digests[stage.key] = description.at("files").dump();
    }
    return digests;
  }
  void expect_tidy(const Store& store) {
    for (const auto& entry : fs::directory_iterator(store.root()))
      EXPECT_FALSE(entry.path().filename().string().starts_with("tmp-")) << entry.path();
  }

  Scratch scratch_;
  json document_;
  Plan plan_;
  std::ostringstream shown_;
};

}  // namespace

TEST_F(SeveralSeats, MakeTheSameResultsAsOneAndWorkAtOnce) {
  StoreWriter alone(scratch_.path / "alone");
  FakeClient worker(alone.secret());
  OneSeat one(worker);
  run(alone, one);
  for (const auto& seats : {seats_on_cpu(3), gpus(4)}) {
    SCOPED_TRACE(seats.front().name);
    StoreWriter store(store_like(alone, "beside " + seats.front().name));
    FakeSeats fake(seats, store.secret());
    const bool on_gpus = seats.front().offers == Need::gpu;
    std::atomic<bool> first = true;
    fake.before = [&](const std::vector<std::size_t>&, const WorkerRequest& request) {
      // Of seats on the CPU the first sample has one, and meanwhile the chain of the others goes on. GPUs may
      // all be given to one stage after the other.
      if (request.stage != "sample" || on_gpus || !first.exchange(false)) return;
      EXPECT_TRUE(fake.wait_for_running(2));
    };
    EXPECT_EQ(run(store, fake).executed, static_cast<int>(plan_.stages.size()));
    EXPECT_EQ(fake.asked, worker.asked);
    EXPECT_GE(fake.most, on_gpus ? 1 : 2);
    EXPECT_EQ(results(store), results(alone));
    EXPECT_EQ(run(store, fake).executed, 0);
    expect_tidy(store);
  }
}

TEST_F(SeveralSeats, AStageThatIsReadyAloneTakesAllGpusIfItCan) {
  StoreWriter store(scratch_.path / "store");
  FakeSeats fake(gpus(4), store.secret());
  run(store, fake);
  for (const auto& [kind, sizes] : fake.groups)
    if (!contract::uses_group(kind)) {
      EXPECT_EQ(sizes, std::set<std::size_t>{1}) << kind;
    }
  const auto sample = std::find_if(plan_.stages.begin(), plan_.stages.end(),
                                   [](const auto& stage) { return stage.kind == "sample"; });
  fs::remove_all(store.folder(sample->key));
  fake.groups.clear();
  EXPECT_EQ(run(store, fake).executed, 1);
  EXPECT_EQ(fake.groups["sample"], std::set<std::size_t>{4});
}

TEST_F(SeveralSeats, TheSecondsOfAGroupAreThoseOfEachOfItsGpus) {
  StoreWriter store(scratch_.path / "store");
  FakeSeats fake(gpus(4), store.secret());
  std::map<fs::path, std::size_t> taken;
  std::mutex mutex;
  fake.before = [&](const std::vector<std::size_t>& seats, const WorkerRequest& request) {
    const std::lock_guard lock(mutex);
    if (request.stage == "finetune") taken[request.checkpoint->key] = seats.size();
  };
  run(store, fake);
  for (const auto& [key, count] : taken)
    EXPECT_EQ(store.stage(key).at("summary").at("seconds").get<double>(), 0.5 * static_cast<double>(count));
}

TEST_F(SeveralSeats, ACrashCostsItsStageAlone) {
  StoreWriter store(scratch_.path / "store");
  FakeSeats fake(seats_on_cpu(3), store.secret());
  std::atomic<int> crashes = 0;
  fake.before = [&](auto&, const WorkerRequest& request) {
    if (request.stage == "finetune" && crashes++ == 0) throw WorkerCrashed("killed", "");
  };
  EXPECT_EQ(run(store, fake).executed, static_cast<int>(plan_.stages.size()));
  std::map<std::string, int> planned;
  for (const auto& stage : plan_.stages)
    if (!stage.local()) ++planned[stage.kind];
  ++planned["finetune"];
  EXPECT_EQ(fake.asked, planned);
}

TEST_F(SeveralSeats, AFailureCancelsTheOthersAndKeepsWhatIsDone) {
  StoreWriter store(scratch_.path / "store");
  FakeSeats fake(seats_on_cpu(3), store.secret());
  fake.before = [&](auto&, const WorkerRequest& request) {
    if (request.stage != "sample") return;
    static std::atomic<int> samples;
    if (samples++ > 0) fake.work_until_cancelled();
    EXPECT_TRUE(fake.wait_for_running(2));
    throw StageFailed("no memory", "buy some");
  };
  try {
    run(store, fake);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_TRUE(has(error.what(), "no memory")) << error.what();
    EXPECT_TRUE(has(error.help, "buy some"));
  }
  EXPECT_GT(plan_status(plan_, store).done, 0);
  expect_tidy(store);
  for (const auto& stage : plan_.stages) EXPECT_TRUE(store.claim(stage)) << "nobody makes it any more";
}

TEST_F(SeveralSeats, AnInterruptStopsAllThatRun) {
  StoreWriter store(scratch_.path / "store");
  FakeSeats fake(seats_on_cpu(3), store.secret());
  std::atomic<bool> stopped = false;
  std::atomic<int> interrupted = 0;
  fake.before = [&](auto&, const WorkerRequest& request) {
    if (request.stage != "sample") return;
    EXPECT_TRUE(fake.wait_for_running(3));
    stopped = true;
    ++interrupted;
    throw Interrupted();
  };
  EXPECT_THROW(run(store, fake, [&] { return stopped.load(); }), Interrupted);
  EXPECT_GE(interrupted, 2);
  expect_tidy(store);
  fake.before = {};
  run(store, fake);
  EXPECT_TRUE(plan_status(plan_, store).missing.empty());
}

TEST_F(SeveralSeats, ProgressSaysWhatRunsWhere) {
  std::ostringstream out;
  double now = 0;
  Progress progress(out, {.terminal = true, .colour = false, .width = 60}, [&] { return now; });
  ProgressSnapshot told;
  progress.observe([&](const ProgressSnapshot& snapshot) { told = snapshot; });
  progress.begin(3, 10, "none/seed 1/round 1/sample", 300, "GPU 0");
  progress.begin(4, 10, "none/seed 2/imitate/finetune", 290, "GPUs 1, 2");
  now = 2;
  out.str("");
  progress.update(5, 20, "candidates", 3);
  EXPECT_EQ(out.str(),
            "\x1b[1A\rGPU 0 [3/10] ###......... 5/20 candidates, 2.5/s, 6 s left \x1b[K\n"
            "\rGPUs 1, 2 [4/10, 4 min 48 s left]  none/seed 2/imitate/fine\x1b[K");
  ASSERT_EQ(told.running.size(), 2u);
  EXPECT_EQ(told.running[0].where, "GPU 0");
  EXPECT_EQ(told.running[1].where, "GPUs 1, 2");
  out.str("");
  progress.finish("12 of 20 kept", 3);
  EXPECT_EQ(out.str(), "\x1b[1A\r\x1b[J[3/10] none/seed 1/round 1/sample on GPU 0  2 s  12 of 20 kept\n");
  out.str("");
  progress.leave(4);
  progress.clear();
  EXPECT_EQ(out.str(), "") << "no line is left";
}
