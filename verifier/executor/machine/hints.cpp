// Checks the promises about numbers and pointers that a kernel makes to the compiler (tl.multiple_of,
// tl.max_constancy, and the multiples by which Triton specialises arguments). Because of them, a GPU accesses
// memory in larger pieces.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "verifier/executor/machine/machine.hpp"
#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {
namespace {

/// A block's dimension: its elements are `stride` apart in [outer, length, stride].
struct Dimension {
  std::int64_t outer = 1, length = 1, stride = 1;
};

Dimension dimension_of(const std::vector<std::int32_t>& shape, std::size_t at) {
  Dimension one;
  for (std::size_t d = 0; d < shape.size(); ++d)
    (d < at ? one.outer : d == at ? one.length : one.stride) *= shape[d];
  return one;
}

/// The number in a list of hints for a dimension; 1 if the list's length differs from the rank.
std::int64_t promised(const std::vector<std::int64_t>& list, std::size_t at, std::size_t rank) {
  return list.size() == std::max<std::size_t>(rank, 1) && list[at] > 1 ? list[at] : 1;
}

}  // namespace

/// The number that an element stands for: an integer, or a pointer's distance from its buffer, which begins
/// at a multiple of 256 bytes.
std::int64_t Machine::number_at(const Slot& from, const Type& type, std::int64_t i) {
  if (type.scalar == Scalar::ptr) {
    std::uint64_t pointer;
    std::memcpy(&pointer, from.data + i * 8, sizeof pointer);
    return address::offset(pointer);
  }
  return integer_at(from, i);
}

bool Machine::divides(std::int64_t divisor, int parameter) {
  Frame& frame = *frames_[static_cast<std::size_t>(&kernel_ - program_.functions.data())];
  const Type& type = value(frame, parameter).type;
  if (divisor <= 1 || (type.scalar != Scalar::ptr && !is_integer(type.scalar))) return true;
  return number_at(slot(frame, parameter), type, 0) % divisor == 0;
}

void Machine::check_hints(Frame& frame, const ir::Operation& op) {
  if (op.results.size() != 1) return;
  const Type& type = value(frame, op.results[0]).type;
  if (type.scalar != Scalar::ptr && !is_integer(type.scalar)) return;
  const Slot& block = slot(frame, op.results[0]);
  const std::size_t rank = type.shape.size();
  const std::int64_t step = type.scalar == Scalar::ptr ? memory_bytes(type.pointee) : 1;
  const auto untrue = [&](std::int64_t number, const std::string& what) {
    refuse(Kind::untrue_hint, op.location, std::to_string(number) + " is said to be " + what + ", and isn't");
  };
  for (std::size_t d = 0; d < std::max<std::size_t>(rank, 1); ++d) {
    const std::int64_t divisor = promised(op.hints.divisibility, d, rank),
                       equal = promised(op.hints.constancy, d, rank);
    if (divisor == 1 && equal == 1) continue;
    const Dimension all = rank == 0 || block.n == 1 ? Dimension{} : dimension_of(type.shape, d);
    for (std::int64_t line = 0; line < all.outer * all.stride; ++line) {
      const std::int64_t first = line / all.stride * all.length * all.stride + line % all.stride;
      std::int64_t before = 0;
      for (std::int64_t i = 0; i < all.length; ++i) {
        const std::int64_t number = number_at(block, type, first + i * all.stride);
        const bool begins = i == 0 || number != before + step;
        if (begins && number % divisor != 0)
          return untrue(number, "a multiple of " + std::to_string(divisor));
        if (i % equal != 0 && number != before)
          return untrue(number, "equal to " + std::to_string(equal - 1) + " others beside it");
        before = number;
      }
    }
  }
}

}  // namespace trl::executor
