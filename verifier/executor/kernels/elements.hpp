#pragma once
// Element types of blocks, and the loops of operations with one, two or three operands. Compiled once per
// instruction set.
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "verifier/executor/kernels/kernels.hpp"
#include "verifier/executor/values/half.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

// ---- element types: their storage, and how an operation's result is rounded to the type ----

template <class T>
struct Plain {
  using Value = T;
  static T finish(T value) { return value; }
};
struct I1 {
  using Value = std::uint8_t;
  static Value finish(Value value) { return value & 1; }
};
struct F16 {
  using Value = float;
  static float finish(float value) { return half::round_f16(value); }
};
struct BF16 {
  using Value = float;
  static float finish(float value) { return half::round_bf16(value); }
};
struct F8E4M3 {
  using Value = float;
  static float finish(float value) { return half::round_f8e4m3(value); }
};
struct F8E5M2 {
  using Value = float;
  static float finish(float value) { return half::round_f8e5m2(value); }
};
using I8 = Plain<std::int8_t>;
using I16 = Plain<std::int16_t>;
using I32 = Plain<std::int32_t>;
using I64 = Plain<std::int64_t>;
using F32 = Plain<float>;
using F64 = Plain<double>;
using Pointer = Plain<std::uint64_t>;

/// The unsigned type of 32 or 64 bits in which integer arithmetic on T is done. Its arithmetic wraps on
/// overflow, and C++ doesn't promote it to int.
template <class T>
using Wide = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;
template <class T>
using Unsigned = std::make_unsigned_t<T>;

template <class T>
T wrap(Wide<T> value) {
  return static_cast<T>(value);
}
template <class T>
Wide<T> up(T value) {
  return static_cast<Wide<T>>(static_cast<Unsigned<T>>(value));
}
template <class T>
bool overflows(T a, T b) {
  return b == -1 && a == std::numeric_limits<T>::min();
}

template <class T>
constexpr unsigned width = sizeof(T) * 8;

// ---- loops ----

template <class In, class Out, class Operation>
void unary(const Operands& in, void* out, std::int64_t n) {
  const auto* a = static_cast<const typename In::Value*>(in.data[0]);
  auto* r = static_cast<typename Out::Value*>(out);
  if (in.stride[0] == 0) {
    const auto value = Out::finish(Operation::apply(a[0]));
    for (std::int64_t i = 0; i < n; ++i) r[i] = value;
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(a[i]));
}

template <class In, class Out, class Operation>
void binary(const Operands& in, void* out, std::int64_t n) {
  using Value = typename In::Value;
  const auto* a = static_cast<const Value*>(in.data[0]);
  const auto* b = static_cast<const Value*>(in.data[1]);
  auto* r = static_cast<typename Out::Value*>(out);
  if (in.stride[0] != 0 && in.stride[1] != 0) {
    for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(a[i], b[i]));
  } else if (in.stride[0] != 0) {
    const Value y = b[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(a[i], y));
  } else if (in.stride[1] != 0) {
    const Value x = a[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = Out::finish(Operation::apply(x, b[i]));
  } else {
    const auto value = Out::finish(Operation::apply(a[0], b[0]));
    for (std::int64_t i = 0; i < n; ++i) r[i] = value;
  }
}

template <class E, class Operation>
void ternary(const Operands& in, void* out, std::int64_t n) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in.data[0]);
  const auto* b = static_cast<const Value*>(in.data[1]);
  const auto* c = static_cast<const Value*>(in.data[2]);
  const std::int64_t sa = in.stride[0], sb = in.stride[1], sc = in.stride[2];
  auto* r = static_cast<Value*>(out);
  if (sa != 0 && sb == 0 && sc == 0) {
    const Value y = b[0], z = c[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = E::finish(Operation::apply(a[i], y, z));
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) r[i] = E::finish(Operation::apply(a[i * sa], b[i * sb], c[i * sc]));
}

/// Returns `visit.operator()<Element>()`, where Element is I8, I16, I32 or I64 according to `scalar`; null
/// when `scalar` is none of these integers.
template <class Visit>
auto for_integer(Scalar scalar, Visit visit) -> decltype(visit.template operator()<I32>()) {
  switch (scalar) {
    case Scalar::i8:
      return visit.template operator()<I8>();
    case Scalar::i16:
      return visit.template operator()<I16>();
    case Scalar::i32:
      return visit.template operator()<I32>();
    case Scalar::i64:
      return visit.template operator()<I64>();
    default:
      return nullptr;
  }
}
template <class Visit>
auto for_bit_or_integer(Scalar scalar, Visit visit) -> decltype(visit.template operator()<I32>()) {
  return scalar == Scalar::i1 ? visit.template operator()<I1>() : for_integer(scalar, visit);
}
template <class Visit>
auto for_float(Scalar scalar, Visit visit) -> decltype(visit.template operator()<F32>()) {
  switch (scalar) {
    case Scalar::f16:
      return visit.template operator()<F16>();
    case Scalar::bf16:
      return visit.template operator()<BF16>();
    case Scalar::f32:
      return visit.template operator()<F32>();
    case Scalar::f64:
      return visit.template operator()<F64>();
    default:
      return nullptr;
  }
}

}  // namespace

}  // namespace trl::executor::TRL_EXECUTOR_SET
