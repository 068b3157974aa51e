#include "verifier/executor/paths/ways.hpp"

#include <cstring>

namespace trl::executor::ways {
namespace {

// Writes `test(i)` for each element to `lanes`; without `lanes` it stops at the first that holds.
template <class Test>
bool each(std::int64_t n, std::uint8_t* lanes, Test test) {
  bool any = false;
  if (lanes == nullptr) {
    constexpr std::int64_t piece = 256;  // a piece of this size is tested without a branch per element
    for (std::int64_t from = 0; from < n && !any; from += piece)
      for (std::int64_t i = from; i < n && i < from + piece; ++i) any |= test(i);
    return any;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    lanes[i] = test(i) ? 1 : 0;
    any |= lanes[i] != 0;
  }
  return any;
}

template <class T, bool Less>
bool ordered(const Operands& in, int first, int second, std::int64_t n, bool wanted, std::uint8_t* lanes) {
  const auto* a = static_cast<const T*>(in.data[first]);
  const auto* b = static_cast<const T*>(in.data[second]);
  const std::int64_t step_a = in.stride[first], step_b = in.stride[second];
  return each(n, lanes, [=](std::int64_t i) {
    const T x = a[i * step_a], y = b[i * step_b];
    return (Less ? x < y : x > y) == wanted;
  });
}

template <class T>
bool ordered(const Operands& in, int first, int second, bool less, std::int64_t n, bool wanted,
             std::uint8_t* lanes) {
  return less ? ordered<T, true>(in, first, second, n, wanted, lanes)
              : ordered<T, false>(in, first, second, n, wanted, lanes);
}

bool compared(const ir::Operation& op, int first, int second, bool less, const Operands& in, std::int64_t n,
              bool wanted, std::uint8_t* lanes) {
  const bool is_unsigned = op.code == Code::minui || op.code == Code::maxui;
  switch (op.scalar) {
    case Scalar::f64:
      return ordered<double>(in, first, second, less, n, wanted, lanes);
    case Scalar::i1:
      return ordered<std::uint8_t>(in, first, second, less, n, wanted, lanes);
    case Scalar::i8:
      return is_unsigned ? ordered<std::uint8_t>(in, first, second, less, n, wanted, lanes)
                         : ordered<std::int8_t>(in, first, second, less, n, wanted, lanes);
    case Scalar::i16:
      return is_unsigned ? ordered<std::uint16_t>(in, first, second, less, n, wanted, lanes)
                         : ordered<std::int16_t>(in, first, second, less, n, wanted, lanes);
    case Scalar::i32:
      return is_unsigned ? ordered<std::uint32_t>(in, first, second, less, n, wanted, lanes)
                         : ordered<std::int32_t>(in, first, second, less, n, wanted, lanes);
    case Scalar::i64:
    case Scalar::ptr:
      return is_unsigned ? ordered<std::uint64_t>(in, first, second, less, n, wanted, lanes)
                         : ordered<std::int64_t>(in, first, second, less, n, wanted, lanes);
    default:
      return ordered<float>(in, first, second, less, n, wanted, lanes);
  }
}

template <class T>
bool nonzero(const void* out, std::int64_t n, bool wanted, std::uint8_t* lanes) {
  const auto* values = static_cast<const T*>(out);
  return each(n, lanes, [=](std::int64_t i) { return (values[i] != 0) == wanted; });
}

}  // namespace

bool find(const ir::Operation& op, std::size_t part, const Operands& in, const void* out, std::int64_t n,
          std::uint8_t way, std::uint8_t* lanes) {
  const bool wanted = way == yes;
  switch (op.code) {
    case Code::minsi:
    case Code::minui:
    case Code::minimumf:
    case Code::minnumf:
      return compared(op, 0, 1, true, in, n, wanted, lanes);
    case Code::maxsi:
    case Code::maxui:
    case Code::maximumf:
    case Code::maxnumf:
      return compared(op, 0, 1, false, in, n, wanted, lanes);
    case Code::clampf:
    case Code::clampf_nan:
      return part == 0 ? compared(op, 0, 1, true, in, n, wanted, lanes)
                       : compared(op, 0, 2, false, in, n, wanted, lanes);
    case Code::floor:
    case Code::ceil:
    case Code::trunc:
    case Code::round:
    case Code::rint:
      return op.scalar == Scalar::f64 ? nonzero<double>(out, n, wanted, lanes)
                                      : nonzero<float>(out, n, wanted, lanes);
    default:
      break;
  }
  const Scalar result = op.code == Code::fptosi || op.code == Code::fptoui ? op.to : op.scalar;
  const bool integral = op.code == Code::fptosi || op.code == Code::fptoui || op.code == Code::shrsi ||
                        op.code == Code::shrui || (op.code == Code::andi && op.scalar != Scalar::i1);
  switch (integral ? storage_bytes(result) : 1) {
    case 1:
      // The element is a condition, or an integer of one byte.
      if (lanes == nullptr && !integral)
        return std::memchr(out, wanted ? 1 : 0, static_cast<std::size_t>(n)) != nullptr;
      return nonzero<std::uint8_t>(out, n, wanted, lanes);
    case 2:
      return nonzero<std::uint16_t>(out, n, wanted, lanes);
    case 4:
      return nonzero<std::uint32_t>(out, n, wanted, lanes);
    default:
      return nonzero<std::uint64_t>(out, n, wanted, lanes);
  }
}

}  // namespace trl::executor::ways
