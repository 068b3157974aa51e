// How much a candidate may use in all, and where one that uses more is stopped.
#include "verifier/budget.hpp"

#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;

TEST(Budget, CountsComputingAndSaysWhatItWentInto) {
  Timings wall;
  Budget budget({10, 100}, wall);
  budget.use(Work::record, 1.5);
  budget.use(Work::compile, 4);
  budget.use(Work::compile, 2.5);
  EXPECT_DOUBLE_EQ(budget.cpu_left(), 2);
  EXPECT_FALSE(budget.used_up());
  budget.use(Work::execute, 2);
  EXPECT_TRUE(budget.used_up());
  EXPECT_EQ(
      budget.explain(),
      "the candidate's budget of 10 s of computing is used up: record 1.5 s, execute 2.0 s, compile 6.5 s");
}

TEST(Budget, HasALimitOfSleepThatWaitingForOthersIsNoPartOf) {
  Timings wall;
  Budget budget({10, 100}, wall);
  wall.add(Work::wait, 1000);
  wall.add(Work::reference, 1000);
  wall.add(Work::draw, 1000);
  wall.add(Work::compile, 1000);  // on a busy machine
  EXPECT_DOUBLE_EQ(budget.asleep_left(), 100);
  budget.sleep(Work::record, 60);
  wall.add(Work::replay, 40);
  EXPECT_TRUE(budget.used_up());
  EXPECT_EQ(budget.explain(),
            "the candidate's budget of 100 s of sleeping and waiting for the GPU is used up: record 60.0 s, "
            "replay 40.0 s");
  EXPECT_EQ(budget.to_json(), json::parse(R"({"cpu_seconds": {"limit": 10.0},
                            "wall_seconds": {"limit": 100.0, "compile": 1000.0, "replay": 40.0},
                            "uncounted_seconds": {"draw": 1000.0, "wait": 1000.0, "reference": 1000.0}})"));
}

Protocol with_limits(json limits) {
  return Protocol::parse({{"variations", {"original"}}, {"compile", "all"}, {"limits", std::move(limits)}});
}

TEST(Budget, IsReadFromTheSpec) {
  const Protocol protocol = with_limits({{"seconds", 7}, {"total_seconds", 8.5}, {"wall_seconds", 90}});
  EXPECT_EQ(protocol.limits.seconds, 7);
  EXPECT_DOUBLE_EQ(protocol.budget.cpu_seconds, 8.5);
  EXPECT_DOUBLE_EQ(protocol.budget.asleep_seconds, 90);
  EXPECT_ANY_THROW(with_limits({{"total_seconds", 0}}));
}

Examined examine(const std::string& answer, const Protocol& protocol) {
  return candidates::verifier().examine(candidates::relu(), answer, protocol, candidates::secret());
}

TEST(Budget, EndsACandidateAtTheStepThatItCannotPayFor) {
  const Examined examined = examine(candidates::honest_relu, with_limits({{"total_seconds", 1e-6}}));
  EXPECT_EQ(examined.verdict.failed, "compile");
  EXPECT_EQ(examined.verdict.reason, "timeout");
  EXPECT_NE(examined.verdict.message.find("of computing is used up"), std::string::npos)
      << examined.verdict.message;
  EXPECT_GT(examined.budget["cpu_seconds"]["record"], 0.0);
}

TEST(Budget, IsPrintedWithWhatEachStepTook) {
  const Examined examined = examine(candidates::honest_relu, with_limits({{"seconds", 10}}));
  EXPECT_TRUE(examined.verdict.correct) << examined.verdict.message;
  for (const char* work : {"record", "parse", "execute", "compile"})
    for (const char* clock : {"cpu_seconds", "wall_seconds"})
      EXPECT_TRUE(examined.budget[clock].contains(work)) << examined.budget.dump();
}

TEST(Budget, CountsACompilationThatSomebodyElseHadDone) {
  for (int turn = 0; turn < 2; ++turn) {
    const Examined examined = examine(candidates::honest_relu, with_limits({{"seconds", 10}}));
    EXPECT_GT(examined.budget["cpu_seconds"].value("compile", 0.0), 0.001) << examined.budget.dump();
  }
}

TEST(Answer, OfMoreThanAMebibyteIsNotLookedAt) {
  const std::string answer = candidates::honest_relu + "# " + std::string(most_answer_bytes, 'x') + "\n";
  const Examined examined = examine(answer, with_limits({}));
  EXPECT_EQ(examined.verdict.failed, "syntax");
  EXPECT_EQ(examined.verdict.reason, "too_large");
  EXPECT_EQ(examined.budget["cpu_seconds"].value("record", 0.0), 0.0);
}

TEST(Answer, ThatTakesLongToCompileEndsThereAndCostsNobodyElse) {
  // In this kernel a loop is unrolled so far that LLVM can't finish in two seconds.
  std::string slow = candidates::honest_relu;
  const std::string store = "    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=m)\n";
  slow.replace(slow.find(store), store.size(),
               "    for k in tl.static_range(400):\n"
               "        x = tl.where(x > k, tl.sum(tl.exp(x + k), 0) + tl.cumsum(x * k, 0), x)\n"
               "    tl.store(y_ptr + i, tl.maximum(x, 0.0), mask=m)\n");
  const Examined examined = examine(slow, with_limits({{"seconds", 2}}));
  EXPECT_EQ(examined.verdict.reason, "timeout") << examined.verdict.message;
  EXPECT_TRUE(examine(candidates::honest_relu, with_limits({{"seconds", 10}})).verdict.correct);
}

}  // namespace
}  // namespace trl::runtime
