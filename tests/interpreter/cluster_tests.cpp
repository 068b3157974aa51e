#include "interpreter/schedule/cluster.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <sstream>
#include <thread>

#include "base/support/error.hpp"
#include "interpreter/doctor/nodes.hpp"
#include "interpreter/schedule/dispatch.hpp"
#include "interpreter/schedule/scheduler.hpp"
#include "interpreter/schedule/worker_process.hpp"
#include "tests/has.hpp"
#include "tests/interpreter/fake_stages.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl;
using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using nlohmann::json;

namespace {

/// A worker at the other end of a connection that answers each request with these lines.
class Answering {
 public:
  explicit Answering(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  ~Answering() {
    for (auto& thread : threads_) thread.join();
  }
  Answering(const Answering&) = delete;
  Answering& operator=(const Answering&) = delete;

  ByteChannel connect() {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    threads_.emplace_back([this, end = ends[1]] {
      ByteChannel channel(end);
      while (const auto line = channel.read_line(1 << 20)) {
        if (line->find("\"stage\"") == std::string::npos) continue;
        if (lines_.empty()) return;
        for (const auto& answer : lines_) channel.send_line(answer);
      }
    });
    return ByteChannel(ends[0]);
  }

 private:
  std::vector<std::string> lines_;
  std::vector<std::thread> threads_;
};

class ConnectedWorker : public ::testing::Test {
 protected:
  /// How a stage ends whose worker answers so.
  WorkerCrashed crash_of(std::vector<std::string> lines) {
    Answering other(std::move(lines));
    WorkerProcess worker({.program = "",
                          .log = scratch_.path / "log",
                          .secret = "",
                          .connect = [&] { return other.connect(); }},
                         cancellation_);
    WorkerEvents events;
    events.place = [this](const std::string& where) { where_ = where; };
    try {
      worker.run({"corpus", json::object(), {}, scratch_.path / "out"}, events);
    } catch (const WorkerCrashed& crash) {
      return crash;
    }
    ADD_FAILURE() << "the worker didn't crash";
    return WorkerCrashed("", "");
  }
  Scratch scratch_;
  Interrupt interrupt_;
  Cancellation cancellation_{interrupt_};
  std::string where_;
};

/// Loses its machine so many times, then works.
class Losing : public FakeClient {
 public:
  Losing(const std::string& secret, int times) : FakeClient(secret), left_(times) {}
  StageDone run(const WorkerRequest& request, const WorkerEvents& events) override {
    if (left_-- <= 0) return FakeClient::run(request, events);
    WorkerCrashed crash("node a is gone", "");
    crash.lost = true;
    throw crash;
  }

 private:
  int left_;
};

Stage bare_stage(const std::string& kind, const json& spec) {
  Stage stage;
  stage.kind = kind, stage.key = stage.slot = kind, stage.spec = spec;
  return stage;
}

json node_of(const std::string& lacks, const std::string& not_confined) {
  return {{"id", "0123456789"},           {"name", "a"},    {"cores", 4.0}, {"gpus", 1.0}, {"lacks", lacks},
          {"not_confined", not_confined}, {"shared", false}};
}

}  // namespace

TEST(Cluster, IsDividedIntoSeatsThatEachFitANode) {
  const std::vector<ClusterNode> nodes = {{"head", 0, 0}, {"a", 4, 0}, {"b", 9, 2}};
  const auto on_cores = shares_of(nodes, {0, 0, 0}, false);
  EXPECT_EQ(on_cores.threads, 4);
  EXPECT_EQ(on_cores.workers, 3u);
  EXPECT_EQ(on_cores.gpus, 0u);
  const auto on_gpus = shares_of(nodes, {0, 0, 1}, true);
  EXPECT_EQ(on_gpus.gpus, 2u);
  EXPECT_EQ(on_gpus.workers, 11u) << "each GPU has a core";
  const auto grown = shares_of(nodes, {8, 64, 2}, false);
  EXPECT_EQ(grown.gpus, 8u);
  EXPECT_EQ(grown.workers, 64u);
}

TEST(Cluster, WithNothingToRunOnIsAnError) {
  EXPECT_THROW(shares_of({{"head", 0, 0}}, {0, 0, 0}, false), UserError);
  EXPECT_THROW(shares_of({{"a", 4, 0}}, {0, 0, 0}, true), UserError);
  EXPECT_THROW(shares_of({{"a", 4, 0}}, {0, 0, 8}, false), UserError);
}

TEST(Cluster, DealsOutVerificationAndNothingElse) {
  const json verify = {{"variations", {"original"}}, {"modelled_for", "H200"}};
  EXPECT_TRUE(can_be_shared(bare_stage("verify", verify), Need::cores, true));
  EXPECT_FALSE(can_be_shared(bare_stage("finetune", {}), Need::gpu, true));
  EXPECT_TRUE(can_be_shared(bare_stage("finetune", {}), Need::gpu));
  Plan plan;
  FreeSeats free(seats_on_cluster(0, 4), plan);
  EXPECT_EQ(free.take(bare_stage("sample", {}), 2)->size(), 1u);
}

TEST(Cluster, EveryNeedHasASeat) {
  for (const auto& seats : {seats_on_cluster(0, 1), seats_on_cluster(2, 0), seats_on_cluster(1, 1)})
    for (const Need need : {Need::cores, Need::gpu, Need::server, Need::head})
      EXPECT_TRUE(
          std::any_of(seats.begin(), seats.end(), [&](const Seat& seat) { return seat.offers == need; }));
}

TEST(Cluster, FindingsNameEachNode) {
  const auto found =
      findings_of(json::array({node_of("", ""), node_of("trl-worker isn't there", ""), node_of("", "no")}));
  EXPECT_EQ(found[0].outcome, Finding::Outcome::fine);
  EXPECT_EQ(found[0].what, "a 01234567");
  EXPECT_EQ(found[1].outcome, Finding::Outcome::lacking);
  EXPECT_EQ(found[1].found, "trl-worker isn't there");
  EXPECT_EQ(found[2].outcome, Finding::Outcome::note) << "another node confines";
  EXPECT_EQ(findings_of(json::array({node_of("", "no")}))[0].outcome, Finding::Outcome::lacking);
}

TEST_F(ConnectedWorker, ThatIsLostIsNoFaultOfTheStage) {
  const auto crash = crash_of(
      {R"({"id": 1, "event": "place", "where": "node a"})",
       R"({"id": 1, "event": "gone", "lost": true, "message": "node a is gone", "cause": "a node is gone", "log": ""})"});
  EXPECT_TRUE(crash.lost);
  EXPECT_EQ(crash.what(), std::string("node a is gone"));
  EXPECT_EQ(crash.cause, "a node is gone");
  EXPECT_EQ(where_, "node a");
}

TEST_F(ConnectedWorker, ThatDiesIsNamedWithItsLastWords) {
  const auto crash = crash_of(
      {R"({"id": 1, "event": "gone", "lost": false, "message": "m", "cause": "c", "log": "last words\n"})"});
  EXPECT_FALSE(crash.lost);
  EXPECT_EQ(crash.last_words, "last words\n");
}

TEST_F(ConnectedWorker, WhoseConnectionEndsIsLost) {
  const auto crash = crash_of({});
  EXPECT_TRUE(crash.lost);
  EXPECT_TRUE(has(crash.what(), "the connection to the cluster has ended"));
}

TEST(LostMachines, CostNoAttemptUntilThereAreTooMany) {
  for (const int times : {12, 30}) {
    Scratch scratch;
    const auto document = small_study();
    write_model(scratch.path);
    const auto plan = make_plan(document, "study", options(scratch.path));
    StoreWriter store(scratch.path / "store");
    std::ostringstream shown;
    const auto clock = [time = 0.0]() mutable { return time += 1; };
    Progress progress(shown, {}, clock);
    Losing worker(store.secret(), times);
    OneSeat seat(worker);
    const auto run = [&] {
      carry_out(
          plan, store, seat, progress, [] { return false; }, clock);
    };
    if (times > 20) {
      EXPECT_THROW(run(), UserError);
      continue;
    }
    run();
    EXPECT_TRUE(plan_status(plan, store).missing.empty());
    EXPECT_TRUE(has(shown.str(), "node a is gone; trying again"));
  }
}
