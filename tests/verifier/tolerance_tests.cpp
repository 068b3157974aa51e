// What tolerances accept and refuse, what variations prove about tasks, and what `extreme` draws. No
// candidate runs here: ATen computes the answers.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>

#include "drawn.hpp"
#include "task_of.hpp"
#include "tests/long_tests.hpp"
#include "tests/secret.hpp"
#include "verifier/assess/assessment.hpp"
#include "verifier/compare/input_tensors.hpp"
#include "verifier/compare/tolerance.hpp"
#include "verifier/corpus/suites.hpp"
#include "verifier/inputs/extreme_inputs.hpp"
#include "verifier/inputs/inputs.hpp"
#include "verifier/inputs/other_sizes.hpp"
#include "verifier/tasks/honest_error.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;

// As in the programs that judge, tensor operations use one thread: with more they would wait longer than they
// work.
[[maybe_unused]] const bool one_thread = (at::set_num_threads(1), true);

std::vector<Variation> exam() {
  std::vector<Variation> out;
  for (const char* name : {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)", "extreme"})
    out.push_back(Variation::parse(name));
  return out;
}

TEST(Tolerance, TakesNanOnlyForNan) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const Expected expected{{1, nan, inf, 60000, 0}, {1e-6, 1e-6, 1e-6, 40, inf}, 65504};
  EXPECT_TRUE(expected.accepts(0, 1.0000009));
  EXPECT_FALSE(expected.accepts(0, 1.00001));
  EXPECT_FALSE(expected.accepts(0, nan));
  EXPECT_FALSE(expected.accepts(0, inf));
  EXPECT_FALSE(expected.accepts(1, 1));
  EXPECT_TRUE(expected.accepts(1, nan));
  EXPECT_TRUE(expected.accepts(2, inf));
  EXPECT_FALSE(expected.accepts(2, -inf));
  EXPECT_FALSE(expected.accepts(2, 1e30));
  EXPECT_FALSE(expected.accepts(3, inf)) << "the dtype holds it";
  EXPECT_TRUE(expected.accepts(4, nan)) << "nothing is demanded";
  EXPECT_EQ(expected.demanded(), 4u);
}

TEST(Tolerance, AnInfinityIsWhatTheDtypeCannotHold) {
  const double inf = std::numeric_limits<double>::infinity();
  const Expected expected{{70000, -70000}, {40, 40}, 65504};
  EXPECT_TRUE(expected.accepts(0, inf));
  EXPECT_FALSE(expected.accepts(0, -inf));
  EXPECT_TRUE(expected.accepts(1, -inf));
}

// Compares the rounding error of PyTorch's eager arithmetic with the tolerance. In most trials it is within
// the least error of any honest computation, and it never exceeds the tolerance.
TEST(Tolerance, IsWideEnoughForEagerArithmetic) {
  const bool show = std::getenv("TRL_SHOW") != nullptr;
  double worst = 0;
  int trials = 0, measured = 0;
  for (const Task& task : every_suite())
    for (const char* name : {"original", "scale(2)", "resize(150%)", "cast(f16)", "tiny"}) {
      const Drawn drawn(task, name);
      std::vector<Tensor> inputs;
      for (const Tensor& input : drawn.inputs)
        inputs.push_back(input.is_floating_point() ? single(input) : input);
      Tensor got = evaluate(task, inputs);
      if (drawn.variation.kind == Variation::Kind::Cast) got = got.to(at::kHalf);
      EXPECT_FALSE(drawn.expected.measured());
      EXPECT_TRUE(drawn.accepts(got));
      measured += drawn.expected.measured();
      ++trials;
      got = got.to(at::kDouble).contiguous();
      const std::string dtype = drawn.variation.dtype.empty() ? "f32" : drawn.variation.dtype;
      const LeastError least =
          least_error(at::tensor(drawn.expected.values, at::kDouble), drawn.inputs, dtype, Precision::task);
      for (std::size_t i = 0; i < drawn.expected.size(); ++i)
        ASSERT_GE(drawn.expected.tolerance(i),
                  least.relative * std::abs(drawn.expected.values[i]) + least.absolute)
            << task.name << " " << name;
      double share = 0;
      for (std::size_t i = 0; i < drawn.expected.values.size(); ++i)
        share = std::max(share, std::abs(got.data_ptr<double>()[i] - drawn.expected.values[i]) /
                                    drawn.expected.tolerance(i));
      if (show && share > 0.15) fmt::print("{} {} {:.3f}\n", task.name, name, share);
      worst = std::max(worst, share);
    }
  // Half precision is rounded once, when it is stored: the error is half a unit, and one is allowed.
  EXPECT_LT(worst, 1);
  EXPECT_LT(20 * measured, trials);
  fmt::print("at most {:.3f} of the tolerance; {} of {} measured\n", worst, measured, trials);
}

constexpr const char* products[] = {
    "[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N]) = x @ w",
    "[M = 16, K = 1024, N = 16](x: f32[M, K], w: f32[K, N]) = x @ w",
    "[M = 8, K = 4096, N = 8](x: f32[M, K], w: f32[K, N]) = relu(x @ w)",
    "[M = 256, K = 512](x: f32[M, K], v: f32[K]) = x @ v",
    "[M = 32, K = 128, N = 64](x: f32[M, K], w: f32[N, K], b: f32[N]) = gelu(linear(x, w, b))",
    "[N = 2, H = 16](x: f32[N, 8, H, H], w: f32[8, 8, 3, 3], b: f32[8]) = conv2d(x, w, b)",
    "[B = 2, S = 32](q: f32[B, S, 32], k: f32[B, S, 32], v: f32[B, S, 32]) = "
    "scaled_dot_product_attention(q, k, v)",
    "[M = 64, K = 256, N = 64](x: f32[M, K], w: f32[K, N]) = softmax(x @ w, axis = 1)",
};

TEST(Tolerance, LowPrecisionProductsAreRefusedUnlessTheyAreAllowed) {
  constexpr int tf32 = 11, bf16 = 8;
  for (const char* line : products)
    for (const char* name : {"original", "scale(2)", "resize(150%)"}) {
      const Task task = task_of(line);
      const Drawn as_task(task, name), as_tf32(task, name, Precision::tf32),
          as_half(task, name, Precision::half);
      const Tensor in_tf32 = lowered_value(task, as_task.inputs, Lowered::products, tf32),
                   in_bf16 = lowered_value(task, as_task.inputs, Lowered::products, bf16),
                   all_f16 = lowered_value(task, as_task.inputs, Lowered::everything, tf32),
                   all_bf16 = lowered_value(task, as_task.inputs, Lowered::everything, bf16);
      EXPECT_FALSE(as_task.accepts(in_tf32)) << line << name;
      EXPECT_FALSE(as_task.accepts(in_bf16)) << line << name;
      EXPECT_FALSE(as_task.accepts(all_f16)) << line << name;
      EXPECT_TRUE(as_tf32.accepts(in_tf32)) << line << name;
      EXPECT_FALSE(as_tf32.accepts(in_bf16)) << line << name;
      EXPECT_TRUE(as_half.accepts(in_tf32)) << line << name;
      EXPECT_TRUE(as_half.accepts(in_bf16)) << line << name;
      EXPECT_TRUE(as_half.accepts(all_f16)) << line << name;
      EXPECT_TRUE(as_half.accepts(all_bf16)) << line << name;
    }
}

// What a flash attention in f16 computes: scores and sums in f32, and weights that are rounded to f16 for the
// product with the values.
Tensor flash_attention(const std::vector<Tensor>& inputs, double scale, bool causal, std::int64_t from) {
  const Tensor q = single(inputs[0]), k = single(inputs[1]), v = single(inputs[2]);
  Tensor scores = at::matmul(q, k.transpose(-2, -1)) * scale;
  if (inputs.size() > 3) scores = scores + single(inputs[3]);
  if (causal) scores.masked_fill_(at::ones_like(scores, at::kBool).tril(from).logical_not(), -INFINITY);
  const Tensor weights = at::exp(scores - at::amax(scores, {-1}, true));
  const Tensor sums = at::sum(weights, {-1}, true);
  return (at::matmul(single(weights.to(at::kHalf)), v) / sums).to(at::kHalf);
}

TEST(Tolerance, AttentionInHalfPrecisionHasTheRoomOfItsParts) {
  const char* const inputs = "q: f16[B, L, E], k: f16[B, L, E], v: f16[B, L, E]";
  const std::pair<std::string, bool> tasks[] = {
      {fmt::format("({}) = scaled_dot_product_attention(q, k, v)", inputs), false},
      {fmt::format("({}) = scaled_dot_product_attention(q, k, v, is_causal = true)", inputs), true},
      {fmt::format("({}, b: f16[L, L]) = scaled_dot_product_attention(q, k, v, b)", inputs), false},
      {fmt::format("({}) = softmax(q @ transpose(k, -2, -1) * 0.1767766953, axis = 2) @ v", inputs), false},
  };
  constexpr double scale = 0.1767766953;  // 1 / sqrt(32)
  for (const auto& [text, causal] : tasks)
    for (const char* name : {"original", "scale(2)", "reseed"})
      for (const int length : {8, 64, 300}) {
        const Task task = task_of(fmt::format("[B = 2, L = {}, E = 32]{}", length, text));
        const Drawn drawn(task, name);
        EXPECT_TRUE(drawn.accepts(flash_attention(drawn.inputs, scale, causal, 0))) << text << name << length;
        EXPECT_FALSE(drawn.accepts(flash_attention(drawn.inputs, 1.02 * scale, causal, 0)))
            << text << name << length;
        for (const int off : {-1, 1}) {
          if (!causal) continue;
          EXPECT_FALSE(drawn.accepts(flash_attention(drawn.inputs, scale, true, off)))
              << text << name << length;
        }
      }
}

// A single thread adds one term after the other in f32.
TEST(Tolerance, SumsMayBeTakenInAnyOrder) {
  for (const int n : {100, 4096, 1 << 18}) {
    const Task task = task_of(fmt::format("[B = 4, N = {}](x: f32[B, N]) = mean(abs(x), axis = 1)", n));
    const Drawn drawn(task, "original");
    Tensor got = at::empty({4}, at::kDouble);
    for (int row = 0; row < 4; ++row) {
      float sum = 0;
      const Tensor x = single(drawn.inputs[0][row]).contiguous();
      for (int i = 0; i < n; ++i) sum += std::abs(x.data_ptr<float>()[i]);
      got[row] = sum / static_cast<float>(n);
    }
    EXPECT_TRUE(drawn.accepts(got)) << n;
    EXPECT_FALSE(drawn.accepts(got * 1.001)) << n;
  }
  const Task task = task_of("[M = 16, K = 4096, N = 16](x: f32[M, K], w: f32[K, N]) = x @ w");
  const Drawn drawn(task, "original");
  const Tensor x = single(drawn.inputs[0]), w = single(drawn.inputs[1]);
  Tensor got = at::zeros({16, 16}, at::kFloat);
  for (int k = 0; k < 4096; ++k) got += x.select(1, k).unsqueeze(1) * w.select(0, k).unsqueeze(0);
  EXPECT_TRUE(drawn.accepts(got));
}

// Where terms are equal the roundings of a sum that adds one after another have one sign for long.
TEST(Tolerance, ARunningSumMayAddOneTermAfterAnother) {
  constexpr std::int64_t n = 1 << 15;
  const Task task = task_of(fmt::format("[B = 2, N = {}](x: f32[B, N]) = cumsum(x, axis = 1)", n));
  for (const float term : {0.1F, 0.7F, 1.0F / 3}) {
    const Tensor x = at::full({2, n}, term, at::kFloat);
    const Tensor value = at::cumsum(x.to(at::kDouble), 1);
    const HonestValue honest = honest_value(task, {x}, "f32", Precision::task);
    float sum = 0;
    bool within = true, serial_is_off = false;
    for (std::int64_t k = 0; k < n; ++k) {
      sum += term;
      const double off = std::abs(sum - value[0][k].item<double>());
      within = within && off <= honest.error[0][k].item<double>();
      serial_is_off = serial_is_off || off > 1e-5 * value[0][k].item<double>();
    }
    EXPECT_TRUE(within) << term;
    EXPECT_TRUE(serial_is_off) << term;
    // A sum whose terms are rounded to bf16 isn't honest.
    const Tensor halved = at::cumsum(x.to(at::kBFloat16).to(at::kDouble), 1);
    EXPECT_TRUE(((halved - value).abs() > honest.error).any().item<bool>()) << term;
  }
}

// Formulas that answers use instead of PyTorch's.
TEST(Tolerance, OtherFormulasAreHonest) {
  using Formula = std::function<Tensor(const Tensor&)>;
  const std::vector<std::pair<const char*, Formula>> formulas = {
      {"tanh(x)", [](const Tensor& x) { return 2 * at::sigmoid(2 * x) - 1; }},
      {"tanh(x)", [](const Tensor& x) { return 1 - 2 / (at::exp(2 * x) + 1); }},
      {"tanh(0.001 * x)", [](const Tensor& x) { return 2 * at::sigmoid(0.002f * x) - 1; }},
      {"silu(x)", [](const Tensor& x) { return x / (1 + at::exp(-x)); }},
      {"gelu(x)", [](const Tensor& x) { return 0.5f * x * (1 + at::erf(x * 0.70710678f)); }},
      {"elu(x)", [](const Tensor& x) { return at::where(x > 0, x, at::exp(x) - 1); }},
      {"softplus(x)", [](const Tensor& x) { return at::log(1 + at::exp(x)); }},
      {"softplus(x)", [](const Tensor& x) { return at::relu(x) + at::log(1 + at::exp(-x.abs())); }},
      {"logsigmoid(x)", [](const Tensor& x) { return -at::log(1 + at::exp(-x)); }},
      {"mish(x)", [](const Tensor& x) { return x * (2 * at::sigmoid(2 * at::log(1 + at::exp(x))) - 1); }},
      {"exp(x)", [](const Tensor& x) { return at::exp2(x * 1.4426950408889634f); }},
      {"sinh(x)", [](const Tensor& x) { return 0.5f * (at::exp(x) - at::exp(-x)); }},
      {"tanhshrink(x)", [](const Tensor& x) { return x - (2 * at::sigmoid(2 * x) - 1); }},
      {"log_softmax(x, axis = 1)",
       [](const Tensor& x) {
         const Tensor e = at::exp(x - at::amax(x, {1}, true));
         return at::log(e / at::sum(e, {1}, true));
       }},
      {"var(x, axis = 1)",
       [](const Tensor& x) {
         const double n = static_cast<double>(x.size(1));
         return (at::mean(x * x, {1}) - at::square(at::mean(x, {1}))) * (n / (n - 1));
       }},
      {"layer_norm(x, axis = 1)",
       [](const Tensor& x) {
         const Tensor mean = at::mean(x, {1}, true), square = at::mean(x * x, {1}, true);
         return (x - mean) * at::rsqrt(square - mean * mean + 1e-5);
       }},
      {"relu(x - 0.3) * 3", [](const Tensor& x) { return at::relu(3 * x - 0.9f); }},
  };
  for (const auto& [text, formula] : formulas)
    for (const char* name : {"original", "scale(2)", "resize(150%)"}) {
      const Task task = task_of(fmt::format("[B = 64, N = 512](x: f32[B, N]) = {}", text));
      const Drawn drawn(task, name);
      EXPECT_TRUE(drawn.accepts(formula(single(drawn.inputs[0])))) << text << " " << name;
      EXPECT_FALSE(drawn.accepts(formula(single(drawn.inputs[0].to(at::kHalf))))) << text << " " << name;
    }
}

constexpr const char* losses[] = {
    "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = huber_loss(x, y)",
    "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = mse_loss(x, y)",
    "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = mean(relu(1 - x * sign(y)))",
    "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = mean(cosine_similarity(x, y))",
    "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = smooth_l1_loss(x, y)",
};

TEST(Tolerance, NoConstantIsALoss) {
  for (const char* line : losses) {
    const Assessment assessed = assess(task_of(line), exam(), Precision::task);
    for (const VariationEvidence& one : assessed.variations) {
      EXPECT_EQ(std::count(one.passes.begin(), one.passes.end(), "constant"), 0) << line << one.label;
      EXPECT_EQ(std::count(one.passes.begin(), one.passes.end(), "y of another draw"), 0)
          << line << one.label;
      EXPECT_EQ(std::count(one.passes.begin(), one.passes.end(), "output of another draw"), 0)
          << line << one.label;
    }
  }
}

// Tasks for which a trivial answer passes: the answer is named.
TEST(Assessment, DegenerateTasksAreFound) {
  const std::vector<std::pair<const char*, const char*>> lines = {
      {"[B = 64, N = 256](x: f32[B, N]) = relu(x - 2000)", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = x * 0", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = x - x", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = x / x", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = clamp(x, min = 3, max = 3)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = x + 0 * y", "copy of x"},
      {"[B = 64, N = 256](x: f32[B, N]) = abs(x) * 0 + 1", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = maximum(x, x)", "copy of x"},
      {"[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N]) = sqrt(-abs(x) - 1) @ w", "constant"},
      {"[M = 64, K = 256, N = 64](x: f32[M, K], w: f32[K, N]) = sqrt(x) @ w", "constant"},
      {"[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N], b: f32[N]) = x @ w * 0.000000000001 + b",
       "copy of b"},
      {"[B = 64, N = 256](x: f32[B, N]) = sigmoid(relu(x) * 0)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = sign(x * x + 1)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = softmax(x, axis = 1) * 0.0", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = sum(softmax(x, axis = 1), axis = 1)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = floor(sigmoid(x) * 0.5)", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = where(x * x < -1, y, x)", "copy of x"},
      {"[B = 64, N = 256](x: f32[B, N]) = softmax(sum(x, axis = 1, keepdim = true), axis = 1)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = layer_norm(sum(x, axis = 1, keepdim = true), axis = 1)", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = mean(layer_norm(x, axis = 1), axis = 1)", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = relu(-abs(x))", "zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = hardtanh(abs(x) + 5)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = log(-abs(x) - 1)", "constant"},
      {"[B = 64, N = 256](x: f32[B, N]) = threshold(x, 1000000000000000000000000000000000, 0.5)", "constant"},
  };
  const bool show = std::getenv("TRL_SHOW") != nullptr;
  for (const auto& [line, passes] : lines) {
    const Assessment assessed = assess(task_of(line), exam(), Precision::task);
    EXPECT_TRUE(assessed.degenerate()) << line;
    EXPECT_EQ(passing_answer(task_of(line), exam(), Precision::task), assessed.passes) << line;
    if (show) fmt::print("{}: {}\n", line, assessed.to_json().dump());
    bool all = true;
    for (const VariationEvidence& one : assessed.variations)
      all = all && (one.label == "extreme" || std::count(one.passes.begin(), one.passes.end(), passes) > 0);
    EXPECT_TRUE(all) << line << ": " << passes << " instead of " << assessed.passes;
  }
}

// Tasks in which a part can't be seen, because the tolerance is larger than what the part changes.
TEST(Assessment, TasksWithAPartThatNobodySeesAreFound) {
  const std::vector<std::pair<const char*, const char*>> lines = {
      {"[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N], b: f32[M, N]) = "
       "sigmoid(b) + x @ w * 0.000000000001",
       "x as zeros"},
      {"[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = tanh(x + 0.000000001 * y)", "y as zeros"},
      {"[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = relu(x) * (1 + 0.000000001 * y)", "y as zeros"},
      {"[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = where(y > 60, y, relu(x))", "y as zeros"},
      {"[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = sigmoid(x) + relu(y - 20)", "y as zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = softmax(x, axis = 1) + 0.000000000001 * tanh(x)",
       "mul(1e-12, tanh(x)) as zeros"},
      {"[B = 64, N = 256](x: f32[B, N]) = tanh(x) - relu(x - 30)", "relu(sub(x, 30)) as zeros"},
      {"[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N], b: f32[N]) = "
       "gelu(1000000000000 * (x @ w) + b)",
       "b as zeros"},
  };
  for (const auto& [line, passes] : lines) {
    const Assessment assessed = assess(task_of(line), exam(), Precision::task);
    EXPECT_EQ(assessed.passes, passes) << line << assessed.to_json().dump();
    EXPECT_EQ(passing_answer(task_of(line), exam(), Precision::task), assessed.passes) << line;
  }
}

// Leaving out terms that cancel is right, and a part with a small but visible effect doesn't make a task
// degenerate.
TEST(Assessment, WhatCancelsMakesNoTaskDegenerate) {
  const char* const lines[] = {
      "[M = 64, K = 64, N = 64](x: f32[M, K], w: f32[K, N], b: f32[N]) = batch_norm(x @ w + b)",
      "[B = 64, N = 256](x: f32[B, N], y: f32[B, 1]) = softmax(x + y, axis = 1)",
      "[B = 64, N = 256](x: f32[B, N], y: f32[B, 1]) = layer_norm(x + y, axis = 1)",
      "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = relu(x + y) - y + y",
      "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = tanh(x) + 0.001 * y",
      "[B = 64, N = 256](x: f32[B, N]) = softmax(x - amax(x, axis = 1, keepdim = true), axis = 1)",
      "[B = 64, N = 256](x: f32[B, N]) = x / (vector_norm(x, axis = 1, keepdim = true) + 0.000000000001)",
      "[B = 64, N = 256](x: f32[B, N], y: f32[B, N]) = where(y > 1, y, relu(x))",
  };
  for (const char* line : lines) {
    const Assessment assessed = assess(task_of(line), exam(), Precision::task);
    EXPECT_EQ(assessed.passes, "") << line << assessed.to_json().dump();
  }
}

TEST(Assessment, NoTaskOfTheLibraryIsDegenerate) {
  const bool show = std::getenv("TRL_SHOW") != nullptr;
  // Every 24th, with TRL_LONG_TESTS all of them; stdlib/assessed.txt has the findings of all.
  const auto every = trl::step_of_cases<std::size_t>(24);
  std::size_t at = 0;
  for (const auto& [id, task] : tasks_of("import windtunnel\nimport kernelbench_like\n")) {
    if (at++ % every != 0) continue;
    const Assessment assessed = assess(task, exam(), Precision::task);
    EXPECT_EQ(assessed.passes, "") << id << " " << task.name;
    for (const VariationEvidence& one : assessed.variations) {
      EXPECT_EQ(one.skipped, "") << id << " " << task.name << " " << one.label;
      EXPECT_TRUE(one.counts()) << id << " " << task.name << " " << one.label << ": passed by "
                                << fmt::format("{}", fmt::join(one.passes, ", ")) << "; free: " << one.free;
      if (show && !one.passes.empty())
        fmt::print("{} {} {}: {}\n", id, task.name, one.label, fmt::join(one.passes, ", "));
    }
  }
}

// Half precision rounds all values to zero, so the answer "zeros" passes.
TEST(Assessment, AVariationThatATrivialAnswerPassesIsNoEvidence) {
  const Task faint = task_of("[B = 64, N = 256](x: f32[B, N]) = relu(x) * 0.000000001"),
             plain = task_of("[B = 64, N = 256](x: f32[B, N]) = relu(x)"),
             shifted = task_of("[B = 64, N = 256](x: f32[B, N]) = relu(x - 20)");
  EXPECT_EQ(no_evidence(faint, exam(), Precision::task), std::vector<std::string>{"cast(f16)"});
  EXPECT_EQ(passing_answer(faint, exam(), Precision::task), "");
  EXPECT_EQ(no_evidence(plain, exam(), Precision::task), std::vector<std::string>{});
  EXPECT_EQ(no_evidence(shifted, exam(), Precision::task),
            (std::vector<std::string>{"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)"}));
}

TEST(Assessment, IsTheSameEachTime) {
  const Task task = task_of("[B = 16, N = 64](x: f32[B, N]) = softmax(x, axis = 1)");
  EXPECT_EQ(assess(task, exam(), Precision::task).to_json(), assess(task, exam(), Precision::task).to_json());
}

TEST(Extreme, HasInputsThatAreNeverDrawnOtherwise) {
  const Task task = task_of("[B = 64, N = 64](x: f32[B, N]) = relu(x)");
  const Drawn drawn(task, "extreme");
  const Tensor x = drawn.inputs[0];
  EXPECT_GT(x.nan_to_num(0, 0, 0).abs().max().item<double>(), 1e4);
  EXPECT_TRUE(x.isinf().any().item<bool>());
  EXPECT_TRUE((x == 0).logical_and(at::signbit(x)).any().item<bool>());
  EXPECT_TRUE((x != 0).logical_and(x.abs() < 0x1p-126).any().item<bool>());
  EXPECT_FALSE(x.isnan().any().item<bool>());
  const Drawn again(task, "extreme");
  EXPECT_TRUE(at::equal(x, again.inputs[0]));
  const Drawn other(task, "extreme", Precision::task, 1);
  EXPECT_FALSE(at::equal(x, other.inputs[0]));
}

TEST(Extreme, KeepsToWhatTheTaskIsDefinedFor) {
  // Every 6th, with TRL_LONG_TESTS all of them.
  const auto every = trl::step_of_cases<std::size_t>(6);
  std::size_t at = 0;
  for (const auto& [id, task] : tasks_of("import windtunnel\nimport kernelbench_like\n")) {
    if (at++ % every != 0) continue;
    const Drawn drawn(task, "extreme");
    std::size_t undefined = 0;
    for (const double value : drawn.expected.values) undefined += std::isnan(value);
    EXPECT_EQ(undefined, 0u) << id << " " << task.name;
    EXPECT_EQ(Drawn(task, "original").expected.demanded(), drawn.expected.values.size()) << id;
    EXPECT_GE(8 * drawn.expected.demanded(), 7 * drawn.expected.values.size()) << id << " " << task.name;
    const ExtremeRange range = extreme_range(task, drawn.variation);
    EXPECT_FALSE(range.kinds.empty()) << id << " " << task.name;
    if (std::getenv("TRL_SHOW") != nullptr) {
      std::string kinds;
      for (const ExtremeRow kind : range.kinds) kinds += fmt::format(" {}", static_cast<int>(kind));
      fmt::print("{} {}: up to {:g}, kinds{}\n", id, task.name, range.largest, kinds);
    }
  }
}

// Where squares overflow, PyTorch has NaN on a GPU, and a kernel that divides by an infinite deviation the
// bias.
TEST(Extreme, HonestNormsOverTheBatchAreRightWhereTheyOverflow) {
  const Task task =
      task_of("[M = 48, N = 40](x: f32[M, N], s: f32[N], w: f32[N], b: f32[N]) = batch_norm(x * s, w, b)");
  std::vector<InputData> inputs = draw_inputs(task, Variation{}, "secret", "seal");
  const float large = 1e25F;
  constexpr std::size_t columns = 40, overflowing = 5;
  for (std::size_t i = 0; i < overflowing; ++i)
    std::memcpy(inputs[1].bytes.data() + i * sizeof large, &large, sizeof large);
  const Expected expected = expect(task, Variation{}, inputs, Precision::task);
  std::vector<Tensor> of;
  for (const Tensor& one : input_tensors(task, Variation{}, inputs)) of.push_back(one.to(at::kFloat));
  const Tensor x = of[0] * of[1], centred = x - at::mean(x, {0}, true),
               factor = at::rsqrt(at::mean(at::square(centred), {0}, true) + 1e-5),
               value = (centred * factor * of[2] + of[3]).to(at::kDouble).contiguous();
  ASSERT_EQ((factor == 0).sum().item<std::int64_t>(), static_cast<std::int64_t>(overflowing));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(expected.accepts(i, value.const_data_ptr<double>()[i])) << i;
    const bool overflows = i % columns < overflowing;
    EXPECT_EQ(expected.accepts(i, std::numeric_limits<double>::quiet_NaN()), overflows) << i;
    EXPECT_EQ(expected.demands(i), !overflows) << i;
  }
}

// Which magnitudes a task bears is decided by the largest, and not by luck.
TEST(Extreme, FewRowsAreOfMagnitudesThatTheTaskBears) {
  const Task task = task_of("[M = 48, N = 40](x: f32[M, N], s: f32[N]) = batch_norm(x * s)");
  const Variation variation = Variation::parse("extreme");
  for (int draw = 0; draw < extreme_draws(task, variation); ++draw)
    EXPECT_LE(extreme_range(task, variation, draw).largest, 1e18) << draw;
}

TEST(Reference, ANormOverSingleValuesIsRefusedAsByPyTorchsModules) {
  for (const char* line :
       {"[M = 4, N = 8](x: f32[M, N]) = batch_norm(x)", "[M = 4, N = 8](x: f32[N, 8, M]) = group_norm(x, 8)",
        "[M = 4, N = 8](x: f32[N, 8, M]) = instance_norm(x)"}) {
    const Task task = task_of(line);
    Variation variation;
    variation.kind = Variation::Kind::Stretched;
    for (const std::int64_t rows : {1, 2}) {
      variation.dims = {rows, 8};
      EXPECT_EQ(has_value(task, variation), rows > 1) << line;
    }
  }
}

// Kernels that overflow where the reference doesn't, and correct versions of these.
TEST(Extreme, WhatOverflowsInPyTorchIsExcusedBehindAMean) {
  using Formula = std::function<Tensor(const Tensor&, const Tensor&)>;
  const auto length = [](const Tensor& x) { return at::sqrt(at::sum(at::square(x), {1})); };
  const auto norm = [&](const Tensor& x) { return length(x).clamp_min(1e-8); };
  const auto dot = [](const Tensor& x, const Tensor& y) { return at::sum(x * y, {1}); };
  struct Case {
    const char* task;
    Formula honest, naive;  // the naive one overflows where PyTorch's own arithmetic doesn't
  };
  const std::vector<Case> cases = {
      {"mean(1 - cosine_similarity(x, y, axis = 1))",
       [&](const Tensor& x, const Tensor& y) { return at::mean(1 - dot(x, y) / (norm(x) * norm(y))); },
       [&](const Tensor& x, const Tensor& y) {
         return at::mean(1 - dot(x, y) / at::sqrt(at::square(norm(x)) * at::square(norm(y))));
       }},
      {"cosine_similarity(x, y, axis = 1)",
       [&](const Tensor& x, const Tensor& y) { return dot(x, y) / (norm(x) * norm(y)); },
       [&](const Tensor& x, const Tensor& y) {
         return dot(x, y) / at::sqrt(at::square(norm(x)) * at::square(norm(y)));
       }},
      {"mean(sum(normalize(x, axis = 1) * normalize(y, axis = 1), axis = 1))",
       [&](const Tensor& x, const Tensor& y) {
         return at::mean(dot(x, y) / (length(x).clamp_min(1e-12) * length(y).clamp_min(1e-12)));
       },
       [&](const Tensor& x, const Tensor& y) {
         return at::mean(dot(x, y) / at::sqrt(at::square(norm(x)) * at::square(norm(y))));
       }},
      {"mean(amax(x - y, axis = 1) / (std(x - y, axis = 1) + 0.00001))",
       [](const Tensor& x, const Tensor& y) {
         const Tensor d = x - y, c = d - at::mean(d, {1}, true);
         return at::mean(at::amax(d, {1}) / (at::sqrt(at::sum(at::square(c), {1}) / (x.size(1) - 1)) + 1e-5));
       },
       [](const Tensor& x, const Tensor& y) {
         const Tensor d = x - y, n = at::scalar_tensor(x.size(1), at::kFloat);
         return at::mean(
             at::amax(d, {1}) /
             (at::sqrt((at::mean(at::square(d), {1}) - at::square(at::mean(d, {1}))) * n / (n - 1)) + 1e-5));
       }},
  };
  constexpr int draws = 60;
  for (const Case& one : cases) {
    const Task task = task_of(fmt::format("[B = 16, N = 48](x: f32[B, N], y: f32[B, N]) = {}", one.task));
    int refused = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const Drawn drawn(task, "extreme", Precision::task, draw);
      const Tensor x = single(drawn.inputs[0]), y = single(drawn.inputs[1]);
      EXPECT_TRUE(drawn.accepts(one.honest(x, y))) << one.task << ", draw " << draw;
      refused += !drawn.accepts(one.naive(x, y));
    }
    EXPECT_GT(refused, 0) << one.task;
  }
}

// What is right in PyTorch's own f32 is demanded, though a value on the way is infinite.
TEST(Extreme, AnInfinityThatBecomesRightAgainIsNoExcuse) {
  for (const char* line : {"[B = 64, N = 128](x: f32[B, N]) = 1 / (1 + exp(-x))",
                           "[B = 64, N = 128](x: f32[B, N]) = exp(-0.5 * x * x)",
                           "[B = 64, N = 128](x: f32[B, N]) = tanh(x * x)"}) {
    const Task task = task_of(line);
    const Drawn drawn(task, "extreme");
    EXPECT_GT(100 * drawn.expected.demanded(), 99 * drawn.expected.size()) << line;
    const Tensor nan = at::full(drawn.inputs[0].sizes(), std::nan(""), at::kFloat);
    EXPECT_FALSE(drawn.accepts(nan)) << line;
  }
}

TEST(Extreme, FormulasThatOverflowAreRefused) {
  using Formula = std::function<Tensor(const Tensor&)>;
  struct Case {
    const char* task;
    Formula naive, stable;
  };
  const std::vector<Case> cases = {
      {"softmax(x, axis = 1)",
       [](const Tensor& x) {
         const Tensor e = at::exp(x);
         return e / at::sum(e, {1}, true);
       },
       [](const Tensor& x) {
         const Tensor e = at::exp(x - at::amax(x, {1}, true));
         return e / at::sum(e, {1}, true);
       }},
      {"sigmoid(x)", [](const Tensor& x) { return at::exp(x) / (1 + at::exp(x)); },
       [](const Tensor& x) { return 1 / (1 + at::exp(-x)); }},
      {"logsumexp(x, axis = 1)", [](const Tensor& x) { return at::log(at::sum(at::exp(x), {1})); },
       [](const Tensor& x) {
         const Tensor most = at::amax(x, {1}, true);
         return (most + at::log(at::sum(at::exp(x - most), {1}, true))).squeeze(1);
       }},
      {"tanh(x)", [](const Tensor& x) { return (at::exp(2 * x) - 1) / (at::exp(2 * x) + 1); },
       [](const Tensor& x) { return 2 * at::sigmoid(2 * x) - 1; }},
      {"softplus(x)", [](const Tensor& x) { return at::log(1 + at::exp(x)); },
       [](const Tensor& x) { return at::where(x > 20, x, at::log(1 + at::exp(x))); }},
      {"log_softmax(x, axis = 1)",
       [](const Tensor& x) {
         const Tensor e = at::exp(x);
         return at::log(e / at::sum(e, {1}, true));
       },
       [](const Tensor& x) {
         const Tensor by = x - at::amax(x, {1}, true);
         return by - at::log(at::sum(at::exp(by), {1}, true));
       }},
      {"var(x, axis = 1)",
       [](const Tensor& x) {
         const double n = static_cast<double>(x.size(1));
         return (at::mean(x * x, {1}) - at::square(at::mean(x, {1}))) * (n / (n - 1));
       },
       [](const Tensor& x) {
         return at::sum(at::square(x - at::mean(x, {1}, true)), {1}) / static_cast<double>(x.size(1) - 1);
       }},
      {"logsigmoid(x)", [](const Tensor& x) { return at::log(1 / (1 + at::exp(-x))); },
       [](const Tensor& x) { return at::clamp_max(x, 0) - at::log1p(at::exp(-x.abs())); }},
  };
  for (const Case& one : cases) {
    const Task task = task_of(fmt::format("[B = 64, N = 128](x: f32[B, N]) = {}", one.task));
    const Drawn drawn(task, "extreme"), ordinary(task, "original");
    EXPECT_TRUE(ordinary.accepts(one.naive(single(ordinary.inputs[0])))) << one.task;
    EXPECT_FALSE(drawn.accepts(one.naive(single(drawn.inputs[0])))) << one.task;
    EXPECT_TRUE(drawn.accepts(one.stable(single(drawn.inputs[0])))) << one.task;
  }
}

}  // namespace
}  // namespace trl::runtime
