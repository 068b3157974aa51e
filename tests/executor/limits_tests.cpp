// Endless and huge launches end, in the same way each time.
#include <gtest/gtest.h>

#include "verifier/executor/executor.hpp"

namespace trl::executor {
namespace {

Report run_text(const std::string& text, Launch launch = {}, const Options& options = {}) {
  auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << error->line << ":" << error->column << ": " << error->message;
    return {};
  }
  Memory memory;
  memory.add_unwritten("out", 64);
  return run(std::get<Module>(parsed), launch, memory, options);
}

TEST(Limits, HugeGridsEndBeforeTheyBegin) {
  const std::string text = "module { tt.func public @k() { tt.return } }";
  for (const std::uint32_t x : {0x7FFFFFFFu, 1u << 23}) {
    Launch launch;
    launch.grid[0] = x;
    const Report report = run_text(text, launch);
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].kind, Kind::timeout);
    EXPECT_EQ(report.counters.programs, 0u);
  }
  Launch wide;
  wide.grid[0] = 0xFFFFFFFFu;
  EXPECT_EQ(run_text(text, wide).findings.at(0).kind, Kind::launch);
  Launch deep;
  deep.grid[0] = deep.grid[1] = deep.grid[2] = 65535;
  EXPECT_EQ(run_text(text, deep).findings.at(0).kind, Kind::timeout);
  Launch empty;
  empty.grid[1] = 0;
  EXPECT_TRUE(run_text(text, empty).ok);
}

TEST(Limits, ManyProgramsAreWork) {
  Launch launch;
  launch.grid[0] = 1 << 20;
  launch.args = {PointerArg{0, 0}};
  Options options;
  options.limits.max_operations = 10'000'000;
  const Report report = run_text(R"(module { tt.func public @k(%p: !tt.ptr<i32>) {
    %pid = tt.get_program_id x : i32
    %v = tt.load %p : !tt.ptr<i32>
    %w = arith.addi %v, %pid : i32
    tt.return } })",
                                 launch, options);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.findings.back().kind, Kind::timeout);
}

TEST(Limits, HugeBlocksAreRefused) {
  EXPECT_TRUE(std::holds_alternative<ParseError>(parse(
      "module { tt.func public @k() { %a = arith.constant dense<0> : tensor<1048577xi32> tt.return } }")));
  EXPECT_TRUE(
      std::holds_alternative<ParseError>(parse("module { tt.func public @k() { %a = arith.constant dense<0> "
                                               ": tensor<99999999x99999999xi32> tt.return } }")));
  // Each is within the limit, but all together exceed it.
  std::string text =
      "module { tt.func public @k() {\n%a0 = tt.make_range {start = 0 : i32, end = 1048576 : i32} : "
      "tensor<1048576xi32>\n";
  for (int i = 1; i < 300; ++i) {
    const std::string n = std::to_string(i);
    text += "%a" + n + " = arith.addi %a" + std::to_string(i - 1) + ", %a0 : tensor<1048576xi32>\n";
  }
  text += "%s0 = arith.addi %a0, %a0 : tensor<1048576xi32>\n";
  for (int i = 1; i < 300; ++i) {
    const std::string n = std::to_string(i);
    text += "%s" + n + " = arith.addi %s" + std::to_string(i - 1) + ", %a" + n + " : tensor<1048576xi32>\n";
  }
  const Report report = run_text(text + "tt.return } }");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].kind, Kind::unsupported);
}

TEST(Limits, FunctionsOfNumbersAreMoreWorkThanSums) {
  const auto operations = [](const std::string& operation) {
    return run_text(
               "module { tt.func public @k() {\n%a = arith.constant dense<0.5> : tensor<2xf32>\n"
               "%i = tt.make_range {start = 0 : i32, end = 2048 : i32} : tensor<2048xi32>\n"
               "%x = arith.sitofp %i : tensor<2048xi32> to tensor<2048xf32>\n%y = " +
               operation + " : tensor<2048xf32>\ntt.return } }")
        .counters.operations;
  };
  EXPECT_GT(operations("math.exp %x"), operations("arith.addf %x, %x") + 10'000);
}

TEST(Limits, AProgramThatIsEndlessOnSomeInputEnds) {
  // Halves its number until it is 1, which never happens when it starts from 0.
  const std::string text = R"(module { tt.func public @k(%n: i32) {
    %one = arith.constant 1 : i32
    %two = arith.constant 2 : i32
    %r = scf.while (%a = %n) : (i32) -> i32 {
      %more = arith.cmpi ne, %a, %one : i32
      scf.condition(%more) %a : i32
    } do {
    ^bb0(%b: i32):
      %h = arith.divsi %b, %two : i32
      scf.yield %h : i32
    }
    tt.return } })";
  Options options;
  options.limits.max_operations = 1'000'000;
  Launch launch;
  launch.args = {std::int32_t{1024}};
  EXPECT_TRUE(run_text(text, launch, options).ok);
  launch.args = {std::int32_t{0}};
  const Report a = run_text(text, launch, options), b = run_text(text, launch, options);
  EXPECT_EQ(a.findings.at(0).kind, Kind::timeout);
  EXPECT_EQ(a.counters.operations, b.counters.operations);
}

TEST(Limits, WhatEndsACandidateIsListedBehindManyMemoryErrors) {
  // Nine positions read outside of the buffer, one more than are listed; then an assertion fails.
  std::string text =
      "module { tt.func public @k(%p: !tt.ptr<i32>) {\n%far = arith.constant 1000 : i32\n"
      "%q = tt.addptr %p, %far : !tt.ptr<i32>, i32\n%no = arith.constant false\n";
  for (int i = 1; i < 10; ++i) {
    text +=
        "%v" + std::to_string(i) + " = tt.load %q : !tt.ptr<i32> loc(\"k.py\":" + std::to_string(i) + ":1)\n";
  }
  Launch launch;
  launch.args = {PointerArg{0, 0}};
  Options options;
  options.strict = false;
  const Report report =
      run_text(text + "tt.assert %no, \"never\" : i1 loc(\"k.py\":20:1)\ntt.return } }", launch, options);
  EXPECT_FALSE(report.ok);
  ASSERT_EQ(report.findings.size(), 9u);
  EXPECT_EQ(report.findings.back().kind, Kind::assertion);
}

}  // namespace
}  // namespace trl::executor
