// What a plan's launches may need together.
#include <gtest/gtest.h>

#include "runtime/verify/replay.hpp"

namespace trl::runtime {
namespace {

TEST(Replay, LaunchesHaveALimitTogether) {
  const auto parsed = executor::parse(R"(module { tt.func public @k(%out: !tt.ptr<f32>) {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %many = arith.constant 1000 : i32
    %two = arith.constant 2.0 : f32
    scf.for %i = %zero to %many step %one : i32 { %a = arith.addf %two, %two : f32 }
    tt.store %out, %two : !tt.ptr<f32>
    tt.return } })");
  ASSERT_TRUE(std::holds_alternative<executor::Module>(parsed));
  Plan plan;
  plan.buffers = {{4, -1}};
  plan.output = {0, 0, ElementType::f32, {1}, {1}};
  LaunchStep launch;
  launch.args = {BufferArgument{0, 0}};
  plan.steps.assign(10, launch);
  ReplayOptions options;
  options.plan_operations = 1'000'000;
  EXPECT_TRUE(replay(plan, {std::get<executor::Module>(parsed)}, {""}, {}, options).findings.empty());
  options.plan_operations = 100'000;
  const ReplayResult result = replay(plan, {std::get<executor::Module>(parsed)}, {""}, {}, options);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, "timeout");
  EXPECT_NE(result.findings[0].message.find("100000 operations together"), std::string::npos);
  EXPECT_LT(result.per_launch.size(), 10u);
}

}  // namespace
}  // namespace trl::runtime
