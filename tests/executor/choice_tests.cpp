// What TTIR leaves to a compiler, results that it leaves undefined, and what a kernel promises about its
// numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/executor/compiled.hpp"
#include "verifier/executor/values/lowering.hpp"
#include "verifier/executor/values/reduction_order.hpp"

namespace trl::executor {
namespace {

constexpr int n = 64;
/// Keys with one and with several registers a thread, 32 threads of one warp.
constexpr std::uint64_t butterfly = 0x100, held = 0x100 | Lowering::several_registers;

/// A kernel that reads blocks %a of i32 and %b of f32 and whose operations `body` have a result %r.
std::string choosing(const std::string& body, const std::string& result, const std::string& parameters = "") {
  const std::string s = "tensor<64x";
  const bool block = result.starts_with("tensor");
  const std::string element = block ? result.substr(10, 3) : result;
  std::string text = "module { tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<f32>, %o: !tt.ptr<" + element +
                     ">" + parameters + ") {\n%i = tt.make_range {end = 64 : i32, start = 0 : i32} : " + s +
                     "i32>\n";
  for (const auto& [name, from, type] : {std::array<const char*, 3>{"a", "x", "i32"}, {"b", "y", "f32"}}) {
    const std::string pointers = s + "!tt.ptr<" + type + ">>", p = std::string("%") + name;
    text += p + "s = tt.splat %" + from + " : !tt.ptr<" + type + "> -> " + pointers + "\n" + p +
            "p = tt.addptr " + p + "s, %i : " + pointers + ", " + s + "i32>\n" + p + " = tt.load " + p +
            "p : " + pointers + "\n";
  }
  text += body;
  if (!block) return text + "\ntt.store %o, %r : !tt.ptr<" + element + ">\ntt.return } }";
  const std::string pointers = s + "!tt.ptr<" + element + ">>";
  return text + "\n%os = tt.splat %o : !tt.ptr<" + element + "> -> " + pointers +
         "\n%op = tt.addptr %os, %i : " + pointers + ", " + s + "i32>\ntt.store %op, %r : " + pointers +
         "\ntt.return } }";
}

struct Ran {
  Report report;
  std::vector<std::int32_t> out;

  float real(std::size_t i) const { return std::bit_cast<float>(out[i]); }
};

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> all(n);
  for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = i;
  return all;
}
std::vector<float> thirds() {
  std::vector<float> all(n);
  for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = static_cast<float>(i + 1) / 3;
  return all;
}

Ran carry_out(const std::string& text, const Options& options, const std::vector<float>& reals = thirds(),
              const std::vector<Argument>& more = {}, std::int64_t offset = 0) {
  const Module module = compiled(text);
  const std::vector<std::int32_t> whole = numbers();
  Memory memory;
  memory.add_buffer("x", std::as_bytes(std::span(whole)), false);
  memory.add_buffer("y", std::as_bytes(std::span(reals)), false);
  memory.add_unwritten("o", 4 * n + 64);
  Launch launch;
  launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, PointerArg{2, offset}};
  launch.args.insert(launch.args.end(), more.begin(), more.end());
  Ran ran{run(module, launch, memory, options), std::vector<std::int32_t>(n)};
  std::memcpy(ran.out.data(), memory.buffer(2).bytes.data(), 4 * n);
  return ran;
}
Options lowered(std::uint64_t key) {
  Options options;
  options.lowering = key;
  return options;
}

std::string reduction(const std::string& of, const std::string& region) {
  return "%r = \"tt.reduce\"(%" + of + ") <{axis = 0 : i32}> ({\n^bb0(%p: i32, %q: i32):\n" + region +
         "\n}) : (tensor<64xi32>) -> i32 loc(\"k.py\":7:3)";
}

TEST(Choices, WhatIsCommutativeAndAssociativeIsTheSameInEveryOrder) {
  const std::string largest =
      choosing(reduction("a",
                         "%c = arith.cmpi sgt, %p, %q : i32\n%m = arith.select %c, %p, %q : i32\n"
                         "tt.reduce.return %m : i32"),
               "i32");
  for (const std::uint64_t key :
       {std::uint64_t{0}, butterfly, held, held | 0x14, held | 0x38, butterfly | 0x90})
    EXPECT_EQ(carry_out(largest, lowered(key)).out[0], 63) << key;
  EXPECT_EQ(carry_out(largest, {}).report.counters.orders, 1u);
}

// x -> 3 x + q, after x -> 3 x + p …: associative in pairs, and what comes first counts most.
TEST(Choices, AReductionDoesNotKeepTheOrderOfItsElements) {
  const std::string compose = choosing(
      "%t = arith.constant dense<3> : tensor<64xi32>\n%v, %r = \"tt.reduce\"(%t, %a) <{axis = 0 : i32}> ({\n"
      "^bb0(%p1: i32, %p2: i32, %q1: i32, %q2: i32):\n%f = arith.muli %p1, %q1 : i32\n"
      "%g = arith.muli %q1, %p2 : i32\n%h = arith.addi %g, %q2 : i32\ntt.reduce.return %f, %h : i32, i32\n"
      "}) : (tensor<64xi32>, tensor<64xi32>) -> (i32, i32)",
      "i32");
  std::uint32_t state = 0;
  for (std::uint32_t i = 0; i < n; ++i) state = 3 * state + i;
  EXPECT_EQ(carry_out(compose, {}).out[0], static_cast<std::int32_t>(state));
  for (const std::uint64_t key : {butterfly, held})
    EXPECT_NE(carry_out(compose, lowered(key)).out[0], static_cast<std::int32_t>(state));
}

TEST(Choices, TheLineSaysHowFarTheChoicesGo) {
  const std::string minus = choosing(reduction("a",
                                               "%k = arith.constant 3 : i32\n%t = arith.muli %p, %k : i32\n"
                                               "%d = arith.subi %t, %q : i32\ntt.reduce.return %d : i32"),
                                     "i32");
  const int neighbours = carry_out(minus, {}).out[0];
  EXPECT_NE(carry_out(minus, lowered(held)).out[0], neighbours);
  Options options = lowered(held);
  options.lowered_to_line = 6;
  EXPECT_EQ(carry_out(minus, options).out[0], neighbours) << "the reduction is behind that line";
  options.lowered_to_line = 7;
  EXPECT_NE(carry_out(minus, options).out[0], neighbours);
}

// Every element takes part once, whatever the numbers of registers, threads and warps.
TEST(Choices, EveryOrderJoinsEachElementOnce) {
  for (std::uint64_t key = 2; key < 0x400; ++key)
    for (std::int64_t length = 1; length <= 4096; length *= 2) {
      std::vector<std::int64_t> sums(static_cast<std::size_t>(length));
      for (std::int64_t i = 0; i < length; ++i) sums[static_cast<std::size_t>(i)] = i + 1;
      reduction_steps(length, Lowering::of(key), [&](const std::vector<Pair>& pairs) {
        for (const Pair& pair : pairs)
          sums[static_cast<std::size_t>(pair.first)] +=
              std::exchange(sums[static_cast<std::size_t>(pair.second)], 0);
      });
      ASSERT_EQ(sums[0], length * (length + 1) / 2) << key << " " << length;
    }
}

TEST(Choices, AScanKeepsTheOrderAndMayGroup) {
  const auto scan = [](const std::string& region) {
    return choosing("%r = \"tt.scan\"(%a) <{axis = 0 : i32, reverse = false}> ({\n^bb0(%p: i32, %q: i32):\n" +
                        region + "\n}) : (tensor<64xi32>) -> tensor<64xi32>",
                    "tensor<64xi32>");
  };
  const std::string last = scan("tt.scan.return %q : i32"),
                    minus = scan("%d = arith.subi %p, %q : i32\ntt.scan.return %d : i32");
  for (const std::uint64_t key : {butterfly, held}) {
    EXPECT_EQ(carry_out(last, lowered(key)).out, numbers());
    EXPECT_NE(carry_out(minus, lowered(key)).out, carry_out(minus, {}).out);
  }
}

TEST(Choices, WhatMayBeReorderedIs) {
  const std::string view = choosing(
      "%t = tt.reshape %a allow_reorder : tensor<64xi32> -> tensor<4x16xi32>\n"
      "%r = tt.reshape %t : tensor<4x16xi32> -> tensor<64xi32>",
      "tensor<64xi32>");
  EXPECT_EQ(carry_out(view, {}).out, numbers());
  std::vector<std::int32_t> moved = carry_out(view, lowered(butterfly)).out;
  EXPECT_NE(moved, numbers());
  std::sort(moved.begin(), moved.end());
  EXPECT_EQ(moved, numbers());
  // Where only a sum follows, nothing moves.
  const std::string sum =
      choosing("%t = tt.reshape %a allow_reorder : tensor<64xi32> -> tensor<64xi32>\n" +
                   reduction("t", "%s = arith.addi %p, %q : i32\ntt.reduce.return %s : i32"),
               "i32");
  EXPECT_EQ(carry_out(sum, lowered(butterfly)).report.counters.orders, 0u);
  EXPECT_EQ(carry_out(sum, lowered(butterfly)).out[0], 63 * 64 / 2);
}

TEST(Choices, AProductAndASumAreRoundedOnceOrTwice) {
  const std::string residual = choosing(
      "%s = arith.mulf %b, %b : tensor<64xf32>\n%r = arith.subf %s, %s : tensor<64xf32>", "tensor<64xf32>");
  const Ran twice = carry_out(residual, {}), once = carry_out(residual, lowered(Lowering::contraction));
  int exact = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = thirds()[i];
    EXPECT_EQ(twice.real(i), 0.0f);
    EXPECT_EQ(once.real(i), std::fma(x, x, -(x * x)));
    exact += once.real(i) == 0.0f;
  }
  EXPECT_LT(exact, n / 2);
  EXPECT_EQ(once.report.counters.contractions, 1u);
  EXPECT_EQ(once.report.counters.operations, twice.report.counters.operations);
  EXPECT_EQ(once.report.counters.flops, twice.report.counters.flops);
}

TEST(Choices, ThreeFormsAreContracted) {
  const auto of = [](const std::string& last) {
    return carry_out(choosing("%c = arith.constant dense<0.333333343> : tensor<64xf32>\n"
                              "%s = arith.mulf %b, %c : tensor<64xf32>\n%r = arith." +
                                  last + " : tensor<64xf32>",
                              "tensor<64xf32>"),
                     lowered(Lowering::contraction));
  };
  const Ran add = of("addf %b, %s"), minus = of("subf %s, %b"), from = of("subf %b, %s");
  for (std::size_t i = 0; i < n; ++i) {
    const float x = thirds()[i], c = 0.333333343f;
    EXPECT_EQ(add.real(i), std::fma(x, c, x));
    EXPECT_EQ(minus.real(i), std::fma(x, c, -x));
    EXPECT_EQ(from.real(i), std::fma(-x, c, x));
  }
}

// The operands of a contracted product live as long as the sum, whatever is computed between them.
TEST(Choices, ContractionOutlivesOtherValues) {
  std::string body = "%d = arith.addf %b, %b : tensor<64xf32>\n%s = arith.mulf %d, %b : tensor<64xf32>\n";
  std::string before = "b";
  for (int i = 0; i < 20; ++i) {
    const std::string name = "t" + std::to_string(i);
    body += "%" + name + " = arith.addf %" + before + ", %" + before + " : tensor<64xf32>\n";
    before = name;
  }
  const std::string text =
      choosing(body + "%r = arith.addf %" + before + ", %s : tensor<64xf32>", "tensor<64xf32>");
  const Ran twice = carry_out(text, {}), once = carry_out(text, lowered(Lowering::contraction));
  for (std::size_t i = 0; i < n; ++i) EXPECT_FLOAT_EQ(once.real(i), twice.real(i));
}

struct Undefined {
  const char* name;
  std::string body;
  int results;
  int computed = results;  // fewer where all elements are the same, and so computed once
};

TEST(Undefined, ResultsAreCountedAndTakeTheNumberThatIsAsked) {
  const std::string constant =
      "%c = arith.constant dense<32> : tensor<64xi32>\n%z = arith.constant dense<0> : "
      "tensor<64xi32>\n%m = arith.constant dense<-2147483648> : tensor<64xi32>\n"
      "%u = arith.constant dense<-1> : tensor<64xi32>\n";
  const std::vector<Undefined> all = {
      {"shli by the width", "%r = arith.shli %a, %c : tensor<64xi32>", 64},
      {"shrui by up to 63", "%r = arith.shrui %c, %a : tensor<64xi32>", 32},
      {"shrsi by -1", "%r = arith.shrsi %c, %u : tensor<64xi32>", 64, 1},
      {"divsi by 0 … 63", "%r = arith.divsi %c, %a : tensor<64xi32>", 1},
      {"remui by 0", "%r = arith.remui %a, %a : tensor<64xi32>", 1},
      {"divsi with overflow", "%r = arith.divsi %m, %u : tensor<64xi32>", 64, 1},
      {"remsi with overflow", "%r = arith.remsi %m, %u : tensor<64xi32>", 64, 1},
      {"fptosi of what fits", "%r = arith.fptosi %b : tensor<64xf32> to tensor<64xi32>", 0},
      {"divsi by 1",
       "%o1 = arith.constant dense<1> : tensor<64xi32>\n%r = arith.divsi %a, %o1 : tensor<64xi32>", 0},
  };
  for (const Undefined& one : all) {
    SCOPED_TRACE(one.name);
    const std::string text = choosing(constant + one.body, "tensor<64xi32>");
    Options filled;
    filled.undefined = 0x7B7B7B7B7B7B7B7B;
    const Ran plain = carry_out(text, {}), other = carry_out(text, filled);
    EXPECT_EQ(plain.report.counters.undefined, static_cast<std::uint64_t>(one.computed));
    EXPECT_EQ(std::count(other.out.begin(), other.out.end(), 0x7B7B7B7B), one.results);
    EXPECT_EQ(plain.report.undefined.size(), one.results == 0 ? 0u : 1u);
  }
}

TEST(Undefined, ConversionsKnowEachRange) {
  const auto count = [](const std::string& to, float number) {
    const std::string text =
        choosing("%f = arith.fptosi %b : tensor<64xf32> to tensor<64x" + to + ">\n" +
                     (to == "i32"   ? "%r = arith.addi %f, %a : tensor<64xi32>"
                      : to == "i64" ? "%r = arith.trunci %f : tensor<64xi64> to tensor<64xi32>"
                                    : "%r = arith.extsi %f : tensor<64x" + to + "> to tensor<64xi32>"),
                 "tensor<64xi32>");
    return carry_out(text, {}, std::vector<float>(n, number)).report.counters.undefined;
  };
  const float inf = std::numeric_limits<float>::infinity();
  for (const char* to : {"i8", "i16", "i32", "i64"})
    for (const float never : {inf, -inf, std::numeric_limits<float>::quiet_NaN(), 1e30f})
      EXPECT_EQ(count(to, never), 64u) << to;
  EXPECT_EQ(count("i8", 127.9f), 0u);
  EXPECT_EQ(count("i8", 128.0f), 64u);
  EXPECT_EQ(count("i8", -128.9f), 0u);
  EXPECT_EQ(count("i8", -129.0f), 64u);
  EXPECT_EQ(count("i32", -2147483648.0f), 0u);
  EXPECT_EQ(count("i32", 2147483648.0f), 64u);
  EXPECT_EQ(count("i32", 2147483520.0f), 0u);
  EXPECT_EQ(count("i64", 9223372036854775808.0f), 64u);
}

TEST(Hints, UntrueOnesAreFound) {
  const auto hinted = [](const std::string& hint, const std::string& value = "arith.addi %a, %a") {
    return carry_out(choosing("%r = " + value + " {" + hint + "} : tensor<64xi32>", "tensor<64xi32>"), {})
        .report;
  };
  const auto untrue = [](const Report& report) {
    return !report.findings.empty() && report.findings[0].kind == Kind::untrue_hint;
  };
  EXPECT_TRUE(hinted("tt.divisibility = dense<2> : tensor<1xi32>").ok);
  EXPECT_TRUE(untrue(hinted("tt.divisibility = dense<4> : tensor<1xi32>")));
  EXPECT_TRUE(untrue(hinted("tt.constancy = dense<2> : tensor<1xi32>")));
  EXPECT_TRUE(hinted("tt.constancy = dense<4> : tensor<1xi32>", "arith.subi %a, %a").ok);
  // 0 … 63 is one run, and its first number decides.
  EXPECT_TRUE(hinted("tt.divisibility = dense<16> : tensor<1xi32>", "arith.ori %a, %a").ok);
}

TEST(Hints, ArgumentsAreTheMultiplesForWhichAKernelWasCompiled) {
  const auto with = [](const std::string& parameters, const std::vector<Argument>& more,
                       std::int64_t offset) {
    std::string text = choosing("%r = arith.addi %a, %a : tensor<64xi32>", "tensor<64xi32>", parameters);
    text.replace(text.find("%o: !tt.ptr<i32>"), 16, "%o: !tt.ptr<i32> {tt.divisibility = 16 : i32}");
    return carry_out(text, {}, thirds(), more, offset).report;
  };
  EXPECT_TRUE(with("", {}, 0).ok);
  EXPECT_TRUE(with("", {}, 16).ok);
  const Report crooked = with("", {}, 4);
  ASSERT_EQ(crooked.findings.size(), 1u);
  EXPECT_EQ(crooked.findings[0].kind, Kind::untrue_hint);
  const std::string number = ", %m: i32 {tt.divisibility = 16 : i32}";
  EXPECT_TRUE(with(number, {std::int32_t{48}}, 0).ok);
  EXPECT_FALSE(with(number, {std::int32_t{40}}, 0).ok);
}

}  // namespace
}  // namespace trl::executor
