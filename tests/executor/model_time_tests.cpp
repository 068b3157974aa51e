#include "verifier/executor/launch/model_time.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace trl::executor {
namespace {

Counters one_pass(std::uint64_t bytes, std::uint64_t programs) {
  Counters counters;
  counters.launches = 1;
  counters.programs = programs;
  counters.sectors_read = counters.sectors_read_first = bytes / 64;
  counters.sectors_written = counters.sectors_written_first = bytes / 64;
  counters.sectors_by_program = bytes / 32;
  counters.most.sectors = counters.most.distinct = bytes / 32 / programs;
  return counters;
}

/// The same by the first `working` programs alone, with a load for each KiB.
Counters by_some(std::uint64_t bytes, std::uint64_t working, std::uint64_t programs) {
  Counters counters = one_pass(bytes, working);
  counters.programs = programs;
  counters.loads = bytes / 1024;
  counters.most.loads = counters.loads / working;
  return counters;
}

TEST(ModelTime, KnowsTheH200Alone) {
  EXPECT_TRUE(gpu_model("H200"));
  EXPECT_FALSE(gpu_model("Z80"));
}

TEST(ModelTime, LargeCopiesTakeWhatTheBandwidthSays) {
  const GpuModel gpu = *gpu_model("H200");
  const std::uint64_t bytes = std::uint64_t{1} << 32;
  const double us = model_time_us(one_pass(bytes, 4096), gpu);
  EXPECT_NEAR(us, static_cast<double>(bytes) / gpu.dram_bytes * 1e6, 0.02 * us);
}

TEST(ModelTime, SmallLaunchesTakeTheirOverhead) {
  const GpuModel gpu = *gpu_model("H200");
  EXPECT_NEAR(model_time_us(one_pass(1 << 16, 132), gpu), gpu.launch_us + gpu.program_us, 0.1);
}

TEST(ModelTime, TwoLaunchesTakeLongerThanOne) {
  const GpuModel gpu = *gpu_model("H200");
  EXPECT_GT(2 * model_time_us(one_pass(1 << 15, 64), gpu), model_time_us(one_pass(1 << 16, 64), gpu));
}

TEST(ModelTime, OneProgramForAllIsSlowerThanMany) {
  const GpuModel gpu = *gpu_model("H200");
  EXPECT_GT(model_time_us(one_pass(1 << 22, 1), gpu), 10 * model_time_us(one_pass(1 << 22, 132), gpu));
}

TEST(ModelTime, IdleProgramsMakeNothingFaster) {
  const GpuModel gpu = *gpu_model("H200");
  for (const std::uint64_t working : {1, 8, 64, 132, 1000})
    for (std::uint64_t programs = working; programs < 10'000; programs += 97)
      EXPECT_GE(model_time_us(by_some(1 << 22, working, programs), gpu),
                model_time_us(by_some(1 << 22, working, working), gpu) - 1e-9)
          << working << " of " << programs;
}

TEST(ModelTime, AChainOfArithmeticTakesItsTime) {
  const GpuModel gpu = *gpu_model("H200");
  Counters counters = one_pass(1 << 16, 132);
  const double before = model_time_us(counters, gpu);
  counters.steps = 132 * 10'000;
  counters.most.steps = 10'000;
  EXPECT_NEAR(model_time_us(counters, gpu) - before, 10'000 * gpu.step_us, 1e-6);
}

TEST(ModelTime, IntegersAreWorkToo) {
  const GpuModel gpu = *gpu_model("H200");
  Counters counters = one_pass(1 << 16, 1320);
  counters.lanes = std::uint64_t{1} << 34;
  EXPECT_GT(model_time_us(counters, gpu), 1e6 * std::pow(2, 34) / gpu.lanes);
}

TEST(ModelTime, AtomicsOnOnePlaceWaitForEachOther) {
  const GpuModel gpu = *gpu_model("H200");
  Counters counters = one_pass(1 << 16, 1320);
  counters.same_place = 1 << 20;
  EXPECT_GT(model_time_us(counters, gpu), (1 << 20) * gpu.atomic_us);
}

TEST(ModelTime, NoLaunchEndsBeforeItsLastProgram) {
  const GpuModel gpu = *gpu_model("H200");
  Counters counters = one_pass(1 << 16, 132);
  counters.clock_ns = 50'000;
  EXPECT_NEAR(model_time_us(counters, gpu), gpu.launch_us + gpu.program_us + 50, 1e-9);
}

TEST(ModelTime, TheReferenceIsTheSumOfItsOperators) {
  const GpuModel gpu = *gpu_model("H200");
  const ReferenceLaunch add{1 << 17, 1 << 16, 1 << 14, false};
  const std::vector<ReferenceLaunch> once{add}, thrice{add, add, add};
  EXPECT_NEAR(model_reference_us(thrice, gpu) - gpu.start_us,
              3 * (model_reference_us(once, gpu) - gpu.start_us), 1e-9);
  // A kernel that does the same in one pass takes the modelled time of one operator.
  EXPECT_NEAR(model_reference_us(once, gpu), gpu.start_us + model_time_us(one_pass(3 << 16, 256), gpu), 0.2);
}

TEST(ModelTime, ManyTinyProgramsTakeLongerThanFewLargeOnes) {
  const GpuModel gpu = *gpu_model("H200");
  EXPECT_GT(model_time_us(one_pass(1 << 22, 1 << 16), gpu),
            3 * model_time_us(one_pass(1 << 22, 1 << 10), gpu));
}

TEST(ModelTime, ACopyByTheFrameworkIsALaunchOfItsOwn) {
  const GpuModel gpu = *gpu_model("H200");
  const Counters copy = framework_pass(1 << 14, 1 << 16, 1 << 16), fill = framework_pass(1 << 14, 0, 1 << 16);
  EXPECT_GT(model_time_us(copy, gpu), gpu.launch_us);
  EXPECT_LT(model_time_us(fill, gpu), model_time_us(copy, gpu));
  EXPECT_EQ(model_time_us(framework_pass(0, 0, 0), gpu), gpu.launch_us);
}

}  // namespace
}  // namespace trl::executor
