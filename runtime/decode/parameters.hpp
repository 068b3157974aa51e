// The parameters of the kernels in device/. Each struct has the layout of the struct that its kernel
// declares.
#pragma once

#include <cstdint>

#include "runtime/kernels/address.hpp"

namespace trl::runtime::decode::device {

struct Product {
  Address weight = 0, second = 0, scale = 0, second_scale = 0, tail = 0, second_tail = 0, bias = 0, x = 0,
          z = 0, out = 0;
  std::int32_t rows = 0, columns = 0;
};

struct Norm {
  Address x = 0, y = 0, y_bias = 0, embedding = 0, tokens = 0, weight = 0, bias = 0, h = 0;
  std::int32_t columns = 0;
};

struct Attention {
  Address qkv = 0, bias = 0, q_norm = 0, k_norm = 0, cosine = 0, sine = 0, pool = 0, pages = 0, positions = 0,
          out = 0;
  std::int32_t columns = 0, layer = 0, most_pages = 0;
};

struct Draw {
  Address logits = 0, threshold = 0, summary = 0, tokens = 0, positions = 0, made = 0, limits = 0, keys = 0,
          drawn = 0, scores = 0;
  float temperature = 1;
  std::int32_t top_k = 0;
  float top_p = 1;
  std::int32_t end_count = 0;
  std::int32_t ends[8] = {};
};

struct Gate {
  Address gate = 0, up = 0, bias = 0, out = 0;
  std::int32_t columns = 0, inner = 0;
};

struct Rotation {
  Address qkv = 0, q_norm = 0, k_norm = 0, cosine = 0, sine = 0, pool = 0, positions = 0, pages = 0;
  std::int32_t layer = 0;
};

struct Activation {
  Address gate = 0, up = 0, out = 0;
  std::int64_t rows = 0;
};

struct PageCopy {
  Address pool = 0, from = 0, to = 0;
};

}  // namespace trl::runtime::decode::device
