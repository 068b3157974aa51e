// Compares the loops compiled for AVX2 with those for any machine, bit for bit, and conversions with their
// definition.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "verifier/executor/kernels/kernels.hpp"
#include "verifier/executor/values/half.hpp"

namespace trl::executor {
namespace baseline {
extern const KernelSet set;
}
namespace {

constexpr Scalar scalars[] = {Scalar::i1,   Scalar::i8,     Scalar::i16,    Scalar::i32,
                              Scalar::i64,  Scalar::f8e4m3, Scalar::f8e5m2, Scalar::f16,
                              Scalar::bf16, Scalar::f32,    Scalar::f64};

/// n stored values of a type, including special ones.
std::vector<std::byte> random_values(Scalar scalar, std::int64_t n, std::mt19937_64& random) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(n * storage_bytes(scalar)));
  for (std::int64_t i = 0; i < n; ++i) {
    std::uint64_t pattern = random();
    if (scalar == Scalar::i1) pattern &= 1;
    if (scalar == Scalar::f8e4m3)
      pattern = std::bit_cast<std::uint32_t>(half::from_f8e4m3_bits(static_cast<std::uint8_t>(pattern)));
    if (scalar == Scalar::f8e5m2)
      pattern = std::bit_cast<std::uint32_t>(half::from_f8e5m2_bits(static_cast<std::uint8_t>(pattern)));
    if (scalar == Scalar::f16)
      pattern = std::bit_cast<std::uint32_t>(half::from_f16_bits(static_cast<std::uint16_t>(pattern)));
    if (scalar == Scalar::bf16)
      pattern = std::bit_cast<std::uint32_t>(half::from_bf16_bits(static_cast<std::uint16_t>(pattern)));
    if (scalar == Scalar::f32 && pattern % 3 != 0) {
      pattern =
          std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(pattern) % 1000) / 64.0f);
    }
    std::memcpy(bytes.data() + i * storage_bytes(scalar), &pattern,
                static_cast<std::size_t>(storage_bytes(scalar)));
  }
  return bytes;
}

/// Whether the bits are equal; any two NaNs count as equal.
bool same(Scalar scalar, const std::vector<std::byte>& a, const std::vector<std::byte>& b) {
  const auto compare = [&]<class T>(T) {
    for (std::size_t i = 0; i + sizeof(T) <= a.size(); i += sizeof(T)) {
      T x, y;
      std::memcpy(&x, a.data() + i, sizeof x);
      std::memcpy(&y, b.data() + i, sizeof y);
      if (std::memcmp(&x, &y, sizeof x) != 0 && !(std::isnan(x) && std::isnan(y))) return false;
    }
    return true;
  };
  if (scalar == Scalar::f64) return compare(double{});
  if (is_float(scalar)) return compare(float{});
  return a == b;
}

TEST(Kernels, BothSetsGiveTheSameBits) {
  std::mt19937_64 random(3);
  constexpr std::int64_t n = 101;
  int compared = 0;
  for (int code = 0; code <= static_cast<int>(Code::copy); ++code) {
    const auto op = static_cast<Code>(code);
    for (const Scalar from : scalars) {
      for (const Scalar to : scalars) {
        const bool compares = op >= Code::cmpi_eq && op <= Code::cmpf_true;
        const bool tests = op >= Code::isnan && op <= Code::signbit;
        const bool converts = op >= Code::extsi;
        const Scalar result = compares ? Scalar::i1 : tests ? Scalar::i32 : converts ? to : from;
        if (result != to) continue;
        const Kernel fast = kernels().elementwise(op, from, to),
                     plain = baseline::set.elementwise(op, from, to);
        ASSERT_EQ(fast == nullptr, plain == nullptr);
        if (fast == nullptr) continue;
        for (int strides = 0; strides < 8; ++strides) {
          Operands in;
          std::vector<std::byte> operands[3];
          for (std::size_t i = 0; i < 3; ++i) {
            operands[i] = random_values(op == Code::select && i == 0 ? Scalar::i1 : from, n, random);
            in.data[i] = operands[i].data();
            in.stride[i] = (strides >> i) & 1;
          }
          std::vector<std::byte> a(static_cast<std::size_t>(n * storage_bytes(to))), b(a.size());
          fast(in, a.data(), n);
          plain(in, b.data(), n);
          EXPECT_TRUE(same(to, a, b)) << "code " << code << " on " << name(from) << " to " << name(to);
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

TEST(Kernels, DotsAreTheSameForAllShapes) {
  std::mt19937_64 random(4);
  for (const std::int64_t m : {1, 4, 7, 16}) {
    for (const std::int64_t n : {1, 31, 32, 65}) {
      for (const std::int64_t k : {1, 16, 33}) {
        const auto fill = [&random](std::int64_t count) {
          std::vector<float> values(static_cast<std::size_t>(count));
          for (float& value : values)
            value = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 997.0f;
          return values;
        };
        const std::vector<float> a = fill(m * k), b = fill(k * n);
        std::vector<float> c = fill(m * n), d = c, want = c;
        kernels().dot_f32(a.data(), b.data(), c.data(), m, n, k);
        baseline::set.dot_f32(a.data(), b.data(), d.data(), m, n, k);
        EXPECT_EQ(c, d);
        for (std::int64_t i = 0; i < m; ++i) {
          for (std::int64_t j = 0; j < n; ++j) {
            float& sum = want[static_cast<std::size_t>(i * n + j)];
            for (std::int64_t p = 0; p < k; ++p) {
              const float product =
                  a[static_cast<std::size_t>(i * k + p)] * b[static_cast<std::size_t>(p * n + j)];
              sum += product;
            }
          }
        }
        for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], want[i], 1e-5f);
      }
    }
  }
}

TEST(Half, EveryF16RoundTrips) {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const float value = half::from_f16_bits(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) continue;
    EXPECT_EQ(half::to_f16_bits(value), bits);
    EXPECT_EQ(half::round_f16(value), value);
    EXPECT_EQ(half::truncate_f16(value), value);
  }
}

// `from` and `to` convert bits to floats and back; `last` has the bits of the largest number.
void expect_f8(float (*from)(std::uint8_t), std::uint8_t (*to)(float), float (*round)(float), int last) {
  for (int bits = 0; bits <= last; ++bits) {
    const float low = from(static_cast<std::uint8_t>(bits));
    EXPECT_EQ(to(low), bits);
    EXPECT_EQ(to(-low), bits | 0x80);
    EXPECT_EQ(from(static_cast<std::uint8_t>(bits | 0x80)), -low);
    EXPECT_EQ(round(low), low);
    if (bits == last) continue;
    const float high = from(static_cast<std::uint8_t>(bits + 1));
    ASSERT_GT(high, low);
    const float middle = low + (high - low) / 2;
    EXPECT_EQ(round(middle), bits % 2 == 0 ? low : high);
    EXPECT_EQ(round(std::nextafter(middle, high)), high);
    EXPECT_EQ(round(-std::nextafter(middle, low)), -low);
  }
  const float most = from(static_cast<std::uint8_t>(last));
  EXPECT_EQ(round(1e9f), most);
  EXPECT_EQ(round(-INFINITY), -most);
  EXPECT_TRUE(std::isnan(round(NAN)));
  EXPECT_TRUE(std::isnan(from(to(round(NAN)))));
}

TEST(Half, F8RoundsToTheNearestEvenAndStaysFinite) {
  expect_f8(half::from_f8e4m3_bits, half::to_f8e4m3_bits, half::round_f8e4m3, 0x7E);
  expect_f8(half::from_f8e5m2_bits, half::to_f8e5m2_bits, half::round_f8e5m2, 0x7B);
  EXPECT_EQ(half::from_f8e4m3_bits(0x7E), 448.0f);
  EXPECT_EQ(half::from_f8e4m3_bits(1), 0x1p-9f);
  EXPECT_EQ(half::from_f8e5m2_bits(0x7B), 57344.0f);
  EXPECT_EQ(half::from_f8e5m2_bits(1), 0x1p-16f);
}

TEST(Half, RoundsToTheNearestEven) {
  for (std::uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const float low = half::from_f16_bits(static_cast<std::uint16_t>(bits));
    const float high = half::from_f16_bits(static_cast<std::uint16_t>(bits + 1));
    const float middle = low + (high - low) / 2;
    EXPECT_EQ(half::round_f16(middle), bits % 2 == 0 ? low : high);
    EXPECT_EQ(half::round_f16(std::nextafter(middle, high)), high);
    EXPECT_EQ(half::round_f16(-std::nextafter(middle, low)), -low);
    EXPECT_EQ(half::truncate_f16(middle), low);
    EXPECT_EQ(half::truncate_f16(-middle), -low);
  }
  EXPECT_EQ(half::round_f16(65519.0f), 65504.0f);
  EXPECT_TRUE(std::isinf(half::round_f16(65520.0f)));
  EXPECT_EQ(half::truncate_f16(1e9f), 65504.0f);
  EXPECT_TRUE(std::isnan(half::round_f16(NAN)));
}

TEST(Half, Bf16AndTf32KeepTheirBits) {
  EXPECT_EQ(half::round_bf16(1.0f + 1.0f / 256), 1.0f);
  EXPECT_EQ(half::round_bf16(1.0f + 3.0f / 256), 1.0f + 4.0f / 256);
  EXPECT_TRUE(std::isnan(half::round_bf16(NAN)));
  EXPECT_EQ(half::truncate_tf32(1.0f + 1.0f / 1024), 1.0f + 1.0f / 1024);
  EXPECT_EQ(half::truncate_tf32(1.0f + 1.0f / 2048), 1.0f);
}

}  // namespace
}  // namespace trl::executor
