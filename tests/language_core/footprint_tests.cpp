// The memory that tasks take, and where answers to them are judged.
#include "base/tasks/footprint.hpp"

#include <gtest/gtest.h>

#include "base/support/error.hpp"

namespace trl::tasks {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

/// y = x + w for x: [M, N] and w: [N] of this dtype.
Task sum_of(std::int64_t rows, std::int64_t columns, const std::string& dtype = "f32") {
  Task task;
  task.dims = {{"M", rows}, {"N", columns}};
  task.inputs = {{"x", dtype, {{"M"}, {"N"}}}, {"w", dtype, {{"N"}}}};
  task.dtype = dtype;
  task.value.shape = {{"M"}, {"N"}};
  return task;
}

TEST(Footprint, CountsInputsOutputsAndTheReference) {
  const auto footprint = footprint_of(sum_of(100, 10, "f16"));
  EXPECT_EQ(footprint.inputs, 2 * 1010);
  EXPECT_EQ(footprint.outputs, 2 * 1000);
  EXPECT_EQ(footprint.reference, 8 * 2010);
  EXPECT_EQ(footprint.buffers(), 4020);
  EXPECT_EQ(footprint.gpu(), 4020 + 2 * 2000 + 16080);
}

TEST(Footprint, IsExecutedCompletelyUpToTheLimitOfPlans) {
  // 2 · 4 · M · 1024 + 4 · 1024 bytes: 16383 rows are 4 KiB less than the limit, 16384 rows 4 KiB more.
  EXPECT_TRUE(footprint_of(sum_of(16383, 1024)).executed());
  EXPECT_FALSE(footprint_of(sum_of(16384, 1024)).executed());
}

TEST(Footprint, OfSizesWhoseProductExceeds64BitsIsCounted) {
  const auto footprint = footprint_of(sum_of(std::int64_t{1} << 40, std::int64_t{1} << 40));
  EXPECT_EQ(footprint.outputs, 0x1p82);
  EXPECT_FALSE(footprint.executed());
  EXPECT_EQ(memory_text(footprint.gpu()), memory_text(1e18));
}

TEST(Footprint, OfSeveralResultsCountsEach) {
  auto task = sum_of(4, 5);
  task.results = {{"f32", {{"M"}, {"N"}}}, {"i64", {{"M"}}}};
  EXPECT_EQ(footprint_of(task).outputs, 4 * 20 + 8 * 4);
}

TEST(Footprint, OfAnUnknownDtypeIsRefused) {
  auto task = sum_of(4, 5);
  task.inputs[0].dtype = "f31";
  EXPECT_THROW(footprint_of(task), UserError);
}

TEST(Footprints, CountWhatIsLargerAndNameTheLargest) {
  Footprints footprints;
  EXPECT_EQ(footprints.gpu(), 0);
  footprints.add("s/1 (small)", {1000, 1000, 4000});
  EXPECT_EQ(footprints.larger(), 0u);
  footprints.add("s/2 (large)", {2 * gib, 1 * gib, 6 * gib});
  footprints.add("s/3 (wide)", {0, 2 * gib, 4 * gib});
  EXPECT_EQ(footprints.tasks(), 3u);
  EXPECT_EQ(footprints.larger(), 2u);
  EXPECT_EQ(footprints.gpu(), 11 * gib);
  EXPECT_EQ(footprints.beyond(0), 2u);
  EXPECT_EQ(footprints.beyond(10 * gib), 1u);
  EXPECT_EQ(footprints.beyond(11 * gib), 0u);
  EXPECT_EQ(footprints.where_judged(false),
            "without a GPU answers are judged at smaller sizes and by a sample of programs at their own, "
            "completely by a GPU of at least 11.0 GiB; the "
            "largest is s/2 (large), with 3.0 GiB of inputs and outputs");
  EXPECT_TRUE(footprints.where_judged(true).starts_with("kernels in CUDA are judged by a GPU of at least"));
}

}  // namespace
}  // namespace trl::tasks
