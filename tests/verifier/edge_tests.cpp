// Tolerances where an operator's domain ends, and behind integers that rounding may decide. No candidate runs
// here: ATen computes the answers.
#include <ATen/ATen.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "base/operators/domain.hpp"
#include "base/operators/operator_ids.hpp"
#include "base/support/files.hpp"
#include "drawn.hpp"
#include "task_of.hpp"
#include "verifier/assess/assessment.hpp"
#include "verifier/tasks/reference.hpp"

namespace trl::runtime {
namespace {

using at::Tensor;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

using Inputs = std::vector<Tensor>;
using Formula = std::function<Tensor(const Inputs&)>;

/// The inputs in f32, and integers as they are.
Inputs singles(const Task& task, const Inputs& inputs) {
  Inputs out;
  for (const Tensor& input : exact_inputs(task, inputs))
    out.push_back(input.is_floating_point() ? single(input) : input);
  return out;
}

std::map<std::string, Task> natural_tasks() {
  std::map<std::string, Task> out;
  for (const auto& [id, task] : tasks_of(read_text(TRL_VERIFY_CORPUS "/natural/tasks.trl")))
    out.emplace(task.name, task);
  return out;
}

/// The value of an operator of the table, called with tensors alone; nothing where it takes more than that.
std::optional<std::function<Tensor(const Inputs&)>> called(const operators::Row& row, std::size_t count) {
  std::string given;
  for (const operators::Parameter& parameter : row.parameters)
    if (parameter.needed && parameter.is_tensor())
      given += fmt::format("{}x{}", given.empty() ? "" : ", ", given.empty() ? 0 : 1);
    else if (parameter.needed)
      return std::nullopt;
  if (count == 1 ? given != "x0" : given != "x0, x1") return std::nullopt;
  try {
    const Task task = task_of(
        fmt::format("[N = 512](x0: f32[N]{}) = {}({})", count == 1 ? "" : ", x1: f32[N]", row.name, given));
    return [task](const Inputs& inputs) { return reference(task, inputs); };
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Every operator of the table that has no value for some numbers says for which: else a number beside the
// edge would have no bound.
TEST(Domains, AreWhereOperatorsHaveValues) {
  const Tensor numbers = at::cat({at::linspace(-8, 7.5, 508, at::kDouble), at::zeros({1}, at::kDouble),
                                  at::ones({1}, at::kDouble), at::full({2}, -1, at::kDouble)});
  std::size_t tried = 0;
  for (const operators::Row& row : operators::table()) {
    const operators::Domain& domain = operators::domain_of(row.id);
    for (const std::size_t count : {1, 2}) {
      const auto value = called(row, count);
      if (!value) continue;
      ++tried;
      for (std::size_t i = 0; i < count; ++i)
        for (const double other : {0.5, 2.5}) {
          Inputs inputs(count, at::full({512}, other, at::kDouble));
          inputs[i] = numbers;
          const Tensor none = (*value)(inputs).isnan();
          const bool own = domain.argument == i;
          const Tensor outside =
              own && std::isfinite(domain.least) ? numbers < domain.least : at::zeros({512}, at::kBool);
          const Tensor zero = own && domain.zero ? numbers == 0 : at::zeros({512}, at::kBool);
          if (none.dim() == 1)
            EXPECT_TRUE(none.logical_or(zero).equal(outside.logical_or(zero))) << row.name << " " << i;
          else
            EXPECT_EQ(none.any().item<bool>(), outside.any().item<bool>()) << row.name << " " << i;
        }
    }
  }
  EXPECT_GE(tried, 70u);
}

TEST(Natural, NoElementIsFree) {
  const auto tasks = natural_tasks();
  EXPECT_GE(tasks.size(), 30u);
  for (const auto& [name, whole] : tasks)
    for (const Task& task : single_results(whole))
      for (const char* variation : {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)"}) {
        if (std::string_view(variation) == "cast(f16)" && !has_one_dtype(task)) continue;
        const Drawn drawn(task, variation);
        std::size_t unbounded = 0, little = 0;
        const double typical = drawn.expected.typical();
        for (std::size_t i = 0; i < drawn.expected.size(); ++i) {
          unbounded += std::isinf(drawn.expected.tolerance(i));
          little += drawn.expected.proves_little(i, typical);
        }
        // In half precision rounding leaves the order of many means undecided.
        const bool half = std::string_view(variation) == "cast(f16)";
        EXPECT_LE(unbounded, half ? drawn.expected.size() / 8 : 0) << name << " " << variation;
        EXPECT_LE(little, drawn.expected.size() / (half ? 8 : 100)) << name << " " << variation;
        if (std::getenv("TRL_SHOW") != nullptr && little > 0)
          fmt::print("{} {}: {} of {} prove little\n", name, variation, little, drawn.expected.size());
      }
}

TEST(Natural, PyTorchsOwnArithmeticIsHonest) {
  for (const auto& [name, whole] : natural_tasks())
    for (const Task& task : single_results(whole))
      for (const char* variation : {"original", "scale(2)", "resize(150%)", "extreme"}) {
        const Drawn drawn(task, variation);
        EXPECT_TRUE(drawn.accepts(evaluate(task, singles(task, drawn.inputs)))) << name << " " << variation;
      }
}

/// A task with an answer, honest or not.
struct Case {
  const char* task;
  Formula answer;
};

Tensor where_edge(const Tensor& right, const Tensor& edge, double value) {
  return right.masked_fill(edge, value);
}

TEST(Edges, OtherValuesThereAreWrong) {
  const std::vector<std::pair<const char*, std::vector<double>>> cases = {
      {"sqrt(relu(x))", {1000, -1, not_a_number, infinity, 0.01}},
      {"relu(x) ^ 1.5", {1000, not_a_number, 0.01}},
      {"clamp(x, min = 0, max = 1) ^ 0.4545", {1000, not_a_number, 0.1}},
      {"exp(0.5 * log(relu(x)))", {1000, not_a_number, 0.01}},
      {"log(relu(x))", {-100, -1000, 0, not_a_number, infinity}},
      {"log1p(relu(x) - 1)", {-100, -1000, 0, not_a_number, infinity}},
      {"1 / relu(x)", {1000, 1e30, not_a_number, 0}},
      {"rsqrt(relu(x))", {1000, 1e30, not_a_number, -1}},
      {"frac(relu(x))", {0.5, 1000, not_a_number}},
      {"remainder(relu(x), 1)", {0.5, 1000, not_a_number}},
      {"sign(relu(x))", {1, -1, 0.5}},
      {"sqrt(relu(x)) * 3 - 1", {1000, 0, not_a_number}},
  };
  for (const auto& [text, values] : cases)
    for (const char* variation : {"original", "scale(2)", "resize(150%)"}) {
      const Drawn drawn(task_of(fmt::format("[M = 16, N = 48](x: f32[M, N]) = {}", text)), variation);
      const Tensor right = at::tensor(drawn.expected.values, at::kDouble).reshape(drawn.inputs[0].sizes());
      EXPECT_TRUE(drawn.accepts(right));
      for (const double value : values)
        EXPECT_FALSE(drawn.accepts(where_edge(right, drawn.inputs[0] <= 0, value))) << text << " " << value;
    }
}

TEST(Edges, WrongAnglesAndEntropies) {
  const Drawn angles(task_of("[M = 16, N = 48](x: f32[M, N], y: f32[M, N]) = atan2(relu(x), y)"), "original");
  const Tensor x = angles.inputs[0], y = angles.inputs[1];
  const Tensor right = at::atan2(at::relu(x), y);
  for (const double value : {1000.0, 1.5, -1.5, not_a_number})
    EXPECT_FALSE(angles.accepts(where_edge(right, x <= 0, value))) << value;
  EXPECT_TRUE(angles.accepts(at::atan2(single(x) * (x > 0), single(y)))) << "a zero with a sign";
  const Drawn entropy(task_of("[M = 16, N = 48](x: f32[M, N]) = log(1 - clamp(x, min = 0, max = 0.5) / 0.5)"),
                      "original");
  const Tensor z = entropy.inputs[0], value = at::log(1 - at::clamp(z, 0, 0.5) / 0.5);
  EXPECT_TRUE(entropy.accepts(at::log(1 - 2 * at::clamp(single(z), 0, 0.5))));
  for (const double wrong : {-100.0, -50.0, 0.0, -1.0, not_a_number})
    EXPECT_FALSE(entropy.accepts(where_edge(value, z >= 0.5, wrong))) << wrong;
}

const char* const distances =
    "[M = 48, D = 16](x: f32[M, D]) = sqrt(relu(sum(square(x), axis = 1, keepdim = true) + "
    "transpose(sum(square(x), axis = 1, keepdim = true), 0, 1) - 2 * (x @ transpose(x, 0, 1))))";

/// Squares of lengths, term after term.
Tensor lengths(const Tensor& x) {
  Tensor sum = at::zeros({x.size(0)}, at::kFloat);
  for (std::int64_t k = 0; k < x.size(1); ++k) sum += at::square(x.select(1, k));
  return sum.unsqueeze(1);
}

TEST(Edges, DistancesByEveryFormula) {
  for (const char* variation : {"original", "scale(2)", "resize(150%)"}) {
    const Drawn drawn(task_of(distances), variation);
    const Tensor x = single(drawn.inputs[0]);
    const Tensor differences = x.unsqueeze(1) - x.unsqueeze(0);
    EXPECT_TRUE(drawn.accepts(at::sqrt(at::sum(at::square(differences), {2}))));
    const Tensor products = at::sqrt(at::relu(lengths(x) + lengths(x).t() - 2 * at::matmul(x, x.t())));
    EXPECT_TRUE(drawn.accepts(products)) << "off by the root of a rounding error on the diagonal";
    const Tensor right = at::sqrt(at::sum(at::square(differences), {2}));
    for (const double value : {1000.0, 0.5, -1.0, not_a_number}) {
      EXPECT_FALSE(drawn.accepts(where_edge(right, at::eye(x.size(0)) > 0, value))) << value;
    }
  }
}

// The argument is computed: an honest one may be above the edge where the exact one is below.
TEST(Edges, ARootOfARoundedZeroMayBeOff) {
  const Task task = task_of("[M = 64, N = 64](x: f32[M, N], y: f32[M, N]) = sqrt(relu((x + y) - x - y))");
  const Drawn drawn(task, "original");
  const Tensor x = single(drawn.inputs[0]), y = single(drawn.inputs[1]);
  const Tensor honest = at::sqrt(at::relu((x + y) - x - y));
  EXPECT_GT(honest.max().item<double>(), 1e-5);
  EXPECT_TRUE(drawn.accepts(honest));
  EXPECT_FALSE(drawn.accepts(honest + 0.1));
}

TEST(Undecided, IntegersFreeWhatFollowsFromThemAlone) {
  const auto tasks = natural_tasks();
  for (const char* name : {"nearest_code", "vector_quantised", "routed", "gated", "by_mean",
                           "sorted_by_product", "looked_up", "counted", "accuracy", "quantised_by_row"})
    for (const char* variation : {"original", "scale(2)", "reseed", "resize(150%)"}) {
      const Task& task = tasks.at(name);
      const Drawn drawn(task, variation);
      const Tensor right = evaluate(task, singles(task, drawn.inputs));
      EXPECT_TRUE(drawn.accepts(right)) << name << " " << variation;
      for (const double value : {7.0, 0.0, 1000.0, -1.0})
        EXPECT_FALSE(drawn.accepts(at::full_like(right, value))) << name << " " << value;
      if (right.dim() < 2) continue;
      EXPECT_FALSE(drawn.accepts(at::roll(right, 1, 0))) << name;
      EXPECT_FALSE(drawn.accepts(0.5 * (right + at::roll(right, 1, 0)))) << name;
      EXPECT_FALSE(drawn.accepts(at::flip(right, {0}))) << name;
    }
}

/// Rows whose means differ by less than rounding, in pairs; the rows themselves differ.
Drawn near_means() {
  Drawn drawn(task_of("[M = 32, N = 16](x: f32[M, N]) = index_select(x, 0, argsort(mean(x, axis = 1)))"),
              "original");
  return drawn;
}

TEST(Undecided, EitherOrderIsRightAndNothingBetween) {
  const Drawn drawn = near_means();
  Tensor x = drawn.inputs[0].clone();
  // Rows 2k and 2k + 1 have the same numbers in another order: their f32 means are as good as equal.
  for (std::int64_t k = 0; k < x.size(0); k += 2) x[k + 1] = at::flip(x[k], {0});
  std::vector<InputData> data = drawn.data;
  auto* const bytes = reinterpret_cast<float*>(data[0].bytes.data());
  const Tensor flat = single(x).contiguous();
  std::copy(flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel(), bytes);
  const Task task =
      task_of("[M = 32, N = 16](x: f32[M, N]) = index_select(x, 0, argsort(mean(x, axis = 1)))");
  const Expected expected = expect(task, drawn.variation, data, Precision::task);
  const auto accepts = [&](const Tensor& answer) {
    const Tensor values = answer.to(at::kDouble).contiguous();
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (!expected.accepts(i, values.data_ptr<double>()[i])) return false;
    return true;
  };
  const Tensor right = at::tensor(expected.values, at::kDouble).reshape(x.sizes());
  Tensor exchanged = right.clone();
  for (std::int64_t k = 0; k < x.size(0); k += 2) {
    exchanged[k] = right[k + 1];
    exchanged[k + 1] = right[k];
  }
  EXPECT_TRUE(accepts(right));
  EXPECT_TRUE(accepts(exchanged));
  EXPECT_FALSE(accepts(0.5 * (right + exchanged)));
  EXPECT_FALSE(accepts(at::roll(right, 2, 0)));
  EXPECT_FALSE(accepts(at::full_like(right, 7)));
  EXPECT_EQ(expected.demanded(), expected.size());
}

TEST(Undecided, ACountMayBeOffByWhatIsUndecided) {
  const Task task =
      task_of("[M = 16, N = 64](x: f32[M, N], y: f32[M, N]) = sum(to(x - y > 0, i64), axis = 1)");
  const Drawn drawn(task, "original");
  const Tensor right = at::tensor(drawn.expected.values, at::kDouble);
  EXPECT_TRUE(drawn.accepts(right));
  for (const double by : {1.0, -1.0, 5.0}) EXPECT_FALSE(drawn.accepts(right + by)) << by;
}

TEST(Undecided, ScatteredRowsMayGoToTheNextPlace) {
  const Task task = task_of(
      "[N = 4096](y: f32[64, 4], x: f32[N], s: f32[N, 4]) = index_add(y, 0, clamp(to(8 * x + "
      "32, i64), 0, 63), s)");
  const Drawn drawn(task, "original");
  const Tensor right = evaluate(task, singles(task, drawn.inputs));
  EXPECT_TRUE(drawn.accepts(right));
  EXPECT_FALSE(drawn.accepts(right * 1.01));
  EXPECT_FALSE(drawn.accepts(at::roll(right, 1, 0)));
  EXPECT_GE(10 * drawn.expected.demanded(), 9 * drawn.expected.size());
}

TEST(Assessment, ATaskOfWhichAnArbitraryPartIsRightIsDegenerate) {
  std::vector<Variation> variations;
  for (const char* name : {"original", "scale(2)", "reseed"}) variations.push_back(Variation::parse(name));
  // Numbers beyond a dtype's range become integers that nobody agrees on.
  const Task free = task_of("[N = 4096](x: f32[N]) = to(to(x * 10000000000, i32), f32)"),
             few = task_of("[N = 4096](x: f32[N]) = to(to(x * 1000000000, i32), f32)");
  const Assessment found = assess(free, variations, Precision::task);
  EXPECT_EQ(found.passes, "an arbitrary part") << found.to_json().dump();
  EXPECT_EQ(passing_answer(free, variations, Precision::task), found.passes);
  EXPECT_GT(found.variations[0].free, most_free);
  const Assessment sound = assess(few, variations, Precision::task);
  EXPECT_EQ(sound.passes, "") << sound.to_json().dump();
  EXPECT_GT(sound.variations[0].free, 0);
  EXPECT_LT(sound.variations[0].free, most_free);
}

TEST(Assessment, NoNaturalTaskIsDegenerate) {
  std::vector<Variation> variations;
  for (const char* name : {"original", "scale(2)", "reseed", "resize(150%)"})
    variations.push_back(Variation::parse(name));
  for (const auto& [name, task] : natural_tasks()) {
    const Assessment found = assess(task, variations, Precision::task);
    EXPECT_EQ(found.passes, "") << name << " " << found.to_json().dump();
  }
}

}  // namespace
}  // namespace trl::runtime
