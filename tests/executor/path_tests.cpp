// Decisions by loaded values: which there are, which ways they went, and which values turn them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "verifier/executor/executor.hpp"
#include "verifier/executor/paths/paths.hpp"

namespace trl::executor {
namespace {

constexpr std::uint8_t unseen = 0, yes = 1, no = 2, both = 3;

/// A kernel that loads 64 elements %v of x where %i < %n, runs `body`, which defines %r, and stores %r.
std::string branching_kernel(const std::string& body, const std::string& other = "0.0",
                             const std::string& outside = "") {
  return outside + R"(
module {
  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %i = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %m = tt.splat %n : i32 -> tensor<64xi32>
    %mask = arith.cmpi slt, %i, %m : tensor<64xi32>
    %other = arith.constant dense<)" +
         other + R"(> : tensor<64xf32>
    %zeros = arith.constant dense<0.0> : tensor<64xf32>
    %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %px = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    %v = tt.load %px, %mask, %other : tensor<64x!tt.ptr<f32>>
)" + body +
         R"(
    %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
    %po = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
    tt.store %po, %r, %mask : tensor<64x!tt.ptr<f32>>
    tt.return
  }
}
)";
}

/// A body in which %r is 0 where the condition `%c` holds, and otherwise %v.
std::string chosen(const std::string& condition, const std::string& other = "0.0") {
  return branching_kernel(
      condition + "\n    %r = arith.select %c, %zeros, %v : tensor<64xi1>, tensor<64xf32>", other);
}

std::string constant(const std::string& name, const std::string& value, const std::string& type = "f32") {
  return "    %" + name + " = arith.constant dense<" + value + "> : tensor<64x" + type + ">\n";
}

struct Paths {
  explicit Paths(const std::string& text) : parsed(parse(text)) {
    if (const auto* error = std::get_if<ParseError>(&parsed))
      throw std::runtime_error(std::to_string(error->line) + ": " + error->message);
    ways.assign(decisions(module()).size(), unseen);
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, std::int32_t{64}};
  }
  const Module& module() const { return std::get<Module>(parsed); }

  /// Runs the kernel on these values, of which the first n count.
  Paths& on(const std::vector<float>& x, int n = 64) {
    Memory memory;
    std::vector<float> padded = x;
    padded.resize(64, x.back());
    memory.add_buffer("x", std::as_bytes(std::span(padded)), false);
    memory.add_unwritten("out", 256);
    launch.args[2] = std::int32_t{n};
    Options options;
    options.ways = &ways;
    const Report report = run(module(), launch, memory, options);
    EXPECT_TRUE(report.ok) << (report.findings.empty() ? "" : report.findings[0].message);
    return *this;
  }
  /// Whether a value that was solved for turns the last decision, so that a launch with it sees both ways.
  bool turned() {
    const std::vector<Decider> found = deciders(module(), launch, ways);
    for (const Decider& decider : found) {
      EXPECT_EQ(decider.buffers, std::vector<int>{0});
      EXPECT_LE(decider.low, decider.high);
      on(std::vector<float>(64, static_cast<float>(decider.low)));
      on(std::vector<float>(64, static_cast<float>(decider.high)));
    }
    return ways.back() == both;
  }

  std::variant<Module, ParseError> parsed;
  Launch launch;
  std::vector<std::uint8_t> ways;
};

const std::vector<float> usual = {-2.5f, -1, -0.25f, 0.5f, 1, 2};

TEST(Paths, AMaskOfBoundsIsNoDecision) {
  Paths paths(branching_kernel("    %r = arith.addf %v, %v : tensor<64xf32>"));
  EXPECT_TRUE(paths.ways.empty());
}

TEST(Paths, AComparisonIsOne) {
  Paths paths(chosen(constant("t", "-9.0") + "    %c = arith.cmpf olt, %v, %t : tensor<64xf32>"));
  ASSERT_EQ(paths.ways.size(), 1u) << "the select's condition is the comparison itself";
  EXPECT_EQ(decisions(paths.module())[0].what, "comparison < -9");
  EXPECT_EQ(paths.on(usual).ways[0], no);
  EXPECT_EQ(paths.on({-10}).ways[0], both);
}

TEST(Paths, WhatAMaskedLoadGivesInsteadDecidesNothing) {
  Paths paths(chosen(constant("t", "-9.0") + "    %c = arith.cmpf olt, %v, %t : tensor<64xf32>", "-100.0"));
  EXPECT_EQ(paths.on(usual, 40).ways[0], no);
}

TEST(Paths, MasksReachDecisionsThroughShapes) {
  const auto text = [](const std::string& condition) {
    return branching_kernel(R"(
    %e = tt.expand_dims %v {axis = 0 : i32} : tensor<64xf32> -> tensor<1x64xf32>
    %b = tt.broadcast %e : tensor<1x64xf32> -> tensor<2x64xf32>
    %t = arith.constant dense<-9.0> : tensor<2x64xf32>
    %z = arith.constant dense<0.0> : tensor<2x64xf32>
)" + condition + R"(
    %w = arith.select %c, %z, %b : tensor<2x64xi1>, tensor<2x64xf32>
    %r = "tt.reduce"(%w) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %q: f32):
      %sum = arith.addf %l, %q : f32
      tt.reduce.return %sum : f32
    }) : (tensor<2x64xf32>) -> tensor<64xf32>)",
                            "-100.0");
  };
  Paths paths(text("    %c = arith.cmpf olt, %b, %t : tensor<2x64xf32>"));
  ASSERT_EQ(paths.ways.size(), 1u);
  EXPECT_EQ(paths.on(usual, 40).ways[0], no);
  EXPECT_EQ(paths.on({-10}, 40).ways[0], both);
}

TEST(Paths, MasksReachDecisionsThroughOtherShapesAndLoops) {
  for (const std::string between : {R"(
    %e = tt.reshape %v : tensor<64xf32> -> tensor<8x8xf32>
    %f = tt.trans %e {order = array<i32: 1, 0>} : tensor<8x8xf32> -> tensor<8x8xf32>
    %b = tt.reshape %f : tensor<8x8xf32> -> tensor<64xf32>
)",
                                    R"(
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %b = scf.for %round = %zero to %one step %one iter_args(%carried = %zeros) -> (tensor<64xf32>)  : i32 {
      scf.yield %v : tensor<64xf32>
    }
)"}) {
    Paths paths(branching_kernel(between + constant("t", "-9.0") + R"(
    %c = arith.cmpf olt, %b, %t : tensor<64xf32>
    %r = arith.select %c, %zeros, %b : tensor<64xi1>, tensor<64xf32>)",
                                 "-100.0"));
    ASSERT_EQ(paths.ways.size(), 1u);
    EXPECT_EQ(paths.on(usual, 40).ways[0], no) << between;
    EXPECT_EQ(paths.on({-10}, 40).ways[0], both) << between;
  }
}

TEST(Paths, AMaximumDecides) {
  Paths paths(branching_kernel(constant("t", "-9.0") + "    %r = arith.maxnumf %v, %t : tensor<64xf32>"));
  ASSERT_EQ(paths.ways.size(), 1u);
  EXPECT_EQ(paths.on(usual).ways[0], yes);
  EXPECT_TRUE(paths.turned());
}

TEST(Paths, BothBoundsOfAClampDecide) {
  Paths paths(branching_kernel(constant("l", "-9.0") + constant("h", "1.5") +
                               "    %r = tt.clampf %v, %l, %h, propagateNan = none : tensor<64xf32>"));
  ASSERT_EQ(paths.ways.size(), 2u);
  paths.on(usual);
  EXPECT_EQ(paths.ways[0], no);
  EXPECT_EQ(paths.ways[1], both);
  paths.turned();
  EXPECT_EQ(paths.ways[0], both);
}

TEST(Paths, ThresholdsAreSolvedFor) {
  // Compares a · x + b with c; ordinary values never reach the thresholds.
  Paths paths(chosen(constant("a", "-4.0") + constant("b", "1.0") + constant("t", "37.0") + R"(
    %s = arith.mulf %v, %a : tensor<64xf32>
    %p = arith.addf %s, %b : tensor<64xf32>
    %c = arith.cmpf ogt, %p, %t : tensor<64xf32>)"));
  EXPECT_EQ(paths.on(usual).ways[0], no);
  const std::vector<Decider> found = deciders(paths.module(), paths.launch, paths.ways);
  ASSERT_FALSE(found.empty());
  // Just beyond −9, exactly −9, and anywhere beyond.
  bool beyond = false, exactly = false, range = false;
  for (const Decider& decider : found) {
    EXPECT_FALSE(decider.everywhere);
    beyond |= decider.high < -9 && decider.high > -9.0001 && decider.low == decider.high;
    exactly |= decider.low == -9 && decider.high == -9;
    range |= decider.low < -18 && decider.high < -9;
  }
  EXPECT_TRUE(beyond && exactly && range);
}

TEST(Paths, OtherFunctionsAreTurnedByBisection) {
  for (const std::string condition :
       {"    %e = math.exp %v : tensor<64xf32>\n    %c = arith.cmpf ogt, %e, %t : tensor<64xf32>",
        "    %e = math.absf %v : tensor<64xf32>\n    %c = arith.cmpf ogt, %e, %t : tensor<64xf32>",
        "    %e = arith.mulf %v, %v : tensor<64xf32>\n    %c = arith.cmpf ogt, %e, %t : tensor<64xf32>",
        "    %e = arith.remf %v, %t : tensor<64xf32>\n    %h = arith.constant dense<3.25> : tensor<64xf32>\n"
        "    %c = arith.cmpf oeq, %e, %h : tensor<64xf32>"}) {
    Paths paths(chosen(constant("t", "77.0") + condition));
    EXPECT_EQ(paths.on(usual).ways[0], no);
    EXPECT_TRUE(paths.turned()) << condition;
  }
}

TEST(Paths, MagicValuesAreFound) {
  Paths equal(chosen(constant("t", "1234.5") + "    %c = arith.cmpf oeq, %v, %t : tensor<64xf32>"));
  equal.on(usual);
  EXPECT_TRUE(equal.turned());
  Paths between(chosen(constant("l", "12.0") + constant("h", "12.0001") + R"(
    %a = arith.cmpf ogt, %v, %l : tensor<64xf32>
    %b = arith.cmpf olt, %v, %h : tensor<64xf32>
    %c = arith.andi %a, %b : tensor<64xi1>)"));
  between.on(usual);
  EXPECT_EQ(between.ways.size(), 3u);
  EXPECT_TRUE(between.turned());
}

TEST(Paths, MagicBitsAreFound) {
  for (const std::string condition :
       {"    %c = arith.cmpi eq, %b, %t : tensor<64xi32>",
        "    %k = arith.constant dense<65535> : tensor<64xi32>\n    %w = arith.andi %b, %k : tensor<64xi32>\n"
        "    %s = arith.constant dense<4660> : tensor<64xi32>\n"
        "    %c = arith.cmpi eq, %w, %s : tensor<64xi32>",
        "    %k = arith.constant dense<16> : tensor<64xi32>\n    %w = arith.shrui %b, %k : tensor<64xi32>\n"
        "    %s = arith.constant dense<17000> : tensor<64xi32>\n"
        "    %c = arith.cmpi eq, %w, %s : tensor<64xi32>"}) {
    Paths paths(chosen(constant("t", "1150963712", "i32") +
                       "    %b = tt.bitcast %v : tensor<64xf32> -> tensor<64xi32>\n" + condition));
    paths.on(usual);
    EXPECT_TRUE(paths.turned()) << condition;
  }
}

TEST(Paths, AConditionOnASumIsTurnedByAllElements) {
  Paths paths(branching_kernel(R"(
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %q: f32):
      %sum = arith.addf %l, %q : f32
      tt.reduce.return %sum : f32
    }) : (tensor<64xf32>) -> f32
    %t = arith.constant 5000.0 : f32
    %h = arith.cmpf ogt, %s, %t : f32
    %r = scf.if %h -> (tensor<64xf32>) {
      scf.yield %zeros : tensor<64xf32>
    } else {
      scf.yield %v : tensor<64xf32>
    })"));
  ASSERT_EQ(paths.ways.size(), 1u);
  EXPECT_EQ(paths.on(usual).ways[0], no);
  const std::vector<Decider> found = deciders(paths.module(), paths.launch, paths.ways);
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(found[0].everywhere);
  EXPECT_TRUE(paths.turned());
}

TEST(Paths, APaddedRowCountsWhatItHolds) {
  // A mask leaves the first 40 of a block of 64 (the rest is 0), so its sum has 40 elements.
  Paths paths(branching_kernel(R"(
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %q: f32):
      %sum = arith.addf %l, %q : f32
      tt.reduce.return %sum : f32
    }) : (tensor<64xf32>) -> f32
    %t = arith.constant 5000.0 : f32
    %h = arith.cmpf ogt, %s, %t : f32
    %r = scf.if %h -> (tensor<64xf32>) {
      scf.yield %zeros : tensor<64xf32>
    } else {
      scf.yield %v : tensor<64xf32>
    })"));
  paths.on(usual, 40);
  const std::vector<Decider> found = deciders(paths.module(), paths.launch, paths.ways);
  ASSERT_FALSE(found.empty());
  EXPECT_NEAR(found[0].low, 5000.0 / 40, 0.001) << "the row first";
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const Decider& one) {
    return std::abs(one.low - 5000.0 / 64) < 0.001;
  })) << "and the whole block, should no mask look at that number";
}

TEST(Paths, ABranchThatIsNeverTakenHasDecisionsThatNobodySaw) {
  Paths paths(branching_kernel(R"(
    %s = "tt.reduce"(%v) <{axis = 0 : i32}> ({
    ^bb0(%l: f32, %q: f32):
      %top = arith.maxnumf %l, %q : f32
      tt.reduce.return %top : f32
    }) : (tensor<64xf32>) -> f32
    %t = arith.constant 50.0 : f32
    %h = arith.cmpf ogt, %s, %t : f32
    %r = scf.if %h -> (tensor<64xf32>) {
      %u = arith.constant dense<77.25> : tensor<64xf32>
      %c = arith.cmpf oeq, %v, %u : tensor<64xf32>
      %w = arith.select %c, %zeros, %v : tensor<64xi1>, tensor<64xf32>
      scf.yield %w : tensor<64xf32>
    } else {
      scf.yield %v : tensor<64xf32>
    })"));
  paths.on(usual);
  EXPECT_EQ(paths.ways.back(), unseen);
  EXPECT_TRUE(paths.turned());
}

TEST(Paths, WhatIsSeenAlreadyIsSolvedForNoMore) {
  Paths paths(chosen(constant("t", "0.0") + "    %c = arith.cmpf olt, %v, %t : tensor<64xf32>"));
  EXPECT_EQ(paths.on(usual).ways[0], both);
  EXPECT_TRUE(deciders(paths.module(), paths.launch, paths.ways).empty());
}

TEST(Paths, AsManyThreadsSeeTheSame) {
  // Program i decides by element i alone; only the last one goes the other way.
  const std::string text = R"(
module {
  tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
    %i = tt.get_program_id x : i32
    %px = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %px : !tt.ptr<f32>
    %t = arith.constant 60.0 : f32
    %c = arith.cmpf ogt, %v, %t : f32
    %r = arith.select %c, %t, %v : f32
    %po = tt.addptr %out, %i : !tt.ptr<f32>, i32
    tt.store %po, %r : !tt.ptr<f32>
    tt.return
  }
}
)";
  Paths paths(text);
  std::vector<float> x(4096, 1.0f);
  x.back() = 61;
  for (const int threads : {1, 4}) {
    Memory memory;
    memory.add_buffer("x", std::as_bytes(std::span(x)), false);
    memory.add_unwritten("out", x.size() * 4);
    Options options;
    std::vector<std::uint8_t> ways(1, 0);
    options.ways = &ways;
    options.threads = threads;
    options.threads_from = 1;
    paths.launch.grid[0] = static_cast<std::uint32_t>(x.size());
    const Report report = run(paths.module(), paths.launch, memory, options);
    EXPECT_EQ(report.threads, threads);
    EXPECT_EQ(ways[0], both);
  }
}

}  // namespace
}  // namespace trl::executor
