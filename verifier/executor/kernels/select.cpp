// Selects elements of one block or another.
#include "verifier/executor/kernels/families.hpp"

namespace trl::executor::TRL_EXECUTOR_SET {
namespace {

template <class Value>
void choose(const Operands& in, void* out, std::int64_t n) {
  const auto* condition = static_cast<const std::uint8_t*>(in.data[0]);
  const auto* a = static_cast<const Value*>(in.data[1]);
  const auto* b = static_cast<const Value*>(in.data[2]);
  const std::int64_t sa = in.stride[1], sb = in.stride[2];
  auto* r = static_cast<Value*>(out);
  if (in.stride[0] == 0) {
    const Value* from = condition[0] != 0 ? a : b;
    const std::int64_t stride = condition[0] != 0 ? sa : sb;
    for (std::int64_t i = 0; i < n; ++i) r[i] = from[i * stride];
  } else if (sa != 0 && sb != 0) {
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? a[i] : b[i];
  } else if (sa != 0) {
    const Value y = b[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? a[i] : y;
  } else if (sb != 0) {
    const Value x = a[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? x : b[i];
  } else {
    const Value x = a[0], y = b[0];
    for (std::int64_t i = 0; i < n; ++i) r[i] = condition[i] != 0 ? x : y;
  }
}

}  // namespace

Kernel select_kernel(Scalar scalar) {
  switch (storage_bytes(scalar)) {
    case 1:
      return choose<std::uint8_t>;
    case 2:
      return choose<std::int16_t>;
    case 4:
      return choose<std::int32_t>;
    default:
      return choose<std::int64_t>;
  }
}

}  // namespace trl::executor::TRL_EXECUTOR_SET
