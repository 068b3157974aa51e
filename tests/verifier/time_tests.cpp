// Modelled times: changes that only reduce speed must increase them.
#include <gtest/gtest.h>

#include "tests/verifier/candidates.hpp"
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

}  // namespace
}  // namespace trl::runtime
