// Worker slots: deadlines hold and nothing is lost or swapped, whatever processes do.
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "interpreter/serve/pool.hpp"
#include "tests/interpreter/fixture.hpp"

using namespace trl::interpreter;
using namespace trl::interpreter::testing;
using namespace std::chrono_literals;
using Kind = SlotResult::Kind;

namespace {

/// A pool of the stand-in for trl-verify, and the results of what it was given.
class FakePool {
 public:
  explicit FakePool(std::size_t slots, std::size_t most_waiting = 1000) {
    PoolOptions options;
    options.program = FAKE_VERIFY;
    options.secret = "secret", options.slots = slots, options.most_waiting = most_waiting;
    pool.emplace(options);
  }

  std::optional<Pool::Ticket> submit(const std::string& answer, std::chrono::milliseconds deadline = 60s,
                                     const std::string& client = "somebody") {
    const auto ticket =
        pool->submit({client, nlohmann::json::object(), answer, nlohmann::json::object(), false},
                     Pool::Clock::now() + deadline, [this, answer](SlotResult result) {
                       const std::lock_guard lock(mutex_);
                       results_.emplace_back(answer, std::move(result));
                       changed_.notify_all();
                     });
    return ticket;
  }

  /// Waits for this many results.
  const std::vector<std::pair<std::string, SlotResult>>& results(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return results_.size() >= count; });
    return results_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::string, SlotResult>> results_;

 public:
  std::optional<Pool> pool;  // ends first, since its threads use the others
};

}  // namespace

TEST(Pool, GivesEachAnswerItsOwnVerdict) {
  FakePool pool(3);
  constexpr std::size_t count = 200;
  for (std::size_t i = 0; i < count; ++i)
    pool.submit((i % 3 == 0 ? "wrong " : "right ") + std::to_string(i), 60s, std::to_string(i % 7));
  std::set<std::string> seen;
  for (const auto& [answer, result] : pool.results(count)) {
    ASSERT_EQ(result.kind, Kind::verdict);
    EXPECT_EQ(result.row.at("message"), answer);
    EXPECT_EQ(result.row.at("correct"), answer.starts_with("right"));
    EXPECT_TRUE(seen.insert(answer).second) << answer;
  }
}

TEST(Pool, TriesAnAnswerAgainWhoseProcessEnded) {
  const Scratch scratch;
  FakePool pool(2);
  for (int i = 0; i < 4; ++i) pool.submit("once " + (scratch.path / std::to_string(i)).string());
  for (const auto& [answer, result] : pool.results(4)) {
    EXPECT_EQ(result.kind, Kind::verdict) << answer;
    EXPECT_EQ(result.row.at("correct"), true);
  }
  EXPECT_EQ(pool.pool->state().restarts, 4u);
}

TEST(Pool, GivesUpAnAnswerThatEndsEveryProcessAndGoesOn) {
  FakePool pool(1);
  pool.submit("end");
  pool.submit("right");
  const auto& results = pool.results(2);
  EXPECT_EQ(results[0].second.kind, Kind::lost);
  EXPECT_EQ(results[1].second.kind, Kind::verdict);
}

TEST(Pool, AnswersByTheDeadlineWhateverTheProcessDoes) {
  FakePool pool(1);
  pool.submit("right");
  pool.results(1);
  const auto begun = Pool::Clock::now();
  pool.submit("silent", 300ms);
  const auto& results = pool.results(2);
  EXPECT_LT(Pool::Clock::now() - begun, 10s);
  EXPECT_EQ(results[1].second.kind, Kind::late);
  pool.submit("right after it");  // the slot gets another process
  EXPECT_EQ(pool.results(3)[2].second.kind, Kind::verdict);
}

TEST(Pool, DoesNotBlameAnAnswerForTheQueue) {
  FakePool pool(1);
  pool.submit("sleep 1500");
  pool.submit("right", 400ms);
  const auto& results = pool.results(2);
  EXPECT_EQ(results[0].first, "right");
  EXPECT_EQ(results[0].second.kind, Kind::unbegun);
  EXPECT_EQ(results[1].second.kind, Kind::verdict);
}

TEST(Pool, RefusesWhatItsQueueCantHold) {
  FakePool pool(1, 3);
  std::size_t refused = 0;
  for (int i = 0; i < 10; ++i) refused += !pool.submit("sleep 300");
  EXPECT_GE(refused, 6u);
  EXPECT_GT(pool.pool->expected_wait(), 0);
  pool.results(10 - refused);
}

TEST(Pool, StopsWhatNobodyWaitsFor) {
  FakePool pool(1);
  pool.submit("sleep 300");
  const auto ticket = pool.submit("right");
  pool.pool->stop(*ticket);
  pool.pool->stop(*ticket);
  const auto& results = pool.results(2);
  EXPECT_EQ(results[0].first, "right");
  EXPECT_EQ(results[0].second.kind, Kind::stopped);
}

TEST(Pool, EndsAtOnceAndAnswersAll) {
  FakePool pool(2);
  for (int i = 0; i < 6; ++i) pool.submit("silent");
  const auto begun = Pool::Clock::now();
  pool.pool.reset();
  EXPECT_LT(Pool::Clock::now() - begun, 30s);
  for (const auto& [answer, result] : pool.results(6)) EXPECT_EQ(result.kind, Kind::stopped);
}

TEST(Pool, SaysWhyNoSlotStarts) {
  ::setenv("FAKE_VERIFY_MOOD", "failing", 1);
  FakePool pool(2);
  while (pool.pool->state().failure.empty()) std::this_thread::sleep_for(10ms);
  ::unsetenv("FAKE_VERIFY_MOOD");
  EXPECT_NE(pool.pool->state().failure.find("the sandbox isn't allowed here"), std::string::npos);
  EXPECT_EQ(pool.pool->state().ready, 0u);
}
