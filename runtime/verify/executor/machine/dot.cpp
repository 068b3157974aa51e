// Products of blocks.
#include "runtime/verify/executor/machine/machine.hpp"

#include <array>
#include <cstring>

#include "runtime/verify/executor/half.hpp"
#include "runtime/verify/executor/machine/bytes.hpp"

namespace trl::executor {

Machine::Flow Machine::dot(Frame& frame, const ir::Operation& op) {
  const std::vector<std::int32_t>& a_shape = value(frame, op.operands[0]).type.shape;
  const Type& c_type = value(frame, op.results[0]).type;
  const std::size_t rank = a_shape.size();
  const std::int64_t batch = rank == 3 ? a_shape[0] : 1;
  const std::int64_t m = a_shape[rank - 2], k = a_shape[rank - 1], n = c_type.shape[rank - 1];
  if (!charge(static_cast<std::uint64_t>(batch * m * n * k / 8), op.location)) return Flow::stopped;
  ++report_.counters.dots;
  report_.counters.dot_flops += static_cast<std::uint64_t>(2 * batch * m * n * k);
  std::vector<std::byte> spread_a, spread_b, spread_c;
  const std::byte* a = full(frame, op.operands[0], spread_a);
  const std::byte* b = full(frame, op.operands[1], spread_b);
  const std::byte* const c = full(frame, op.operands[2], spread_c);
  const std::int64_t count = batch * m * n;
  const std::int64_t size = slot(frame, op.results[0]).size;
  std::byte* const to = prepare(frame, op.results[0], count);
  std::memcpy(to, c, as_size(count * size));

  const auto each = [&](DotKernel kernel, const void* left, const void* right, std::int64_t bytes) {
    for (std::int64_t i = 0; i < batch; ++i) {
      kernel(static_cast<const std::byte*>(left) + i * m * k * bytes,
             static_cast<const std::byte*>(right) + i * k * n * bytes, to + i * m * n * size, m, n, k);
    }
  };
  if (op.scalar == Scalar::f64) {
    each(kernels().dot_f64, a, b, 8);
  } else if (op.scalar == Scalar::i8) {
    const auto widen = [](const std::byte* from, std::int64_t elements) {
      std::vector<std::int32_t> wide(as_size(elements));
      for (std::int64_t i = 0; i < elements; ++i) wide[as_size(i)] = static_cast<std::int8_t>(from[i]);
      return wide;
    };
    const std::vector<std::int32_t> left = widen(a, batch * m * k), right = widen(b, batch * k * n);
    each(kernels().dot_i32, left.data(), right.data(), 4);
  } else if (op.precision == ir::Precision::ieee) {
    each(kernels().dot_f32, a, b, 4);
  } else if (op.precision == ir::Precision::bf16x3 || op.precision == ir::Precision::bf16x6) {
    // Three bf16 parts of each number; the products of small parts come first, the smallest are left out.
    using Parts = std::array<std::vector<float>, 3>;
    const auto split = [](const std::byte* from, std::int64_t elements) {
      Parts parts;
      const auto* values = reinterpret_cast<const float*>(from);
      for (std::int64_t i = 0; i < elements; ++i) {
        float rest = values[i];
        for (std::vector<float>& part : parts) {
          part.push_back(half::round_bf16(rest));
          rest -= part.back();
        }
      }
      return parts;
    };
    const Parts left = split(a, batch * m * k), right = split(b, batch * k * n);
    for (std::size_t order = op.precision == ir::Precision::bf16x6 ? 3 : 2; order-- > 0;)
      for (std::size_t i = order + 1; i-- > 0;)
        each(kernels().dot_f32, left[i].data(), right[order - i].data(), 4);
  } else {
    const auto cut = [](const std::byte* from, std::int64_t elements, bool rest) {
      std::vector<float> out(as_size(elements));
      const auto* values = reinterpret_cast<const float*>(from);
      for (std::int64_t i = 0; i < elements; ++i) {
        const float high = half::truncate_tf32(values[i]);
        out[as_size(i)] = rest ? half::truncate_tf32(values[i] - high) : high;
      }
      return out;
    };
    const std::vector<float> left = cut(a, batch * m * k, false), right = cut(b, batch * k * n, false);
    if (op.precision == ir::Precision::tf32x3) {
      const std::vector<float> left_rest = cut(a, batch * m * k, true),
                               right_rest = cut(b, batch * k * n, true);
      each(kernels().dot_f32, left_rest.data(), right.data(), 4);
      each(kernels().dot_f32, left.data(), right_rest.data(), 4);
    }
    each(kernels().dot_f32, left.data(), right.data(), 4);
  }
  if (c_type.scalar == Scalar::f16) {
    auto* values = reinterpret_cast<float*>(to);
    for (std::int64_t i = 0; i < count; ++i) values[i] = half::round_f16(values[i]);
  }
  return Flow::next;
}

}  // namespace trl::executor
