#include "interpreter/report/column.hpp"

#include <vector>

#include "interpreter/report/evidence.hpp"

#include <gtest/gtest.h>

using namespace trl::interpreter;

TEST(PassAt, IsTheUnbiasedEstimate) {
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 1), 0.25);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 1), 0.5);
  EXPECT_DOUBLE_EQ(*pass_at(2, 4, 3), 1.0);
  EXPECT_DOUBLE_EQ(*pass_at(1, 4, 0), 0.0);
  EXPECT_FALSE(pass_at(5, 4, 1));
}

TEST(PassAt, TasksThatDifferOnlyInSizesAreTwo) {
  // They have one key, by which intervals take them for one cluster.
  std::vector<Verdict> verdicts;
  for (const std::size_t task : {0, 1})
    for (int sample = 0; sample < 2; ++sample) {
      Verdict verdict;
      verdict.task = "matmul", verdict.task_number = task, verdict.sample = sample;
      verdict.correct = task == 0;
      verdicts.push_back(verdict);
    }
  std::vector<Part> parts;
  add_verdicts(parse_column({{"call", "pass_at"}, {"args", {2}}}), "", 1, verdicts, parts);
  double sum = 0, weight = 0;
  for (const auto& part : parts) sum += part.sum, weight += part.weight;
  EXPECT_EQ(sum, 1);
  EXPECT_EQ(weight, 2);
}

TEST(ImportedColumns, AreThoseOfWhichKernelBenchTells) {
  for (const char* name : {"compiled", "correct", "pass_at"})
    EXPECT_EQ(imported_column(name), ImportedColumn::always) << name;
  for (const char* name : {"fast", "speedup"})
    EXPECT_EQ(imported_column(name), ImportedColumn::times) << name;
  for (const char* name : {"fast_over_compiled", "speedup_over_compiled"})
    EXPECT_EQ(imported_column(name), ImportedColumn::compiled_times) << name;
  EXPECT_EQ(imported_column("kernelbench"), ImportedColumn::by_protocol);
  for (const char* name : {"valid", "values", "survives", "purity", "cost", "tokens", "usd", "kernel_share",
                           "masked_without_other", "correct_after"})
    EXPECT_EQ(imported_column(name), ImportedColumn::never) << name;
}
