#include "runtime/adapter/dropout.hpp"

#include <cmath>

namespace trl::runtime {
namespace {

std::uint32_t threshold(double rate) { return static_cast<std::uint32_t>(std::lround(rate * 65536.0)); }

float multiplier(double rate) { return static_cast<float>(1.0 / (1.0 - rate)); }

// (high, low) words of a · m for 32-bit values held in i64 tensors.
std::pair<at::Tensor, at::Tensor> multiply(const at::Tensor& a, std::int64_t m) {
  const auto low_part = (a & 0xFFFF) * m;
  const auto high_part = at::bitwise_right_shift(a, 16) * m + at::bitwise_right_shift(low_part, 16);
  return {at::bitwise_right_shift(high_part, 16),
          at::bitwise_left_shift(high_part & 0xFFFF, 16) | (low_part & 0xFFFF)};
}

}  // namespace

at::Tensor dropout_mask_by_tensors(const std::vector<RandomKey>& keys, std::int64_t sequence,
                                   std::int64_t width, double rate, const c10::Device& device) {
  const auto options = at::TensorOptions().dtype(at::kLong).device(device);
  std::vector<std::int64_t> low, high;
  for (const auto key : keys) {
    low.push_back(static_cast<std::int64_t>(key.value & 0xFFFFFFFF));
    high.push_back(static_cast<std::int64_t>(key.value >> 32));
  }
  auto k0 = at::tensor(low, at::kLong).to(device).unsqueeze(1),
       k1 = at::tensor(high, at::kLong).to(device).unsqueeze(1);
  auto c0 = at::arange(sequence * width / 8, options)
                .unsqueeze(0)
                .expand({static_cast<std::int64_t>(keys.size()), -1});
  auto c1 = at::zeros_like(c0), c2 = c1, c3 = c1;
  for (int round = 0; round < 10; ++round) {
    const auto [high0, low0] = multiply(c0, 0xD2511F53);
    const auto [high1, low1] = multiply(c2, 0xCD9E8D57);
    const auto next0 = high1 ^ c1 ^ k0, next2 = high0 ^ c3 ^ k1;
    c0 = next0;
    c1 = low1;
    c2 = next2;
    c3 = low0;
    k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF;
    k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF;
  }
  const auto words = at::stack({c0, c1, c2, c3}, -1).unsqueeze(-1);
  const auto halves = at::cat({words & 0xFFFF, at::bitwise_right_shift(words, 16)}, -1);
  const auto kept = halves >= static_cast<std::int64_t>(threshold(rate));
  return (kept.to(at::kFloat) * multiplier(rate))
      .view({static_cast<std::int64_t>(keys.size()), sequence, width});
}

at::Tensor dropout_mask(const std::vector<RandomKey>& keys, std::int64_t sequence, std::int64_t width,
                        double rate, const c10::Device& device) {
  TORCH_CHECK(width % 8 == 0, "dropout needs a width that is a multiple of 8");
  if (!device.is_cpu()) return dropout_mask_by_tensors(keys, sequence, width, rate, device);
  auto mask = at::empty({static_cast<std::int64_t>(keys.size()), sequence, width}, at::kFloat);
  float* out = mask.mutable_data_ptr<float>();
  const auto limit = threshold(rate);
  const float kept = multiplier(rate);
  for (const auto key : keys) {
    for (std::int64_t counter = 0; counter < sequence * width / 8; ++counter) {
      for (const auto word : philox(key, static_cast<std::uint64_t>(counter))) {
        *out++ = (word & 0xFFFF) < limit ? 0.0F : kept;
        *out++ = (word >> 16) < limit ? 0.0F : kept;
      }
    }
  }
  return mask;
}

}  // namespace trl::runtime
