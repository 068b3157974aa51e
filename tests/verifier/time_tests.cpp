// Modelled times: changes that only reduce speed must increase them.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "tests/verifier/candidates.hpp"
#include "tests/verifier/corpus.hpp"
#include "verifier/corpus/answer.hpp"
#include "verifier/corpus/suites.hpp"

namespace trl::runtime {
namespace {

Task task_called(const std::string& name) {
  for (const Task& task : operators_alone())
    if (task.name == name) return task;
  throw std::out_of_range(name);
}

TEST(ModelledTime, ChangesWithEveryFlawThatOnlyCostsSpeed) {
  int compared = 0;
  for (const char* name : {"gelu", "add_row", "add", "log_softmax_rows"}) {
    const Task task = task_called(name);
    const Style style;
    const Verdict honest = candidates::judge(task, answer(task, style, Flaw::None));
    ASSERT_TRUE(honest.correct) << name << ": " << honest.message;
    for (const FlawKind& kind : flaw_kinds()) {
      if (!kind.only_slow || !applies(task, kind.flaw)) continue;
      const Verdict slow = candidates::judge(task, answer(task, style, kind.flaw));
      ASSERT_TRUE(slow.correct) << name << ", " << kind.name << ": " << slow.message;
      EXPECT_GT(*slow.time_us, 1.02 * *honest.time_us) << name << ", " << kind.name;
      EXPECT_LT(slow.speedup, honest.speedup) << name << ", " << kind.name;
      EXPECT_EQ(slow.reference_us, honest.reference_us);
      ++compared;
    }
  }
  EXPECT_GE(compared, 10);
}

TEST(ModelledTime, CountsWhatTheFrameworkCopies) {
  const Task task = task_called("gelu");
  const Verdict once = candidates::judge(task, answer(task, Style{}, Flaw::None));
  const Verdict copied = candidates::judge(task, answer(task, Style{}, Flaw::NeedlessCopy));
  EXPECT_EQ(once.counters.size(), 1u);
  EXPECT_EQ(copied.counters.size(), 2u);
  EXPECT_EQ(copied.launches, 1) << "the candidate's own";
}

/// The modelled times of a folder's candidates and of their twins.
struct Pair {
  std::string name;
  double time = 0, twin = 0;
};

std::vector<Pair> times_of(const std::string& folder) {
  std::vector<Pair> pairs;
  std::map<std::string, double> known;
  for (const corpus::Candidate& candidate : corpus::load(folder)) {
    const auto time = [&](const std::string& answer) {
      double& us = known[candidate.task.to_json().dump() + answer];
      if (us > 0) return us;
      const Verdict verdict = candidates::judge(candidate.task, answer, candidates::training());
      EXPECT_TRUE(verdict.correct) << candidate.name << ": " << verdict.reason << ", " << verdict.message;
      us = verdict.time_us.value_or(1);
      return us;
    };
    const double own = time(candidate.answer), other = time(candidate.twin);
    pairs.push_back({candidate.name, own, other});
    if (std::getenv("TRL_CORPUS_SHOW") != nullptr)
      fmt::print("{} {:.2f} {:.2f}\n", candidate.name, own, other);
  }
  return pairs;
}

TEST(ModelledTime, IsNeverHadForFree) {
  const std::vector<Pair> pairs = times_of("time_hostile");
  for (const Pair& one : pairs)
    EXPECT_GE(one.time, one.twin / 1.05)
        << one.name << " takes " << one.time << " us instead of " << one.twin;
  EXPECT_GE(pairs.size(), 25u);
}

TEST(ModelledTime, RewardsProgramsThatShareTheWork) {
  const std::vector<Pair> pairs = times_of("time_honest");
  for (const Pair& one : pairs)
    EXPECT_LT(one.time, one.twin / 1.5)
        << one.name << " takes " << one.time << " us, the slow form " << one.twin;
  EXPECT_GE(pairs.size(), 10u);
}

}  // namespace
}  // namespace trl::runtime
