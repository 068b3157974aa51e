// Products of blocks.
#include "verifier/executor/machine/machine.hpp"

#include <array>
#include <cstring>
#include <limits>

#include "verifier/executor/values/bytes.hpp"
#include "verifier/executor/values/half.hpp"

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
    // Each number is split into three bf16 parts. Products of small parts are added first; the smallest are
    // left out.
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

namespace {

float four_bits(unsigned code) {
  constexpr float values[] = {0.0f, 0.5f, 1.0f, 1.5f, 2.0f, 3.0f, 4.0f, 6.0f};
  return (code & 8u) != 0 ? -values[code & 7u] : values[code & 7u];
}

}  // namespace

/// One side of a scaled dot as [batch, M, K] or [batch, K, N] numbers of the type in which they are
/// multiplied: a GPU without scaled tensor cores converts to bf16, or to f16 where a side is f16, and applies
/// the scales there.
std::vector<float> Machine::scaled_operand(Frame& frame, const ir::Operation& op, std::size_t side,
                                           bool in_f16) {
  const ir::ScaledOperand& scaled = op.scaled[side];
  const std::vector<std::int32_t>& c = value(frame, op.results[0]).type.shape;
  const std::size_t rank = c.size();
  const std::int64_t batch = rank == 3 ? c[0] : 1, k = op.number, other = c[rank - 2 + side];
  std::vector<std::byte> spread, spread_scale;
  const std::byte* const from = full(frame, op.operands[side], spread);
  const std::byte* const scales =
      scaled.scale < 0 ? nullptr : full(frame, op.operands[as_size(scaled.scale)], spread_scale);
  const std::int64_t rows = side == 0 ? other : k, columns = side == 0 ? k : other;
  // Packed 4-bit floats are pairs along the columns or along the rows.
  const bool by_column = scaled.fours && scaled.along_k == (side == 0), by_row = scaled.fours && !by_column;
  const std::int64_t stored = by_column ? columns / 2 : columns;
  std::vector<float> out(as_size(batch * rows * columns));
  std::size_t at = 0;
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column, ++at) {
        if (scaled.fours) {
          const std::int64_t place = (b * (by_row ? rows / 2 : rows) + (by_row ? row / 2 : row)) * stored +
                                     (by_column ? column / 2 : column);
          const unsigned shift = (by_row ? row : column) % 2 != 0 ? 4 : 0;
          out[at] = four_bits(std::to_integer<unsigned>(from[place]) >> shift & 15u);
        } else {
          std::memcpy(&out[at], from + static_cast<std::int64_t>(at) * 4, 4);
        }
        if (scales == nullptr) continue;
        const std::int64_t line = side == 0 ? row : column, group = (side == 0 ? column : row) / 32;
        const auto exponent = std::to_integer<std::uint16_t>(scales[(b * other + line) * (k / 32) + group]);
        const float power = exponent == 255 ? std::numeric_limits<float>::quiet_NaN()
                                            : half::from_bf16_bits(static_cast<std::uint16_t>(exponent << 7));
        out[at] =
            in_f16 ? half::round_f16(out[at] * half::round_f16(power)) : half::round_bf16(out[at] * power);
      }
  return out;
}

Machine::Flow Machine::dot_scaled(Frame& frame, const ir::Operation& op) {
  const Type& type = value(frame, op.results[0]).type;
  const std::size_t rank = type.shape.size();
  const std::int64_t batch = rank == 3 ? type.shape[0] : 1, k = op.number;
  const std::int64_t m = type.shape[rank - 2], n = type.shape[rank - 1], count = batch * m * n;
  if (!charge(static_cast<std::uint64_t>(count * k / 8 + 4 * batch * (m + n) * k), op.location))
    return Flow::stopped;
  ++report_.counters.dots;
  report_.counters.dot_flops += static_cast<std::uint64_t>(2 * count * k);
  const bool in_f16 = value(frame, op.operands[0]).type.scalar == Scalar::f16 ||
                      value(frame, op.operands[1]).type.scalar == Scalar::f16;
  const std::vector<float> a = scaled_operand(frame, op, 0, in_f16), b = scaled_operand(frame, op, 1, in_f16);
  std::vector<std::byte> spread;
  const std::byte* const c = full(frame, op.operands[2], spread);
  auto* const to = reinterpret_cast<float*>(prepare(frame, op.results[0], count));
  std::memcpy(to, c, as_size(count * 4));
  for (std::int64_t i = 0; i < batch; ++i)
    kernels().dot_f32(a.data() + i * m * k, b.data() + i * k * n, to + i * m * n, m, n, k);
  for (std::int64_t i = 0; i < count && type.scalar != Scalar::f32; ++i)
    to[i] = type.scalar == Scalar::f16 ? half::round_f16(to[i]) : half::round_bf16(to[i]);
  return Flow::next;
}

}  // namespace trl::executor
