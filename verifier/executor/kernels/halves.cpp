// Copies f8, f16 and bf16 between buffers and blocks.
#include <cstring>

#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/values/half.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {

void half_load(Scalar scalar, const void* bytes, float* out, std::int64_t n) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  if (memory_bytes(scalar) == 1) {
    for (std::int64_t i = 0; i < n; ++i)
      out[i] = scalar == Scalar::f8e4m3 ? half::from_f8e4m3_bits(from[i]) : half::from_f8e5m2_bits(from[i]);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint16_t bits;
    std::memcpy(&bits, from + 2 * i, 2);
    out[i] = scalar == Scalar::f16 ? half::from_f16_bits(bits) : half::from_bf16_bits(bits);
  }
}

void half_store(Scalar scalar, const float* in, void* bytes, std::int64_t n) {
  auto* to = static_cast<unsigned char*>(bytes);
  if (memory_bytes(scalar) == 1) {
    for (std::int64_t i = 0; i < n; ++i)
      to[i] = scalar == Scalar::f8e4m3 ? half::to_f8e4m3_bits(in[i]) : half::to_f8e5m2_bits(in[i]);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint16_t bits = scalar == Scalar::f16 ? half::to_f16_bits(in[i]) : half::to_bf16_bits(in[i]);
    std::memcpy(to + 2 * i, &bits, 2);
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
