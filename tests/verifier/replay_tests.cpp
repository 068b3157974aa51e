// Limits for all launches of a plan together.
#include <gtest/gtest.h>

#include "verifier/replay/replay.hpp"

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
  plan.outputs = {{0, 0, ElementType::f32, {1}, {1}}};
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

// Replays a plan of one launch with an output of `floats` elements and, as second argument, an index that is
// never written.
ReplayResult sampled(const std::string& body, std::int64_t floats, std::uint32_t programs,
                     ReplayOptions options) {
  const auto parsed = executor::parse(
      "module { tt.func public @k(%out: !tt.ptr<f32>, %index: !tt.ptr<i32>) {\n" + body + "\ntt.return } }");
  EXPECT_TRUE(std::holds_alternative<executor::Module>(parsed));
  Plan plan;
  plan.buffers = {{4 * floats, -1}, {4, -1}};
  plan.outputs = {{0, 0, ElementType::f32, {floats}, {1}}};
  LaunchStep launch;
  launch.grid = {programs, 1, 1};
  launch.args = {BufferArgument{0, 0}, BufferArgument{1, 0}};
  plan.steps = {launch};
  return replay(plan, {std::get<executor::Module>(parsed)}, {""}, {}, options);
}

constexpr const char* own_element = R"(
    %two = arith.constant 2.0 : f32
    %pid = tt.get_program_id x : i32
    %at = tt.addptr %out, %pid : !tt.ptr<f32>, i32
    tt.store %at, %two : !tt.ptr<f32>)";

ReplayOptions some_programs() {
  ReplayOptions options;
  options.sample = 7;
  options.sampled_operations = 1000;
  return options;
}

TEST(SampledReplay, RunsSomePrograms) {
  const ReplayResult result = sampled(own_element, 1 << 20, 1 << 20, some_programs());
  EXPECT_TRUE(result.findings.empty());
  EXPECT_LT(result.counters.programs, 100u);
  EXPECT_GE(result.counters.programs, 3u);
  EXPECT_EQ(result.writers.front(), Writer::kernel) << "the first program";
  EXPECT_EQ(result.writers.back(), Writer::kernel) << "the last program";
  ReplayOptions other = some_programs();
  other.sample = 8;
  EXPECT_NE(sampled(own_element, 1 << 20, 1 << 20, other).writers, result.writers);
}

TEST(SampledReplay, FindsWhatLeavesABuffer) {
  const ReplayResult result = sampled(own_element, (1 << 20) - 1, 1 << 20, some_programs());
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, "out_of_bounds_store");
  EXPECT_TRUE(result.findings[0].memory);
}

TEST(SampledReplay, AccusesNobodyOfWhatOthersHaveToWrite) {
  const ReplayResult result = sampled(R"(
    %two = arith.constant 2.0 : f32
    %i = tt.load %index : !tt.ptr<i32>
    %at = tt.addptr %out, %i : !tt.ptr<f32>, i32
    tt.store %at, %two : !tt.ptr<f32>)",
                                      8, 8, some_programs());
  EXPECT_TRUE(result.findings.empty());
}

TEST(SampledReplay, EndsAProgramThatIsTooLongAlone) {
  ReplayOptions options = some_programs();
  options.launch_operations = 100'000;
  const ReplayResult result = sampled(R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %many = arith.constant 100000 : i32
    %two = arith.constant 2.0 : f32
    scf.for %i = %zero to %many step %one : i32 { %a = arith.addf %two, %two : f32 })",
                                      8, 8, options);
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, "timeout");
  EXPECT_FALSE(result.findings[0].memory);
  EXPECT_NE(result.findings[0].message.find("one program alone"), std::string::npos);
}

}  // namespace
}  // namespace trl::runtime
