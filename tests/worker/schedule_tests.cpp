#include "runtime/train/schedule.hpp"

#include <gtest/gtest.h>

#include "tests/worker/support.hpp"

namespace trl::runtime {
namespace {

TEST(ScheduleTest, WarmsUpLinearlyToTheHighestRate) {
  const Schedule schedule{Schedule::Shape::constant, 1.0, 0.1, 40};  // four steps of warm-up
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.25);
  EXPECT_DOUBLE_EQ(schedule.at(3), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(4), 1.0);
  EXPECT_DOUBLE_EQ(schedule.at(39), 1.0);
}

TEST(ScheduleTest, LinearFallsToZeroAfterTheLastStep) {
  const Schedule schedule{Schedule::Shape::linear, 2.0, 0.0, 4};
  EXPECT_DOUBLE_EQ(schedule.at(0), 2.0);
  EXPECT_DOUBLE_EQ(schedule.at(3), 0.5);
}

TEST(ScheduleTest, CosineIsHalfTheRateHalfWayThrough) {
  const Schedule schedule{Schedule::Shape::cosine, 2.0, 0.2, 10};
  EXPECT_DOUBLE_EQ(schedule.at(2), 2.0);
  EXPECT_NEAR(schedule.at(6), 1.0, 1e-12);
  EXPECT_GT(schedule.at(9), 0.0);
}

TEST(ScheduleTest, WarmupIsRoundedUpToWholeSteps) {
  const Schedule schedule{Schedule::Shape::constant, 1.0, 0.1, 13};
  EXPECT_DOUBLE_EQ(schedule.at(0), 0.5);
  EXPECT_DOUBLE_EQ(schedule.at(1), 1.0);
}

TEST(ScheduleTest, AnUnknownShapeIsAnErrorThatListsTheKnown) {
  EXPECT_EQ(testing::stage_error([] { schedule_shape("sawtooth"); }), "the schedule `sawtooth` is unknown");
}

}  // namespace
}  // namespace trl::runtime
