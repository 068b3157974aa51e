// Addition of element counts to pointers.
#include <cstring>

#include "verifier/executor/kernels/elements.hpp"
#include "verifier/executor/kernels/families.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

/// A pointer is a buffer's tag in the top 16 bits and a biased offset below, see access/access.hpp. The
/// offset saturates, so that no arithmetic reaches another buffer.
constexpr std::uint64_t offset_bits = (std::uint64_t{1} << 48) - 1;

template <class Index>
void advance(const Operands& in, void* out, std::int64_t n) {
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const auto* index = static_cast<const Index*>(in.data[1]);
  std::int64_t size;
  std::memcpy(&size, in.data[2], sizeof size);
  const std::int64_t sp = in.stride[0], si = in.stride[1];
  auto* r = static_cast<std::uint64_t*>(out);
  const auto step = [size](std::uint64_t from, Index by) {
    std::int64_t delta = static_cast<std::int64_t>(by);
    if constexpr (sizeof(Index) == 8) {
      constexpr std::int64_t far = std::int64_t{1} << 49;
      delta = delta < -far ? -far : delta > far ? far : delta;
    }
    std::int64_t offset = static_cast<std::int64_t>(from & offset_bits) + delta * size;
    offset = offset < 0 ? 0 : offset;
    offset =
        offset > static_cast<std::int64_t>(offset_bits) ? static_cast<std::int64_t>(offset_bits) : offset;
    return (from & ~offset_bits) | static_cast<std::uint64_t>(offset);
  };
  if (sp != 0 && si != 0) {
    for (std::int64_t i = 0; i < n; ++i) r[i] = step(pointer[i], index[i]);
  } else if (si != 0) {
    const std::uint64_t base = pointer[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = step(base, index[i]);
  } else {
    const Index by = index[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = step(pointer[i * sp], by);
  }
}

}  // namespace

Kernel addptr_kernel(Scalar index) {
  return for_integer(index, []<class E>() -> Kernel { return advance<typename E::Value>; });
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
