// trl-executor as the verifier uses it: its results are those of the library in this process, and whatever a
// candidate does to it affects that candidate alone.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/stage/cancelled.hpp"
#include "base/stage/stage.hpp"
#include "base/support/error.hpp"
#include "verifier/services/executor_process.hpp"

namespace trl::runtime {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

fs::path binaries() { return fs::read_symlink("/proc/self/exe").parent_path(); }

Installation installation(const char* executor) {
  Installation found;
  found.sandbox = binaries() / "trl-sandbox";
  found.executor = binaries() / executor;
  return found;
}

bool confined() {
  static const bool allowed = [] {
    ChildProcess probe({(binaries() / "trl-sandbox").string(), "--", "/bin/true"});
    return probe.wait(std::chrono::seconds(20)) != 125;
  }();
  return allowed;
}

ExecutorProcess start(const char* executor = "trl-executor", const ExecutorProcess::Budget& budget = {}) {
  return ExecutorProcess(installation(executor), confined(), budget);
}

// y[i] = 1 / x[i] for 64 elements by four programs; `body` precedes the store.
std::string reciprocal(const std::string& name = "k", const std::string& body = "") {
  return "module {\n  tt.func public @" + name + R"((%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) {
    %c16 = arith.constant 16 : i32
    %one = arith.constant dense<1.0> : tensor<16xf32>
    %p = tt.get_program_id x : i32
    %first = arith.muli %p, %c16 : i32
    %r = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
    %s = tt.splat %first : i32 -> tensor<16xi32>
    %i = arith.addi %s, %r : tensor<16xi32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %xi = tt.addptr %xs, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    %v = tt.load %xi : tensor<16x!tt.ptr<f32>>
    %q = arith.divf %one, %v : tensor<16xf32>
)" + body +
         R"(    %ys = tt.splat %y : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
    %yi = tt.addptr %ys, %i : tensor<16x!tt.ptr<f32>>, tensor<16xi32>
    tt.store %yi, %q : tensor<16x!tt.ptr<f32>>
    tt.return
  }
}
)";
}

// With more programs than the kernel needs, some access memory out of bounds.
Plan plan(int programs = 4) {
  return parse_plan(
      {{"label", "original"},
       {"buffers",
        {{{"bytes", 256}, {"role", "input"}, {"input", 0}}, {{"bytes", 256}, {"role", "temporary"}}}},
       {"steps",
        {{{"fill",
           {{"to", {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {8}}, {"strides", {1}}}},
            {"value", 3.0}}}},
         {{"launch",
           {{"kernel", 0},
            {"grid", {programs, 1, 1}},
            {"args",
             {{{"buffer", 0}, {"offset", 0}, {"dtype", "f32"}},
              {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}}}},
            {"num_warps", 4},
            {"line", 21}}}}}},
       {"output", {{"buffer", 1}, {"offset", 0}, {"dtype", "f32"}, {"shape", {64}}, {"strides", {1}}}}},
      {256}, 1);
}

std::vector<InputData> inputs(float zero_at_five = 5.0f) {
  std::vector<float> values(64);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = i == 5 ? zero_at_five : 1.0f + static_cast<float>(i);
  InputData data{"x", std::vector<std::byte>(256)};
  std::memcpy(data.bytes.data(), values.data(), 256);
  return {data};
}

std::string all_of(const ReplayResult& result) {
  json out = {{"writers", json::array()}, {"findings", json::array()}, {"origin", json::array()}};
  for (const Writer writer : result.writers) out["writers"].push_back(static_cast<int>(writer));
  for (const ReplayFinding& one : result.findings)
    out["findings"].push_back({one.kind, one.message, one.line, one.memory});
  for (const OriginStep& step : result.origin) out["origin"].push_back({step.what, step.line});
  std::string text = out.dump();
  text.append(reinterpret_cast<const char*>(result.output.data()), result.output.size() * sizeof(double));
  text.append(reinterpret_cast<const char*>(&result.counters), sizeof result.counters);
  text.append(reinterpret_cast<const char*>(result.per_launch.data()),
              result.per_launch.size() * sizeof(executor::Counters));
  return text;
}

std::string expected(const Plan& plan, const std::vector<InputData>& inputs, const ReplayOptions& options) {
  const auto parsed = executor::parse(reciprocal());
  return all_of(replay(plan, {std::get<executor::Module>(parsed)}, {""}, inputs, options));
}

// Expects the results of an honest candidate, which are the same with any process.
void expect_honest(ExecutorProcess& process) {
  ASSERT_FALSE(process.parse({reciprocal()}));
  EXPECT_EQ(all_of(process.replay(plan(), inputs(), {})), expected(plan(), inputs(), {}));
  process.end();
}

TEST(ExecutorProcess, GivesWhatTheLibraryGives) {
  ExecutorProcess process = start();
  ASSERT_FALSE(process.parse({reciprocal()}));
  ReplayOptions options;
  for (const std::uint64_t order : {std::uint64_t{0}, ~std::uint64_t{0}})
    for (const std::uint8_t poison : {0xFF, 0x7B})
      for (const bool launches : {true, false})
        // A partly uninitialised output, a right one, and out-of-bounds accesses.
        for (const int programs : {3, 4, 5}) {
          options.order = order, options.poison = poison, options.launches = launches;
          const ReplayResult result = process.replay(plan(programs), inputs(), options);
          EXPECT_EQ(all_of(result), expected(plan(programs), inputs(), options));
          EXPECT_EQ(result.findings.empty(), programs < 5 || !launches);
        }
  options = {};
  options.plan_operations = 100;
  const ReplayResult cut = process.replay(plan(), inputs(), options);
  ASSERT_FALSE(cut.findings.empty());
  EXPECT_EQ(cut.findings[0].kind, "timeout");
  EXPECT_EQ(all_of(cut), expected(plan(), inputs(), options));
}

TEST(ExecutorProcess, TellsWhereAnInfinityAroseAndAsksForThreads) {
  ExecutorProcess process = start();
  ASSERT_FALSE(process.parse({reciprocal()}));
  ReplayOptions options;
  options.explain = 5;
  const ReplayResult result = process.replay(plan(), inputs(0.0f), options);
  ASSERT_EQ(result.origin.size(), 1u);
  EXPECT_EQ(result.origin[0].what, "1 / 0 is inf");
  EXPECT_EQ(all_of(result), expected(plan(), inputs(0.0f), options));
  options = {};
  int asked = 0;
  options.threads = [&] { return ++asked, 3; };
  EXPECT_EQ(all_of(process.replay(plan(), inputs(), options)), expected(plan(), inputs(), {}));
  EXPECT_GT(asked, 0);
}

TEST(ExecutorProcess, NamesTheKernelAndTheLineThatItCannotRead) {
  ExecutorProcess process = start();
  const auto error = process.parse({reciprocal(), "", reciprocal("k", "    %z = tt.foo %x : i32\n")});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reason, "unsupported");
  EXPECT_EQ(error->kernel, 2u);
  EXPECT_EQ(error->line, 14);
  EXPECT_EQ(error->message, "operation tt.foo isn't supported by the executor");
  expect_honest(process);
}

TEST(ExecutorProcess, KeepsNothingOfACandidateForTheNext) {
  ExecutorProcess process = start();
  ASSERT_FALSE(process.parse({reciprocal()}));
  process.replay(plan(), inputs(), {});
  // The same plan with kernels that don't write: the output holds only what the plan itself fills in.
  ASSERT_FALSE(
      process.parse({"module { tt.func public @k(%x: !tt.ptr<f32>, %y: !tt.ptr<f32>) { tt.return } }"}));
  const ReplayResult result = process.replay(plan(), inputs(), {});
  EXPECT_EQ(std::count(result.writers.begin(), result.writers.end(), Writer::nobody), 56);
}

// An unknown defect that crashes the process affects only the candidate that triggers it.
TEST(ExecutorProcess, ACrashCostsOneCandidate) {
  ExecutorProcess::Budget budget;
  budget.time = std::chrono::milliseconds(20'000);
  ExecutorProcess process = start("trl-executor-faulty", budget);
  expect_honest(process);
  for (const char* name : {"crash_in_parse", "nonsense_in_parse"}) {
    const auto error = process.parse({reciprocal(name)});
    ASSERT_TRUE(error) << name;
    EXPECT_EQ(error->reason, "crashed") << name;
    expect_honest(process);
  }
  for (const char* name :
       {"crash", "abort", "leave", "nonsense", "other_id", "long_line", "nested", "strange_writer",
        "strange_kind", "strange_line", "many_launches", "huge_launches", "cut"}) {
    ASSERT_FALSE(process.parse({reciprocal(name)})) << name;
    const ReplayResult result = process.replay(plan(), inputs(), {});
    ASSERT_EQ(result.findings.size(), 1u) << name;
    EXPECT_EQ(result.findings[0].kind, "crashed") << name;
    EXPECT_FALSE(result.findings[0].memory);
    EXPECT_EQ(result.output.size(), 64u);
    EXPECT_EQ(result.writers, std::vector<Writer>(64, Writer::nobody)) << name;
    expect_honest(process);
  }
}

TEST(ExecutorProcess, WhatHangsIsEndedAndLeavesNothingBehind) {
  ExecutorProcess::Budget budget;
  budget.time = std::chrono::milliseconds(700);
  ExecutorProcess process = start("trl-executor-faulty", budget);
  process.ready();
  const auto error = process.parse({reciprocal("hang_in_parse")});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->reason, "timeout");
  for (const char* name : {"hang", "lingers"}) {
    ASSERT_FALSE(process.parse({reciprocal(name)})) << name;
    ReplayOptions options;
    options.plan_operations = 1000;
    const ReplayResult result = process.replay(plan(), inputs(), options);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, "timeout") << name;
    expect_honest(process);
  }
}

TEST(ExecutorProcess, ReachesNothingAndTakesNoMoreMemoryThanItMay) {
  ExecutorProcess::Budget budget;
  budget.memory_bytes = std::uint64_t{512} << 20;
  ExecutorProcess process = start("trl-executor-faulty", budget);
  ASSERT_FALSE(process.parse({reciprocal("escapes")}));
  EXPECT_TRUE(process.replay(plan(), inputs(), {}).findings.empty());
  ASSERT_FALSE(process.parse({reciprocal("takes_memory")}));
  const ReplayResult full = process.replay(plan(), inputs(), {});
  ASSERT_EQ(full.findings.size(), 1u);
  EXPECT_EQ(full.findings[0].kind, "crashed");
  expect_honest(process);
}

TEST(ExecutorProcess, EndsWhenCancelled) {
  ExecutorProcess process = start("trl-executor-faulty");
  ASSERT_FALSE(process.parse({reciprocal("hang")}));
  int questions = 0;
  ReplayOptions options;
  options.cancelled = [&] { return ++questions > 2; };
  EXPECT_THROW(process.replay(plan(), inputs(), options), Cancelled);
  EXPECT_THROW(process.parse({reciprocal("hang_in_parse")}, [&] { return ++questions > 6; }), Cancelled);
  expect_honest(process);
}

TEST(ExecutorProcess, ForksAConfinedChildWithoutASandboxToo) {
  ExecutorProcess process(installation("trl-executor-faulty"), false);
  expect_honest(process);
  for (const char* name : {"crash", "strange_writer"}) {
    ASSERT_FALSE(process.parse({reciprocal(name)}));
    EXPECT_EQ(process.replay(plan(), inputs(), {}).findings.at(0).kind, "crashed") << name;
  }
  ASSERT_FALSE(process.parse({reciprocal("escapes")}));
  EXPECT_TRUE(process.replay(plan(), inputs(), {}).findings.empty());
  expect_honest(process);
}

TEST(ExecutorProcess, SaysWhatIsMissing) {
  Installation none = installation("trl-executor");
  none.executor = "/nowhere/trl-executor";
  ExecutorProcess process(none, confined());
  EXPECT_THROW(process.parse({reciprocal()}), UserError);
}

}  // namespace
}  // namespace trl::runtime
