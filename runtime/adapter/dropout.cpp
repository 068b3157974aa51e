#include "runtime/adapter/dropout.hpp"

#include <cmath>

namespace trl::runtime {
namespace {

// (high, low) words of a · m for 32-bit values held in i64 tensors: the product wraps to its low 64 bits.
std::pair<at::Tensor, at::Tensor> multiply(const at::Tensor& a, std::int64_t m) {
  auto product = a * m;
  const auto high = at::bitwise_right_shift(product, 32).bitwise_and_(0xFFFFFFFF);
  return {high, product.bitwise_and_(0xFFFFFFFF)};
}

}  // namespace

std::uint32_t dropout_limit(double rate) { return static_cast<std::uint32_t>(std::lround(rate * 65536.0)); }

float dropout_scale(double rate) { return static_cast<float>(1.0 / (1.0 - rate)); }

at::Tensor dropout_mask_by_tensors(const std::vector<RandomKey>& keys, std::int64_t sequence,
                                   std::int64_t width, double rate, const c10::Device& device) {
  const at::NoGradGuard no_grad;
  const auto options = at::TensorOptions().dtype(at::kLong).device(device);
  const auto count = static_cast<std::int64_t>(keys.size());
  std::vector<std::int64_t> round_keys;  // [round][word][sequence]
  for (std::uint32_t round = 0; round < 10; ++round) {
    for (const auto key : keys)
      round_keys.push_back(
          static_cast<std::uint32_t>(static_cast<std::uint32_t>(key.value) + round * 0x9E3779B9U));
    for (const auto key : keys)
      round_keys.push_back(
          static_cast<std::uint32_t>(static_cast<std::uint32_t>(key.value >> 32) + round * 0xBB67AE85U));
  }
  const auto by_round = at::tensor(round_keys, at::kLong).view({10, 2, count, 1}).to(device);
  auto c0 = at::arange(sequence * width / 8, options).unsqueeze(0).expand({count, -1});
  auto c1 = at::zeros({1, 1}, options), c2 = c1, c3 = c1;
  for (std::int64_t round = 0; round < 10; ++round) {
    const auto [high0, low0] = multiply(c0, 0xD2511F53);
    const auto [high1, low1] = multiply(c2, 0xCD9E8D57);
    c0 = (high1 ^ c1) ^ by_round[round][0];
    c2 = (high0 ^ c3) ^ by_round[round][1];
    c1 = low1;
    c3 = low0;
  }
  const auto limit = static_cast<std::int64_t>(dropout_limit(rate));
  auto kept = at::empty({count, sequence * width / 8, 4, 2}, options.dtype(at::kFloat));
  const at::Tensor words[] = {c0, c1, c2, c3};
  for (std::int64_t i = 0; i < 4; ++i) {
    kept.select(2, i).select(2, 0).copy_((words[i] & 0xFFFF) >= limit);
    kept.select(2, i).select(2, 1).copy_(at::bitwise_right_shift(words[i], 16) >= limit);
  }
  return kept.mul_(dropout_scale(rate)).view({count, sequence, width});
}

at::Tensor dropout_mask(const std::vector<RandomKey>& keys, std::int64_t sequence, std::int64_t width,
                        double rate, const c10::Device& device) {
  TORCH_CHECK(width % 8 == 0, "dropout needs a width that is a multiple of 8");
  if (!device.is_cpu()) return dropout_mask_by_tensors(keys, sequence, width, rate, device);
  auto mask = at::empty({static_cast<std::int64_t>(keys.size()), sequence, width}, at::kFloat);
  float* out = mask.mutable_data_ptr<float>();
  const auto limit = dropout_limit(rate);
  const float kept = dropout_scale(rate);
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
