// Finds where NaN and infinities come from.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "verifier/executor/executor.hpp"
#include "verifier/executor/launch/trace.hpp"

namespace trl::executor {
namespace {

std::string describe(const std::vector<Trace::Step>& steps) {
  std::string text;
  for (const Trace::Step& step : steps) {
    text += (text.empty() ? "" : "; ") + std::to_string(step.source.line) + ": " + step.what;
  }
  return text;
}

/// A kernel with x and out, of four floats each; `body` computes %v: tensor<4xf32> from %x0, which line 3
/// loads.
struct TracedKernel {
  Memory memory;
  Trace trace;
  Launch launch;

  std::string origin(const std::string& body, std::vector<float> x, int element, const char* load = "%px") {
    const std::string text = std::string(R"(module { tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
      %range = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
      %two = arith.constant dense<2> : tensor<4xi32>
      %mask = arith.cmpi slt, %range, %two : tensor<4xi32>
      %zero = arith.constant dense<0.0> : tensor<4xf32>
      %low = arith.constant dense<0xFF800000> : tensor<4xf32> loc("k.py":2:1)
      %xs = tt.splat %x : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %px = tt.addptr %xs, %range : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      %x0 = tt.load )") + load +
                             R"( : tensor<4x!tt.ptr<f32>> loc("k.py":3:1)
      )" + body + R"(
      %os = tt.splat %out : !tt.ptr<f32> -> tensor<4x!tt.ptr<f32>>
      %po = tt.addptr %os, %range : tensor<4x!tt.ptr<f32>>, tensor<4xi32>
      tt.store %po, %v : tensor<4x!tt.ptr<f32>>
      tt.return } })";
    auto parsed = parse(text);
    if (const auto* error = std::get_if<ParseError>(&parsed)) {
      ADD_FAILURE() << error->line << ": " << error->message;
      return {};
    }
    memory = {};
    if (x.empty()) {
      memory.add_unwritten("x", 16);
    } else {
      memory.add_buffer("x", std::as_bytes(std::span(x)), true);
    }
    memory.add_unwritten("out", 16);
    launch.args = {PointerArg{0, 0}, PointerArg{1, 0}};
    Options options;
    options.strict = false;
    options.trace = &trace;
    run(std::get<Module>(parsed), launch, memory, options);
    return describe(trace.origin(1, 4 * element));
  }
};

TEST(Trace, NamesTheOperationAndItsNumbers) {
  const auto unary = [](const std::string& operation) {
    return "%v = " + operation + " %x0 : tensor<4xf32> loc(\"k.py\":7:4)";
  };
  EXPECT_EQ(TracedKernel().origin(unary("math.log"), {1, 2, -0.5, 4}, 2), "7: log(-0.5) is nan");
  EXPECT_EQ(TracedKernel().origin(unary("math.log"), {1, 2, 0, 4}, 2), "7: log(0) is -inf");
  EXPECT_EQ(TracedKernel().origin(unary("math.log"), {1, 2, 0, 4}, 1), "") << "finite";
  EXPECT_EQ(TracedKernel().origin(unary("math.exp"), {1, 200, 0, 4}, 1), "7: exp(200) is inf");
  EXPECT_EQ(TracedKernel().origin(unary("math.sqrt"), {1, 200, 0, -1}, 3), "7: sqrt(-1) is nan");
  EXPECT_EQ(
      TracedKernel().origin("%v = arith.divf %x0, %zero : tensor<4xf32> loc(\"k.py\":8:4)", {0, 1, -1, 2}, 0),
      "8: 0 / 0 is nan");
  EXPECT_EQ(
      TracedKernel().origin("%v = arith.divf %x0, %zero : tensor<4xf32> loc(\"k.py\":8:4)", {0, 1, -1, 2}, 2),
      "8: -1 / 0 is -inf");
  EXPECT_EQ(TracedKernel().origin("%v = arith.mulf %x0, %x0 : tensor<4xf32> loc(\"k.py\":8:4)",
                                  {0, 1e30f, -1, 2}, 1),
            "8: 1e+30 * 1e+30 is inf");
}

TEST(Trace, FollowsValuesThroughMovesLoopsAndSelection) {
  const std::string body = R"(%a = math.log %x0 : tensor<4xf32> loc("k.py":7:4)
      %e = tt.expand_dims %a {axis = 0 : i32} : tensor<4xf32> -> tensor<1x4xf32>
      %b = tt.broadcast %e : tensor<1x4xf32> -> tensor<2x4xf32>
      %t = tt.trans %b {order = array<i32: 1, 0>} : tensor<2x4xf32> -> tensor<4x2xf32>
      %l, %r = tt.split %t : tensor<4x2xf32> -> tensor<4xf32>
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c3 = arith.constant 3 : i32
      %w = scf.for %k = %c0 to %c3 step %c1 iter_args(%acc = %r) -> (tensor<4xf32>) : i32 {
        %n = arith.addf %acc, %zero : tensor<4xf32> loc("k.py":11:4)
        scf.yield %n : tensor<4xf32>
      }
      %v = arith.select %mask, %w, %zero : tensor<4xi1>, tensor<4xf32>)";
  EXPECT_EQ(TracedKernel().origin(body, {1, -2, -3, 4}, 1), "7: log(-2) is nan");
  EXPECT_EQ(TracedKernel().origin(body, {1, -2, -3, 4}, 2), "") << "not chosen";
}

TEST(Trace, TellsWhatAnInfThatBecameNaNCameFrom) {
  const std::string body = R"(%a = math.exp %x0 : tensor<4xf32> loc("k.py":7:4)
      %v = arith.subf %a, %a : tensor<4xf32> loc("k.py":9:4))";
  EXPECT_EQ(TracedKernel().origin(body, {1, 2, 300, 4}, 2), "9: inf - inf is nan; 7: exp(300) is inf");
}

TEST(Trace, FollowsReductionsAndDots) {
  const std::string sum = R"(%a = math.log %x0 : tensor<4xf32> loc("k.py":7:4)
      %s = "tt.reduce"(%a) <{axis = 0 : i32}> ({
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        tt.reduce.return %t : f32
      }) : (tensor<4xf32>) -> f32 loc("k.py":8:4)
      %v = tt.splat %s : f32 -> tensor<4xf32>)";
  EXPECT_EQ(TracedKernel().origin(sum, {1, 2, -3, 4}, 0), "7: log(-3) is nan");
  const std::string overflow = R"(%s = "tt.reduce"(%x0) <{axis = 0 : i32}> ({
      ^bb0(%l: f32, %r: f32):
        %t = arith.addf %l, %r : f32
        tt.reduce.return %t : f32
      }) : (tensor<4xf32>) -> f32 loc("k.py":8:4)
      %v = tt.splat %s : f32 -> tensor<4xf32>)";
  EXPECT_EQ(TracedKernel().origin(overflow, {3e38f, 3e38f, 0, 4}, 3),
            "8: finite values, put together, give inf");
}

TEST(Trace, TellsLoadsOfNothing) {
  const std::string copy = "%v = arith.addf %x0, %zero : tensor<4xf32> loc(\"k.py\":7:4)";
  EXPECT_EQ(TracedKernel().origin(copy, {}, 1), "3: nothing has written what is loaded from x");
  EXPECT_EQ(TracedKernel().origin(copy, {1, 2}, 3), "3: the load is outside of x");
  EXPECT_EQ(TracedKernel().origin("%v = math.log %x0 : tensor<4xf32> loc(\"k.py\":7:4)", {1, 2, 3, 4}, 3,
                                  "%px, %mask"),
            "7: log(0) is -inf")
      << "where the mask is off a load without `other` gives 0";
  EXPECT_EQ(TracedKernel().origin(copy, {1, 2, 3, 4}, 3, "%px, %mask, %low"), "2: the constant is -inf");
  EXPECT_EQ(TracedKernel().origin(copy, {1, NAN, 3, 4}, 1), "3: x holds nan");
}

TEST(Trace, FollowsValuesThroughMemory) {
  TracedKernel kernel;
  kernel.origin("%v = math.log %x0 : tensor<4xf32> loc(\"k.py\":7:4)", {1, -2, 3, 4}, 1);
  // A second launch reads what the first one wrote.
  auto parsed = parse(R"(module { tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
      %one = arith.constant 1 : i32
      %p = tt.addptr %out, %one : !tt.ptr<f32>, i32
      %a = tt.load %p : !tt.ptr<f32> loc("k.py":20:4)
      %b = arith.addf %a, %a : f32 loc("k.py":21:4)
      tt.store %x, %b : !tt.ptr<f32>
      tt.return } })");
  Options options;
  options.trace = &kernel.trace;
  run(std::get<Module>(parsed), kernel.launch, kernel.memory, options);
  EXPECT_EQ(describe(kernel.trace.origin(0, 0)), "7: log(-2) is nan");
  kernel.trace.copy(5, 40, 0, 0);
  EXPECT_EQ(describe(kernel.trace.origin(5, 40)), "7: log(-2) is nan");
}

TEST(Trace, ChangesNothing) {
  const std::string body = "%v = math.log %x0 : tensor<4xf32>";
  TracedKernel traced;
  traced.origin(body, {1, -2, 0, 4}, 0);
  std::vector<float> out(4);
  std::memcpy(out.data(), traced.memory.buffer(1).bytes.data(), 16);
  EXPECT_EQ(out[0], 0.0f);
  EXPECT_TRUE(std::isnan(out[1]));
  EXPECT_TRUE(std::isinf(out[2]));
}

}  // namespace
}  // namespace trl::executor
