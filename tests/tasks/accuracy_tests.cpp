// Every task of the wind tunnel must be a fair question at every variation: f32 PyTorch agrees with f64 well
// within the tolerance, and no constant and no trivial answer passes.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "verifier/corpus/suites.hpp"
#include "verifier/tasks/reference.hpp"
#include "verifier/tasks/variation.hpp"

namespace trl::runtime {
namespace {

constexpr const char* variations[] = {"original", "scale(2)", "reseed", "resize(150%)", "cast(f16)", "tiny"};

std::vector<at::Tensor> draw(const Task& task, const Variation& variation, std::uint64_t seed) {
  at::manual_seed(seed);
  std::vector<at::Tensor> inputs;
  for (const TensorShape& shape : input_shapes(task, variation)) {
    const at::Tensor values = at::randn(shape.extents, at::kDouble) * variation.value_factor();
    inputs.push_back(values.to(shape.dtype == "f16" ? at::kHalf : at::kFloat));
  }
  return inputs;
}

/// The largest error in units of the tolerance.
double error(const at::Tensor& got, const at::Tensor& want, double tolerance) {
  return ((got.to(at::kDouble) - want).abs() / (tolerance + tolerance * want.abs())).max().item<double>();
}

std::vector<Task> all_tasks() { return every_suite(); }

// A product at scale(2) is the hardest: half of the tolerance on some CPUs.
TEST(Accuracy, OfF32IsThreeQuartersOfTheToleranceOrBetter) {
  for (const Task& task : all_tasks())
    for (const char* name : variations) {
      const Variation variation = Variation::parse(name);
      const bool half = variation.kind == Variation::Kind::Cast;
      const auto inputs = draw(task, variation, 1);
      const at::Tensor want = reference(task, inputs);
      std::vector<at::Tensor> single;
      for (const at::Tensor& input : inputs) single.push_back(input.to(at::kFloat));
      const at::Tensor got = evaluate(task, single);
      EXPECT_TRUE(want.isfinite().all().item<bool>()) << task.name << " at " << name;
      EXPECT_LT(error(got, want, 1e-4), 0.75) << task.name << " at " << name;
      if (half) {
        EXPECT_LT(error(got.to(at::kHalf), want, 1e-2), 0.25) << task.name << " at " << name;
      }
    }
}

TEST(Accuracy, NoConstantPassesAsAnAnswer) {
  for (const Task& task : all_tasks())
    for (const char* name : variations) {
      const Variation variation = Variation::parse(name);
      // f16 keeps two digits: small outputs are its affair alone, the other variations decide.
      if (variation.kind == Variation::Kind::Cast) continue;
      constexpr double tolerance = 1e-4;
      const at::Tensor want = reference(task, draw(task, variation, 2));
      EXPECT_GT(error(at::zeros_like(want), want, tolerance), 10) << task.name << " at " << name;
      EXPECT_GT(error(want.mean().expand_as(want), want, tolerance), 10) << task.name << " at " << name;
    }
}

TEST(Accuracy, AnswersForOtherInputsAreWrong) {
  for (const Task& task : all_tasks()) {
    const Variation original = Variation::parse("original");
    const at::Tensor want = reference(task, draw(task, original, 3)),
                     other = reference(task, draw(task, original, 4));
    const double share =
        ((other - want).abs() > 1e-4 + 1e-4 * want.abs()).to(at::kDouble).mean().item<double>();
    EXPECT_GT(share, 0.3) << task.name;
  }
}

}  // namespace
}  // namespace trl::runtime
