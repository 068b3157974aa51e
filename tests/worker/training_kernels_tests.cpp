// The loops of training for each vector instruction set of this machine, compared with each other.
#include <gtest/gtest.h>

#include <cmath>

#include "base/support/random.hpp"
#include "runtime/train/kernels.hpp"

namespace trl::runtime {

namespace level_v2 {
extern const TrainingKernels training_table;
}
namespace level_v3 {
extern const TrainingKernels training_table;
}
namespace level_v4 {
extern const TrainingKernels training_table;
}

namespace {

std::vector<const TrainingKernels*> tables() {
  std::vector<const TrainingKernels*> all = {&level_v2::training_table};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    all.push_back(&level_v3::training_table);
  if (&training_kernels() == &level_v4::training_table) all.push_back(&level_v4::training_table);
#endif
  return all;
}

std::vector<float> numbers(std::size_t count, float phase) {
  std::vector<float> out(count + kPanel);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = std::sin(static_cast<float>(i) * 0.7F + phase) + 0.1F * std::cos(static_cast<float>(i * i % 97));
  return out;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& expected, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_NEAR(found[i], expected[i], 2e-5F * (1 + std::abs(expected[i]))) << i;
}

TEST(TrainingKernelsTest, AProductIsTheSumOfProducts) {
  for (const auto* table : tables()) {
    for (const auto& [rows, width, count] :
         {std::array<std::int64_t, 3>{13, 48, 37}, {1, 16, 1}, {64, 96, 16}}) {
      for (const bool add : {false, true}) {
        const auto a = numbers(static_cast<std::size_t>(rows * count), 1);
        const auto b = numbers(static_cast<std::size_t>(panelled(width) * count), 2);
        auto c = numbers(static_cast<std::size_t>(rows * width), 3);
        auto expected = c;
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t n = 0; n < width; ++n) {
            double sum = add ? static_cast<double>(expected[static_cast<std::size_t>(i * width + n)]) : 0;
            for (std::int64_t k = 0; k < count; ++k) {
              sum += static_cast<double>(a[static_cast<std::size_t>(k * rows + i)]) *
                     static_cast<double>(
                         b[static_cast<std::size_t>((n / kPanel * count + k) * kPanel + n % kPanel)]);
            }
            expected[static_cast<std::size_t>(i * width + n)] = static_cast<float>(sum);
          }
        }
        // a is transposed: element (i, k) at k · rows + i.
        table->product(
            {rows, width, count, a.data(), 1, rows, b.data(), count * kPanel, kPanel, c.data(), width, add});
        expect_near(c, expected, static_cast<std::size_t>(rows * width));
      }
    }
  }
}

TEST(TrainingKernelsTest, EveryVectorUnitComputesTheSame) {
  constexpr std::int64_t length = 45, size = 20, groups = 3, stride = (groups + 2) * size;
  struct Outcome {
    std::vector<float> mixed, normaliser, gradient, d_gate, d_up, logits;
    std::vector<std::uint8_t> kept;
    float loss = 0;
  };
  std::vector<Outcome> outcomes;
  for (const auto* table : tables()) {
    Outcome o;
    const auto qkv = numbers(length * stride, 0.3F), d_mixed = numbers(length * groups * size, 0.4F);
    o.mixed.resize(length * groups * size);
    o.normaliser.resize(groups * length);
    o.gradient.resize(length * stride);
    std::vector<float> scratch(static_cast<std::size_t>(attention_scratch(length, size)));
    const HeadAttention head{length,
                             size,
                             groups,
                             stride,
                             qkv.data(),
                             qkv.data() + groups * size,
                             qkv.data() + (groups + 1) * size,
                             groups * size,
                             o.mixed.data(),
                             o.normaliser.data(),
                             d_mixed.data(),
                             o.gradient.data(),
                             o.gradient.data() + groups * size,
                             o.gradient.data() + (groups + 1) * size,
                             scratch.data()};
    table->attention(head);
    table->attention_backward(head);
    const auto gate = numbers(41, 0.5F), up = numbers(41, 0.6F), d_out = numbers(41, 0.7F);
    o.d_gate.resize(41);
    o.d_up.resize(41);
    table->gate_backward(gate.data(), up.data(), d_out.data(), 41, o.d_gate.data(), o.d_up.data());
    o.kept.resize(200 + 64);
    table->dropout({0x123456789ABCDEFULL}, 200, 6554, o.kept.data());
    o.kept.resize(200);
    o.logits = numbers(77, 0.8F);
    o.loss = table->cross_entropy(o.logits.data(), 77, 5, 0.5F);
    outcomes.push_back(std::move(o));
  }
  const auto& first = outcomes.front();
  for (const auto& o : outcomes) {
    expect_near(o.mixed, first.mixed, first.mixed.size());
    expect_near(o.normaliser, first.normaliser, first.normaliser.size());
    expect_near(o.gradient, first.gradient, first.gradient.size());
    expect_near(o.d_gate, first.d_gate, first.d_gate.size());
    expect_near(o.d_up, first.d_up, first.d_up.size());
    expect_near(o.logits, first.logits, 77);
    EXPECT_EQ(o.kept, first.kept);
    EXPECT_NEAR(o.loss, first.loss, 1e-5F);
  }
}

// Of one row of logits, with numbers of tokens that no vector divides.
TEST(TrainingKernelsTest, LogProbabilityIsTheNegativeOfCrossEntropyAndEntropyThatOfTheDistribution) {
  for (const auto* table : tables()) {
    for (const std::size_t count : {1, 15, 16, 77, 301}) {
      auto logits = numbers(count, 0.3F);
      for (auto& logit : logits) logit *= 9;
      const auto target = static_cast<std::int64_t>(count / 2);
      double most = -1e30, whole = 0, entropy = 0;
      for (std::size_t i = 0; i < count; ++i) most = std::max(most, static_cast<double>(logits[i]));
      for (std::size_t i = 0; i < count; ++i) whole += std::exp(static_cast<double>(logits[i]) - most);
      for (std::size_t i = 0; i < count; ++i) {
        const double logp = static_cast<double>(logits[i]) - most - std::log(whole);
        entropy -= std::exp(logp) * logp;
      }
      auto again = logits;
      float found = -1;
      const float logp =
          table->log_probability(logits.data(), static_cast<std::int64_t>(count), target, &found);
      EXPECT_EQ(logp, -table->cross_entropy(again.data(), static_cast<std::int64_t>(count), target, 1))
          << count;
      EXPECT_NEAR(found, entropy, 2e-5 * (1 + entropy)) << count;
    }
  }
}

TEST(TrainingKernelsTest, DropoutIsTheReferencesPhilox) {
  for (const auto* table : tables()) {
    for (const RandomKey key : {random_key("mask"), RandomKey{0}, RandomKey{~std::uint64_t{0}}}) {
      for (const std::uint32_t limit : {1U, 3277U, 40000U}) {
        constexpr std::int64_t count = 8 * 77;
        std::vector<std::uint8_t> kept(count + 63, 2);
        table->dropout(key, count, limit, kept.data());
        for (std::int64_t e = 0; e < count; ++e) {
          const auto place = static_cast<std::size_t>(e);
          const std::uint32_t word = philox(key, place / 8)[place % 8 / 2];
          const std::uint32_t half = place % 2 == 0 ? word & 0xFFFF : word >> 16;
          ASSERT_EQ(kept[place], half >= limit) << e << " below " << limit;
        }
      }
    }
  }
}

}  // namespace
}  // namespace trl::runtime
