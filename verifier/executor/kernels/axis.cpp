// Reductions and scans along an axis.
#include "verifier/executor/kernels/families.hpp"
#include "verifier/executor/kernels/operations.hpp"
#include "verifier/executor/values/scan_order.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

constexpr std::int64_t lanes = 16;
constexpr std::int64_t columns = 64;

/// Reduces some columns of a block whose rows are joined, in the order of reduce_axis: each running number of
/// that order is a running row here.
template <class E, class Operation, class Value>
void reduce_columns(const Value* a, Value* r, const Axis& axis, std::int64_t count) {
  Value running[lanes][columns];
  const auto join = [&](Value* to, const Value* row) {
    for (std::int64_t i = 0; i < count; ++i) to[i] = E::finish(Operation::apply(to[i], row[i]));
  };
  const std::int64_t wide = axis.length < lanes ? axis.length : lanes;
  for (std::int64_t k = 0; k < wide; ++k)
    for (std::int64_t i = 0; i < count; ++i) running[k][i] = a[k * axis.inner + i];
  for (std::int64_t k = wide; k < axis.length; ++k) join(running[k % lanes], a + k * axis.inner);
  for (std::int64_t rows = wide; rows > 1;) {
    const std::int64_t half_way = (rows + 1) / 2;
    for (std::int64_t k = 0; k + half_way < rows; ++k) {
      if (axis.neighbours && k > 0) std::memcpy(running[k], running[2 * k], sizeof running[k]);
      join(running[k], running[axis.neighbours ? 2 * k + 1 : k + half_way]);
    }
    if (axis.neighbours && rows % 2 != 0)
      std::memcpy(running[half_way - 1], running[rows - 1], sizeof running[0]);
    rows = half_way;
  }
  for (std::int64_t i = 0; i < count; ++i) r[i] = running[0][i];
}

/// Sums by 16 running sums, then by a tree over these, as a warp would.
template <class E, class Operation>
void reduce_axis(const void* in, void* out, const Axis& axis, bool) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in);
  auto* r = static_cast<Value*>(out);
  const std::int64_t wide = axis.length < lanes ? axis.length : lanes;
  if (axis.inner != 1) {
    for (std::int64_t o = 0; o < axis.outer; ++o, a += axis.length * axis.inner, r += axis.inner)
      for (std::int64_t first = 0; first < axis.inner; first += columns)
        reduce_columns<E, Operation>(a + first, r + first, axis,
                                     axis.inner - first < columns ? axis.inner - first : columns);
    return;
  }
  for (std::int64_t o = 0; o < axis.outer; ++o, a += axis.length, ++r) {
    Value running[lanes];
    for (std::int64_t i = 0; i < wide; ++i) running[i] = a[i];
    std::int64_t k = wide;
    for (; k + lanes <= axis.length; k += lanes) {
      for (std::int64_t i = 0; i < lanes; ++i) running[i] = E::finish(Operation::apply(running[i], a[k + i]));
    }
    for (std::int64_t i = 0; k + i < axis.length; ++i)
      running[i] = E::finish(Operation::apply(running[i], a[k + i]));
    for (std::int64_t count = wide; count > 1;) {
      const std::int64_t half_way = (count + 1) / 2;
      for (std::int64_t i = 0; i + half_way < count; ++i) {
        running[i] = axis.neighbours ? E::finish(Operation::apply(running[2 * i], running[2 * i + 1]))
                                     : E::finish(Operation::apply(running[i], running[i + half_way]));
      }
      if (axis.neighbours && count % 2 != 0) running[half_way - 1] = running[count - 1];
      count = half_way;
    }
    r[0] = running[0];
  }
}

/// Joins elements in the order of scan_rounds.
template <class E, class Operation>
void scan_axis(const void* in, void* out, const Axis& axis, bool reverse) {
  using Value = typename E::Value;
  const auto* a = static_cast<const Value*>(in);
  auto* r = static_cast<Value*>(out);
  const std::int64_t block = axis.length * axis.inner;
  for (std::int64_t i = 0; i < axis.outer * block; ++i) r[i] = a[i];
  const std::int64_t direction = reverse ? -axis.inner : axis.inner;
  for (std::int64_t o = 0; o < axis.outer; ++o) {
    Value* const start = r + o * block + (reverse ? block - axis.inner : 0);
    scan_rounds(axis.length, axis.run, [&](const ScanRound& round) {
      for (std::int64_t k = 0; k < round.count; ++k) {
        Value* const to = start + (round.first + k * round.stride) * direction;
        const Value* const before = to - round.distance * direction;
        for (std::int64_t i = 0; i < axis.inner; ++i) to[i] = E::finish(Operation::apply(before[i], to[i]));
      }
    });
  }
}

template <class Operation>
AxisKernel float_axis(Scalar scalar, bool scan) {
  return for_float(scalar, [scan]<class E>() -> AxisKernel {
    return scan ? scan_axis<E, Operation> : reduce_axis<E, Operation>;
  });
}
template <class Operation>
AxisKernel integer_axis(Scalar scalar, bool scan) {
  switch (scalar) {
    case Scalar::i32:
      return scan ? scan_axis<I32, Operation> : reduce_axis<I32, Operation>;
    case Scalar::i64:
      return scan ? scan_axis<I64, Operation> : reduce_axis<I64, Operation>;
    default:
      return nullptr;
  }
}

AxisKernel along(Code code, Scalar scalar, bool scan) {
  switch (code) {
    case Code::addf:
      return float_axis<AddF>(scalar, scan);
    case Code::mulf:
      return float_axis<MulF>(scalar, scan);
    case Code::maxnumf:
      return float_axis<MaxNumF>(scalar, scan);
    case Code::minnumf:
      return float_axis<MinNumF>(scalar, scan);
    case Code::maximumf:
      return float_axis<MaximumF>(scalar, scan);
    case Code::minimumf:
      return float_axis<MinimumF>(scalar, scan);
    case Code::addi:
      return integer_axis<AddI>(scalar, scan);
    case Code::maxsi:
      return integer_axis<MaxS>(scalar, scan);
    case Code::minsi:
      return integer_axis<MinS>(scalar, scan);
    case Code::xori:
      return integer_axis<Xor>(scalar, scan);
    default:
      return nullptr;
  }
}
}  // namespace

AxisKernel reduce_kernel(Code code, Scalar scalar) { return along(code, scalar, false); }
AxisKernel scan_kernel(Code code, Scalar scalar) { return along(code, scalar, true); }

}  // namespace trl::executor::TRL_EXECUTOR_SET
