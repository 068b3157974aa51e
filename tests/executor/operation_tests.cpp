// Operations that Triton's frontend doesn't generate itself, but that its passes or other text may contain.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "verifier/executor/executor.hpp"
#include "verifier/executor/values/scan_order.hpp"

namespace trl::executor {
namespace {

/// Returns OPERATION(x[i], y[i]) for four elements.
template <class From, class To>
std::vector<To> results(const std::string& operation, const std::string& from, const std::string& to,
                        const std::vector<From>& x, const std::vector<From>& y) {
  const std::string in = "tensor<4x!tt.ptr<" + from + ">>", out = "tensor<4x!tt.ptr<" + to + ">>";
  const std::string text =
      "module { tt.func public @k(%x: !tt.ptr<" + from + ">, %y: !tt.ptr<" + from + ">, %out: !tt.ptr<" + to +
      ">) {\n" + "%i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>\n" +
      "%xs = tt.splat %x : !tt.ptr<" + from + "> -> " + in + "\n" + "%xp = tt.addptr %xs, %i : " + in +
      ", tensor<4xi32>\n%a = tt.load %xp : " + in + "\n" + "%ys = tt.splat %y : !tt.ptr<" + from + "> -> " +
      in + "\n" + "%yp = tt.addptr %ys, %i : " + in + ", tensor<4xi32>\n%b = tt.load %yp : " + in + "\n" +
      operation + "\n%os = tt.splat %out : !tt.ptr<" + to + "> -> " + out +
      "\n%op = tt.addptr %os, %i : " + out + ", tensor<4xi32>\ntt.store %op, %r : " + out +
      "\nttg.barrier local\ntt.return\n} }";
  const auto parsed = parse(text);
  if (const auto* error = std::get_if<ParseError>(&parsed)) {
    ADD_FAILURE() << operation << ": " << error->line << ":" << error->column << ": " << error->message;
    return {};
  }
  Memory memory;
  memory.add_buffer("x", std::as_bytes(std::span(x)), false);
  memory.add_buffer("y", std::as_bytes(std::span(y)), false);
  memory.add_unwritten("out", 4 * sizeof(To), true);
  Launch launch;
  launch.args = {PointerArg{0, 0}, PointerArg{1, 0}, PointerArg{2, 0}};
  const Report report = run(std::get<Module>(parsed), launch, memory);
  EXPECT_TRUE(report.ok) << operation << ": " << (report.findings.empty() ? "" : report.findings[0].message);
  std::vector<To> values(4);
  std::memcpy(values.data(), memory.buffer(2).bytes.data(), 4 * sizeof(To));
  return values;
}

struct Function {
  const char* name;
  double (*reference)(double);
  std::vector<float> at;
};

TEST(Operations, FunctionsOfFloats) {
  const std::vector<float> any = {-1.5f, 0.0f, 0.75f, 2.5f}, inside = {-0.9f, -0.1f, 0.3f, 0.8f},
                           positive = {0.1f, 1.0f, 2.5f, 30.0f}, above = {1.0f, 1.5f, 2.0f, 9.0f};
  const std::vector<Function> functions = {{"arith.negf", [](double v) { return -v; }, any},
                                           {"math.expm1", std::expm1, any},
                                           {"math.log10", std::log10, positive},
                                           {"math.log1p", std::log1p, positive},
                                           {"math.tan", std::tan, inside},
                                           {"math.sinh", std::sinh, any},
                                           {"math.cosh", std::cosh, any},
                                           {"math.tanh", std::tanh, any},
                                           {"math.asin", std::asin, inside},
                                           {"math.acos", std::acos, inside},
                                           {"math.atan", std::atan, any},
                                           {"math.asinh", std::asinh, any},
                                           {"math.acosh", std::acosh, above},
                                           {"math.atanh", std::atanh, inside},
                                           {"math.cbrt", std::cbrt, any},
                                           {"math.erfc", std::erfc, any},
                                           {"math.trunc", std::trunc, any},
                                           {"math.round", std::round, any},
                                           {"math.roundeven", std::nearbyint, any}};
  for (const Function& function : functions) {
    const std::vector<float> got = results<float, float>(
        std::string("%r = ") + function.name + " %a : tensor<4xf32>", "f32", "f32", function.at, function.at);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const double want = function.reference(function.at[i]);
      EXPECT_NEAR(got[i], want, 1e-6 + 1e-6 * std::abs(want)) << function.name << " of " << function.at[i];
    }
  }
  const std::vector<float> x = {0.5f, 2.0f, 3.0f, 1.25f}, y = {2.0f, -1.0f, 0.5f, -3.0f};
  const auto two = [&](const std::string& name) {
    return results<float, float>("%r = " + name + " %a, %b : tensor<4xf32>", "f32", "f32", x, y);
  };
  const std::vector<float> power = two("math.powf"), angle = two("math.atan2"), sign = two("math.copysign");
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_FLOAT_EQ(power[i], std::pow(x[i], y[i]));
    EXPECT_FLOAT_EQ(angle[i], std::atan2(x[i], y[i]));
    EXPECT_EQ(sign[i], std::copysign(x[i], y[i]));
  }
}

TEST(Operations, WholeNumbers) {
  const std::vector<std::int32_t> x = {-7, 7, -8, 2147483647}, y = {2, -2, 4, 3};
  const auto two = [&](const std::string& name) {
    return results<std::int32_t, std::int32_t>("%r = " + name + " %a, %b : tensor<4xi32>", "i32", "i32", x,
                                               y);
  };
  EXPECT_EQ(two("arith.floordivsi"), (std::vector<std::int32_t>{-4, -4, -2, 715827882}));
  EXPECT_EQ(two("arith.ceildivsi"), (std::vector<std::int32_t>{-3, -3, -2, 715827883}));
  EXPECT_EQ(two("arith.ceildivui"), (std::vector<std::int32_t>{2147483645, 1, 1073741822, 715827883}));
  const auto one = [&](const std::string& name) {
    return results<std::int32_t, std::int32_t>("%r = " + name + " %a : tensor<4xi32>", "i32", "i32", x, y);
  };
  EXPECT_EQ(one("math.ctpop"), (std::vector<std::int32_t>{30, 3, 29, 31}));
  EXPECT_EQ(one("math.ctlz"), (std::vector<std::int32_t>{0, 29, 0, 1}));
}

TEST(Operations, FromOneTypeToAnother) {
  const std::vector<std::int32_t> x = {-1, 0, 1065353216, 5};
  EXPECT_EQ((results<std::int32_t, float>("%r = arith.bitcast %a : tensor<4xi32> to tensor<4xf32>", "i32",
                                          "f32", x, x))[2],
            1.0f);
  EXPECT_EQ((results<std::int32_t, std::int64_t>(
                "%r = arith.index_cast %a : tensor<4xi32> to tensor<4xindex>", "i32", "i64", x, x)),
            (std::vector<std::int64_t>{-1, 0, 1065353216, 5}));
  EXPECT_EQ((results<std::int32_t, std::int64_t>(
                "%r = arith.index_castui %a : tensor<4xi32> to tensor<4xindex>", "i32", "i64", x, x)),
            (std::vector<std::int64_t>{4294967295, 0, 1065353216, 5}));
  // Unused results may be anything.
  EXPECT_EQ((results<std::int32_t, std::int32_t>(
                "%p = ub.poison : tensor<4xi32>\n%c = arith.constant dense<true> : tensor<4xi1>\n"
                "%r = arith.select %c, %a, %p : tensor<4xi1>, tensor<4xi32>",
                "i32", "i32", x, x)),
            x);
}

// Joining texts is associative and not commutative, so each prefix must come out in its order.
TEST(ScanOrder, EachElementBecomesItsPrefix) {
  for (const std::int64_t length :
       {0, 1, 2, 15, 16, 17, 31, 32, 33, 255, 256, 257, 271, 272, 300, 4095, 4097}) {
    for (const std::int64_t run : {2, 4, 16}) {
      std::vector<std::string> texts;
      std::string expected;
      for (std::int64_t i = 0; i < length; ++i) texts.emplace_back(1, static_cast<char>('a' + i % 23));
      const std::vector<std::string> elements = texts;
      scan_rounds(length, run, [&](const ScanRound& round) {
        for (std::int64_t k = 0; k < round.count; ++k) {
          const auto at = static_cast<std::size_t>(round.first + k * round.stride);
          texts.at(at) = texts.at(at - static_cast<std::size_t>(round.distance)) + texts.at(at);
        }
      });
      for (std::size_t i = 0; i < texts.size(); ++i) {
        expected += elements[i];
        ASSERT_EQ(texts[i], expected) << "element " << i << " of " << length << " by " << run;
      }
    }
  }
}

TEST(ScanOrder, NoElementIsRoundedOften) {
  constexpr std::int64_t length = 1 << 17;
  std::vector<int> rounded(length);
  scan_rounds(length, 16, [&](const ScanRound& round) {
    for (std::int64_t k = 0; k < round.count; ++k) {
      const auto at = static_cast<std::size_t>(round.first + k * round.stride);
      rounded[at] = std::max(rounded[at], rounded[at - static_cast<std::size_t>(round.distance)]) + 1;
    }
  });
  EXPECT_LE(*std::max_element(rounded.begin(), rounded.end()), 5 * 16);
}

}  // namespace
}  // namespace trl::executor
