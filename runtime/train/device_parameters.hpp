// The parameters of the kernels in device/. Each struct has the layout of the struct that its kernel
// declares.
#pragma once

#include <array>
#include <cstdint>

#include "runtime/kernels/address.hpp"

namespace trl::runtime::train_device {

constexpr std::size_t kMostUnits = 4;  // the most units that a launch takes
using PerUnit = std::array<Address, kMostUnits>;

struct Down {
  Address x = 0;
  PerUnit a{}, kept{};
  Address parts = 0;
  std::int64_t x_stride = 0;
  std::int32_t rows = 0, k = 0, steps = 0;
};

struct Gather {
  Address parts = 0, low = 0, low_t = 0;
  float scale = 1;
  std::int32_t rows = 0, count = 0;
};

struct Up {
  Address y = 0;
  PerUnit low{}, b{}, kept{};
  std::int64_t y_stride = 0;
  float scale = 1;
  std::int32_t columns = 0, steps = 0;
};

struct Outer {
  Address x = 0;
  PerUnit low_t{}, kept{};
  Address parts = 0;
  std::int64_t x_stride = 0;
  std::int32_t rows = 0, columns = 0, steps = 0;
};

struct Accumulate {
  Address parts = 0;
  PerUnit gradient{};
  std::array<std::int32_t, kMostUnits> ranks{};
  std::int64_t rank_stride = 0, column_stride = 0;
  float scale = 1;
  std::int32_t columns = 0, count = 0;
};

struct Matrix {
  Address from = 0, by_rank = 0, by_column = 0;
  std::int64_t rank_stride = 0, column_stride = 0;
  float scale = 1;
  std::int32_t ranks = 0, columns = 0;
};

struct Pack {
  Address matrices = 0;
};

struct Dropout {
  Address keys = 0, positions = 0;
  std::array<Address, 7> kept{};
  std::array<std::uint64_t, 7> module{};
  std::array<std::int32_t, 7> width{};
  std::uint32_t limit = 0;
};

struct Norm {
  Address stream = 0, y = 0, weight = 0, scale = 0, h = 0;
};

struct NormBackward {
  Address stream = 0, weight = 0, scale = 0, d_h = 0, d_stream = 0, half = 0;
};

struct Rotation {
  Address qkv = 0, d_q = 0, d_k = 0, d_v = 0, cosine = 0, sine = 0, positions = 0;
  Address plain = 0, query_weight = 0, key_weight = 0;
};

struct FeedForward {
  Address gate_up = 0, out = 0;
  PerUnit gate_low{}, up_low{}, down_low{}, gate_b{}, up_b{}, down_a{}, first_by_rank{}, second_by_rank{};
  Address first_parts = 0, second_parts = 0;
  Address kept = 0;
  float scale = 1;
  std::int32_t rows = 0, steps = 0;
};

struct Likelihood {
  Address logits = 0, targets = 0, log_sum = 0, log_probabilities = 0, entropy = 0, coefficient = 0;
};

struct Dequantise {
  Address values = 0, scale = 0, out = 0;
  std::int64_t count = 0;
  std::int32_t in = 0;
};

struct DequantiseCodes {
  Dequantise matrix;
  std::array<float, 16> values{};
};

}  // namespace trl::runtime::train_device
