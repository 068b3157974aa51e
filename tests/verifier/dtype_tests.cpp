// Tasks of several dtypes: what inputs hold, how values are converted, and where rounding decides an order or
// an integer.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/tensors/scalar_type.hpp"
#include "task_of.hpp"
#include "verifier/assess/assessment.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/inputs/extreme_inputs.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/plan/plan.hpp"
#include "verifier/tasks/honest_error.hpp"
#include "verifier/tasks/prompt.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;

std::vector<Tensor> drawn(const Task& task, const std::string& variation,
                          const std::string& secret = "a secret") {
  const Variation own = Variation::parse(variation);
  return input_tensors(task, own, draw_inputs(task, own, secret, "a seal"));
}

double least(const Tensor& x) { return x.min().item<double>(); }
double most(const Tensor& x) { return x.max().item<double>(); }

/// What an honest computation may be wrong by; zeros where nothing.
Tensor error_of(const Task& task, const std::vector<Tensor>& inputs) {
  const HonestValue honest = honest_value(task, inputs, task.dtype, Precision::task);
  return honest.error.defined() ? honest.error : at::zeros_like(honest.value);
}

TEST(Values, AreWhatTheTaskSays) {
  const Task task = task_of(
      "[M = 64, N = 16, B = 8](a: f32(0..1)[M, N], b: f32(positive)[M, N], c: f32(normal(3, 0.5))[M, N], d: "
      "f32(one_hot)[M, N], "
      "e: i8(-128..127)[M], f: u8(7)[M], o: i64(offsets(M))[B + 1]) = "
      "segment_reduce(a * b + c * d + unsqueeze(to(e, f32) + to(f, f32), 1), o)");
  for (const char* variation : {"original", "scale(2)", "reseed", "resize(150%)", "tiny", "extreme"})
    for (const char* secret : {"one", "two", "three", "four"}) {
      const std::vector<Tensor> x = drawn(task, variation, secret);
      EXPECT_GE(least(x[0]), 0) << variation;
      EXPECT_LE(most(x[0]), 1) << variation;
      EXPECT_GT(least(x[1]), 0) << variation;
      EXPECT_TRUE(at::all(x[3].sum(1) == 1).item<bool>()) << variation;
      EXPECT_TRUE(at::all((x[3] == 0).logical_or(x[3] == 1)).item<bool>()) << variation;
      EXPECT_TRUE(least(x[4]) >= -128 && most(x[4]) <= 127 && least(x[5]) >= 0 && most(x[5]) <= 6)
          << variation;
      EXPECT_EQ(x[6][0].item<double>(), 0) << variation;
      EXPECT_EQ(x[6][-1].item<double>(), x[0].size(0)) << variation;
      EXPECT_TRUE(at::all(x[6].diff() >= 0).item<bool>()) << variation;
    }
  const Tensor c = drawn(task, "original")[2];
  EXPECT_NEAR(c.mean().item<double>(), 3, 0.1);
  EXPECT_NEAR(c.std().item<double>(), 0.5, 0.1);
}

TEST(Values, MatricesHangTogether) {
  const Task task = task_of(
      "[B = 3, M = 17](s: f32(symmetric)[B, M, M], u: f32(upper_triangular(1..2))[M, M], l: "
      "f32(lower_triangular)[B, M, M]) = s @ u + l");
  for (const char* variation : {"original", "scale(2)", "reseed", "resize(150%)", "tiny", "extreme"}) {
    const std::vector<Tensor> x = drawn(task, variation);
    EXPECT_TRUE(at::equal(x[0], x[0].transpose(1, 2))) << variation;
    EXPECT_TRUE(at::equal(x[1], at::triu(x[1]))) << variation;
    EXPECT_TRUE(at::equal(x[2], at::tril(x[2]))) << variation;
    EXPECT_GE(least(at::diagonal(x[1])), 1) << variation;
    EXPECT_LE(most(x[1]), 2) << variation;
    EXPECT_NE(least(at::diagonal(x[2], 0, 1, 2)), most(at::diagonal(x[2], 0, 1, 2))) << variation;
    EXPECT_GT(most(at::tril(x[0], -1).abs()), 0) << variation;
  }
}

TEST(Values, IntegersReachTheirEnds) {
  const Task task = task_of("[M = 64, N = 32](e: i8(-128..127)[M, N]) = sum(to(e, i32), axis = 1)");
  std::set<double> rows;
  for (const char* secret : {"one", "two", "three"}) {
    const Tensor x = drawn(task, "extreme", secret)[0];
    for (std::int64_t i = 0; i < x.size(0); ++i)
      if (least(x[i]) == most(x[i])) rows.insert(least(x[i]));
  }
  EXPECT_EQ(rows, (std::set<double>{-128, 127}));
}

TEST(Values, ATaskThatAsksForNansGetsSome) {
  const auto nans = [](const std::string& line) {
    bool any = false;
    for (const char* secret : {"one", "two", "three"})
      any = any || drawn(task_of(line), "extreme", secret)[0].isnan().any().item<bool>();
    return any;
  };
  EXPECT_TRUE(
      nans("[M = 64, N = 32](x: f32[M, N]) = where(isnan(x), 0 * x, x) + where(isnan(x), 1.0, 0 * x)") ||
      nans("[M = 64, N = 32](x: f32[M, N]) = to(isnan(x), f32)"));
  EXPECT_FALSE(nans("[M = 64, N = 32](x: f32[M, N]) = abs(x)"));
}

TEST(Dimensions, AreSolvedFromSumsBesideOthers) {
  const Task task =
      task_of("[L = 16, D = 8](x: f32[L + 3], y: f32[2 * L + D]) = narrow(x, 0, 3, L) * narrow(y, 0, D, L)");
  EXPECT_EQ(sizes_of(task, {{20}, {39}}), (Sizes{{"L", 17}, {"D", 5}}));
  EXPECT_NE(prompt(task).find("        L = x.shape[0] - 3\n"), std::string::npos) << prompt(task);
  EXPECT_NE(prompt(task).find("        D = y.shape[0] - (2 * L + 0)\n"), std::string::npos) << prompt(task);
}

TEST(Dtypes, AreStoredAsPyTorchStoresThem) {
  for (const operators::Dtype& row : operators::all_dtypes) {
    EXPECT_EQ(c10::elementSize(scalar_type(row)), static_cast<std::size_t>(row.bytes)) << row.name;
    EXPECT_EQ(at::isFloatingType(scalar_type(row)), row.floating() || row.storage()) << row.name;
    if (row.name != "bool") {
      EXPECT_EQ(name(element_type(row.name).value()), row.name);
    }
  }
  EXPECT_EQ(scalar_type("bf16"), at::kBFloat16);
  EXPECT_EQ(scalar_type("i64"), at::kLong);
  EXPECT_EQ(element_type("bool"), std::nullopt) << "plans say i1";
  EXPECT_THROW(scalar_type("u32"), std::logic_error);
}

TEST(Dtypes, ACastLeavesATaskAloneThatSaysDtypes) {
  const Variation cast = Variation::parse("cast(f16)");
  const Task mixed = task_of("[M = 16](x: f32[M], s: bf16[M]) = x * to(s, f32)");
  EXPECT_FALSE(has_one_dtype(mixed));
  EXPECT_EQ(input_shapes(mixed, cast)[0].dtype, "f32");
  EXPECT_EQ(output_shape(mixed, cast).dtype, "f32");
  const Task counted = task_of("[M = 16](x: f32[M], i: i32(-4..4)[M]) = x * to(i, f32)");
  EXPECT_FALSE(has_one_dtype(counted));
  const Task plain = task_of("[M = 16, N = 8](x: f32[M, N], i: i64(M)[N]) = index_select(x, 0, i) / N");
  EXPECT_TRUE(has_one_dtype(plain));
  EXPECT_EQ(input_shapes(plain, cast)[0].dtype, "f16");
}

TEST(Dtypes, NumbersBesideIntegersAreIntegers) {
  const Task task =
      task_of("[M = 16](x: i32(-9..9)[M]) = clamp(2 * x - 3, min = -5, max = 5) + where(x > 2, x, 7) - M");
  const Tensor x = at::arange(-8, 8, at::kDouble);
  const Tensor value = evaluate(task, exact_inputs(task, {x}));
  EXPECT_EQ(value.scalar_type(), at::kInt);
  EXPECT_TRUE(at::equal(value.to(at::kDouble), at::clamp(2 * x - 3, -5, 5) + at::where(x > 2, x, 7.0) - 16));
  EXPECT_NE(prompt(task).find("= 2 * x\n"), std::string::npos) << prompt(task);
}

TEST(Dtypes, IntegersWrapAsInPyTorch) {
  const Task task = task_of("[M = 2](x: i8(-128..127)[M], y: i8(-128..127)[M]) = x * y + x");
  const Tensor value =
      evaluate(task, exact_inputs(task, {at::tensor({100.0, -128.0}), at::tensor({3.0, -1.0})}));
  EXPECT_TRUE(at::equal(
      value, at::tensor({static_cast<int>(static_cast<std::int8_t>(400)), -128 - 128 + 256}).to(at::kChar)))
      << value;
}

TEST(Conversion, RoundsToEightBitsAndMayDifferAtTies) {
  const Task task = task_of("[M = 4](x: f32[M], y: f32[M]) = to(x * y, f8e4m3)");
  // 1 and 1.125 are neighbours in e4m3: 1.0625 is a tie, 1.06 isn't; 460 is beyond the range.
  const std::vector<Tensor> inputs = {at::tensor({1.0625, 1.06, 460.0, 3.0}, at::kDouble),
                                      at::ones({4}, at::kDouble)};
  const Tensor error = error_of(task, inputs);
  EXPECT_GE(error[0].item<double>(), 0.125);
  EXPECT_LT(error[1].item<double>(), 1e-3);
  EXPECT_TRUE(std::isinf(error[2].item<double>()));
  EXPECT_EQ(reference(task, inputs)[1].item<double>(), 1);
}

TEST(Conversion, ToIntegersIsUndecidedWhereRoundingIs) {
  const Task task = task_of("[M = 4](x: f32[M], y: f32[M]) = to(x * y, i32)");
  const std::vector<Tensor> inputs = {at::tensor({3.0, 2.5, 3e10, -1e-9}, at::kDouble),
                                      at::ones({4}, at::kDouble)};
  const Tensor error = error_of(task, inputs);
  EXPECT_GE(error[0].item<double>(), 1);
  EXPECT_EQ(error[1].item<double>(), 0);
  EXPECT_TRUE(std::isinf(error[2].item<double>()));
  EXPECT_EQ(error[3].item<double>(), 0);
}

/// The values that may stand at a place of the task's value, the exact one among them, in ascending order.
/// The error must be small there.
std::set<double> right_at(const Task& task, const std::vector<Tensor>& inputs, std::int64_t place) {
  const HonestValue honest = honest_value(task, inputs, task.dtype, Precision::task);
  const auto at = [&](const Tensor& of) { return of.reshape({-1})[place].item<double>(); };
  if (honest.error.defined()) {
    EXPECT_LT(at(honest.error.expand_as(honest.value)), 1e-3);
  }
  std::set<double> all = {at(honest.value)};
  for (const Tensor& other : honest.others) all.insert(at(other));
  return all;
}
using Values = std::set<double>;

TEST(Order, OfInputsIsExactAndOfNearlyEqualValuesIsUndecided) {
  const Tensor x = at::tensor({0.5, 0.25, 0.25, 0.9, 0.25 + 1e-9}, at::kDouble),
               one = at::ones({5}, at::kDouble);
  const Task plain = task_of("[N = 5](x: f32[N]) = argsort(x)");
  EXPECT_TRUE(at::equal(reference(plain, {x}), at::tensor({1, 2, 4, 0, 3}).to(at::kDouble)));
  for (const int i : {0, 1, 2, 3, 4}) EXPECT_EQ(right_at(plain, {x}, i).size(), 1u) << i;
  const Task computed = task_of("[N = 5](x: f32[N], y: f32[N]) = argsort(x * y)");
  for (const int i : {0, 1, 2}) EXPECT_EQ(right_at(computed, {x, one}, i), (Values{1, 2, 4})) << i;
  EXPECT_EQ(right_at(computed, {x, one}, 3), Values{0});
  EXPECT_EQ(right_at(computed, {x, one}, 4), Values{3});
  const Task first = task_of("[N = 5](x: f32[N], y: f32[N]) = argmin(x * y)");
  EXPECT_EQ(right_at(first, {x, one}, 0), (Values{1, 2, 4}));
  const Task last = task_of("[N = 5](x: f32[N], y: f32[N]) = argmax(x * y)");
  EXPECT_EQ(right_at(last, {x, one}, 0), Values{3});
}

TEST(Order, OfManyNearlyEqualValuesMayBeAny) {
  const Task task = task_of("[N = 9](x: f32[N], y: f32[N]) = argsort(x * y)");
  const Tensor x = at::full({9}, 0.25, at::kDouble), one = at::ones({9}, at::kDouble);
  EXPECT_TRUE(at::all(error_of(task, {x, one}).isinf()).item<bool>());
}

TEST(Order, WhatFollowsFromAnUndecidedPlaceIsUndecidedToo) {
  const Tensor x = at::tensor({0.25, 0.25, 0.9}, at::kDouble), one = at::ones({3}, at::kDouble),
               z = at::tensor({1.0, 3.0, 7.0}, at::kDouble);
  const Task task = task_of("[N = 3](x: f32[N], y: f32[N], z: f32[N]) = gather(z, 0, argsort(x * y))");
  for (const int i : {0, 1}) EXPECT_EQ(right_at(task, {x, one, z}, i), (Values{1, 3})) << i;
  EXPECT_EQ(right_at(task, {x, one, z}, 2), Values{7});
}

TEST(Order, AnUndecidedPlaceStaysUndecidedInAnotherTypeOfIntegers) {
  const Tensor x = at::tensor({0.25, 0.25, 0.9}, at::kDouble), one = at::ones({3}, at::kDouble);
  for (const std::string dtype : {"i32", "i16", "i8"}) {
    const Task task = task_of("[N = 3](x: f32[N], y: f32[N]) = to(argsort(x * y), " + dtype + ")");
    for (const int i : {0, 1}) EXPECT_EQ(right_at(task, {x, one}, i), (Values{0, 1})) << dtype << i;
    EXPECT_EQ(right_at(task, {x, one}, 2), Values{2}) << dtype;
  }
  const Task next = task_of("[N = 3](x: f32[N], y: f32[N]) = argsort(x * y) + 1");
  EXPECT_EQ(right_at(next, {x, one}, 0), (Values{1, 2}));
  EXPECT_EQ(right_at(next, {x, one}, 2), Values{3});
  const Task last = task_of("[N = 3](x: f32[N], y: f32[N]) = to(argsort(x * y) == 2, i32)");
  EXPECT_EQ(right_at(last, {x, one}, 2), Values{1});
}

TEST(Sums, OfHalvesByAtomicsHaveRoomForTheirRoundings) {
  const Task task =
      task_of("[N = 256, R = 4](x: f16[N], i: i64(R)[N], rows: f16[R]) = index_add(rows, 0, i, x)");
  const std::vector<Tensor> inputs = drawn(task, "original");
  Tensor sum = inputs[2].to(at::kHalf);
  for (std::int64_t k = 0; k < 256; ++k) {
    const auto row = inputs[1][k].item<std::int64_t>();
    sum[row] = sum[row] + inputs[0][k].to(at::kHalf);
  }
  const Tensor off = (sum.to(at::kDouble) - reference(task, inputs)).abs();
  EXPECT_TRUE(at::all(off <= error_of(task, inputs)).item<bool>()) << off << error_of(task, inputs);
  EXPECT_LT(most(error_of(task, inputs)), 2.0);
}

TEST(Results, AreComparedInTheirOwnDtypes) {
  const Task task = task_of(
      "[M = 16, N = 8](x: f32[M, N]) = [amax(x, axis = 1), argmax(x, axis = 1), to(sum(x, axis = 1), f16)]");
  const Variation original = Variation::parse("original");
  const std::vector<TensorShape> shapes = output_shapes(task, original);
  ASSERT_EQ(shapes.size(), 3u);
  EXPECT_EQ(shapes[1].dtype, "i64");
  EXPECT_EQ(output_elements(task, original), 48);
  EXPECT_EQ(task.to_json()["output"].size(), 3u);
  const Expected expected =
      expect(task, original, draw_inputs(task, original, "a secret", "a seal"), Precision::task);
  ASSERT_EQ(expected.size(), 48u);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_TRUE(expected.accepts(i, expected.values[i] * (1 + 1e-7)));
    EXPECT_FALSE(expected.accepts(i, expected.values[i] * 1.001));
    EXPECT_FALSE(expected.accepts(16 + i, expected.values[16 + i] + 1));
    EXPECT_TRUE(
        expected.accepts(32 + i, static_cast<double>(static_cast<float>(expected.values[32 + i]) * 1.0004F)));
  }
  EXPECT_EQ(expected.largest_at(40), 65504);
  EXPECT_NE(prompt(task).find("        return t0, t1, x\n"), std::string::npos) << prompt(task);
}

TEST(Results, AreDegenerateWhereOneOfThemIs) {
  const std::vector<Variation> exam = {Variation::parse("original"), Variation::parse("reseed")};
  const Task one = task_of("[M = 16, N = 8](x: f32[M, N]) = [exp(x), relu(x - 20)]");
  EXPECT_NE(passing_answer(one, exam, Precision::task), "");
  const Task none = task_of("[M = 16, N = 8](x: f32[M, N]) = [exp(x), relu(x)]");
  EXPECT_EQ(passing_answer(none, exam, Precision::task), "");
}

}  // namespace
}  // namespace trl::runtime
