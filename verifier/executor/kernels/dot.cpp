// Products of matrices.
#include "verifier/executor/kernels/families.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

/// Each element's products are added in the order of k, with one rounding each, so the bits don't depend on
/// the machine.
template <class T>
void dot(const void* a_data, const void* b_data, void* c_data, std::int64_t m, std::int64_t n,
         std::int64_t k) {
  const auto* a = static_cast<const T*>(a_data);
  const auto* b = static_cast<const T*>(b_data);
  auto* c = static_cast<T*>(c_data);
  constexpr std::int64_t tile = 32;
  std::int64_t i = 0;
  for (; i + 4 <= m; i += 4) {
    std::int64_t j = 0;
    for (; j + tile <= n; j += tile) {
      T sum[4][tile];
      for (std::int64_t r = 0; r < 4; ++r) {
        for (std::int64_t s = 0; s < tile; ++s) sum[r][s] = c[(i + r) * n + j + s];
      }
      for (std::int64_t p = 0; p < k; ++p) {
        const T* row = b + p * n + j;
        const T x0 = a[i * k + p], x1 = a[(i + 1) * k + p], x2 = a[(i + 2) * k + p], x3 = a[(i + 3) * k + p];
        for (std::int64_t s = 0; s < tile; ++s) {
          sum[0][s] += x0 * row[s];
          sum[1][s] += x1 * row[s];
          sum[2][s] += x2 * row[s];
          sum[3][s] += x3 * row[s];
        }
      }
      for (std::int64_t r = 0; r < 4; ++r) {
        for (std::int64_t s = 0; s < tile; ++s) c[(i + r) * n + j + s] = sum[r][s];
      }
    }
    for (std::int64_t r = 0; r < 4 && j < n; ++r) {
      for (std::int64_t p = 0; p < k; ++p) {
        const T x = a[(i + r) * k + p];
        for (std::int64_t s = j; s < n; ++s) c[(i + r) * n + s] += x * b[p * n + s];
      }
    }
  }
  for (; i < m; ++i) {
    for (std::int64_t p = 0; p < k; ++p) {
      const T x = a[i * k + p];
      for (std::int64_t s = 0; s < n; ++s) c[i * n + s] += x * b[p * n + s];
    }
  }
}

}  // namespace

void dot_f32(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  dot<float>(a, b, c, m, n, k);
}
void dot_f64(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  dot<double>(a, b, c, m, n, k);
}
void dot_i32(const void* a, const void* b, void* c, std::int64_t m, std::int64_t n, std::int64_t k) {
  dot<std::uint32_t>(a, b, c, m, n, k);
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
