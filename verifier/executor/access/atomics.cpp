#include "verifier/executor/access/access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "verifier/executor/values/half.hpp"

namespace trl::executor {
namespace {

/// Returns the bits that an atomic leaves in memory.
std::uint64_t changed(ir::Atomic atomic, Scalar scalar, std::uint64_t old, std::uint64_t operand) {
  const int width = static_cast<int>(memory_bytes(scalar)) * 8;
  const auto sign = [width](std::uint64_t bits) {
    return width == 64 ? static_cast<std::int64_t>(bits)
                       : static_cast<std::int64_t>(bits << (64 - width)) >> (64 - width);
  };
  switch (atomic) {
    case ir::Atomic::fadd:
      switch (scalar) {
        case Scalar::f16:
          return half::to_f16_bits(half::round_f16(half::from_f16_bits(static_cast<std::uint16_t>(old)) +
                                                   half::from_f16_bits(static_cast<std::uint16_t>(operand))));
        case Scalar::bf16:
          return half::to_bf16_bits(
              half::round_bf16(half::from_bf16_bits(static_cast<std::uint16_t>(old)) +
                               half::from_bf16_bits(static_cast<std::uint16_t>(operand))));
        case Scalar::f32:
          return std::bit_cast<std::uint32_t>(std::bit_cast<float>(static_cast<std::uint32_t>(old)) +
                                              std::bit_cast<float>(static_cast<std::uint32_t>(operand)));
        default:
          return std::bit_cast<std::uint64_t>(std::bit_cast<double>(old) + std::bit_cast<double>(operand));
      }
    case ir::Atomic::add:
      return old + operand;
    case ir::Atomic::max:
      return sign(operand) > sign(old) ? operand : old;
    case ir::Atomic::min:
      return sign(operand) < sign(old) ? operand : old;
    case ir::Atomic::umax:
      return std::max(old, operand);
    case ir::Atomic::umin:
      return std::min(old, operand);
    case ir::Atomic::exchange:
      return operand;
    case ir::Atomic::and_:
      return old & operand;
    case ir::Atomic::or_:
      return old | operand;
    case ir::Atomic::xor_:
      return old ^ operand;
  }
  return old;
}

std::uint64_t read_bits(const std::byte* from, std::int64_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, from, static_cast<std::size_t>(size));
  return bits;
}

}  // namespace

template <class Change>
void Access::atomic_each(const ir::Operation& op, const Operands& in, const std::uint8_t* mask,
                         std::int64_t mask_stride, void* out, std::int64_t n, Change change) {
  ++access_;
  ++counters_.loads;
  ++counters_.stores;
  ++in_flight_.polls;
  const bool by_leader = op.dimensions == 0;
  // The result of the leader's atomic reaches the other threads through shared memory. There is a barrier
  // between, and one before it if threads may still be reading there.
  if (by_leader && op.used && in_flight_.scratch) barrier();
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const std::int64_t size = memory_bytes(op.scalar), stored = storage_bytes(op.scalar);
  auto* r = static_cast<std::byte*>(out);
  counters_.operations += static_cast<std::uint64_t>(n) * piece_work;
  for (std::int64_t i = 0; i < n; ++i) {
    std::byte* const result = r + i * stored;
    Target target;
    if ((mask != nullptr && mask[i * mask_stride] == 0) ||
        !check(op, pointer[i * in.stride[0]], size, true, target)) {
      fill(op.scalar, options_.poison, result, 1);
      continue;
    }
    if (tracks_) target.place->reach(target.offset, size);
    check_written(op, target, size, size);
    if (synchronises_) watch(op, target, size);
    const std::uint64_t old = read_bits(target.place->bytes + target.offset, size);
    const std::uint64_t now = change(i, old);
    if (now != old) ++in_flight_.changes;
    race_atomic(op, target, size, now != old);
    count_read(target, size);
    count_written(target, size);
    count_atomic(target);
    std::byte* const place = target.place->bytes + target.offset;
    std::memcpy(place, &now, static_cast<std::size_t>(size));
    if (target.place->written != nullptr) {
      std::memset(target.place->written + target.offset, 1, static_cast<std::size_t>(size));
    }
    if (op.scalar == Scalar::f16 || op.scalar == Scalar::bf16) {
      const auto bits = static_cast<std::uint16_t>(old);
      const float value = op.scalar == Scalar::f16 ? half::from_f16_bits(bits) : half::from_bf16_bits(bits);
      std::memcpy(result, &value, sizeof value);
    } else {
      std::memcpy(result, &old, static_cast<std::size_t>(size));
    }
  }
  if (order_ != nullptr) release(op);
  if (by_leader && op.used) shares();
}

/// The program gets to know everything that the last release at a location published.
void Access::acquire(const Target& target) {
  const Zeroed<ClockPool::Id>& released = target.place->shadow.released;
  if (released.empty()) return;
  const ClockPool::Id clock = released[static_cast<std::size_t>(target.offset / Shadow::word)];
  if (clock == 0 || clock == in_flight_.progress.known.id()) return;
  order_->acquire(in_flight_.progress, clock);
  known_ = {};
}

/// Publishes the program's work so far at the locations of the atomic that was just carried out.
void Access::release(const ir::Operation& op) {
  ClockPool& clocks = order_->clocks();
  ClockPool::Id before = 0, after = 0;
  for (ClockPool::Id* const place : releases_) {
    if (after == 0 || *place != before) {
      clocks.drop(after);
      after = order_->release(in_flight_.progress, *place, op.dimensions > 0);
      before = *place;
    }
    clocks.keep(after);
    clocks.drop(std::exchange(*place, after));
  }
  clocks.drop(after);
  if (!releases_.empty() && op.dimensions == 0) known_ = {};
  releases_.clear();
}

void Access::atomic(const ir::Operation& op, const Operands& in, void* out, std::int64_t n) {
  const std::int64_t size = memory_bytes(op.scalar);
  const std::byte* const values = as_memory(op.scalar, in.data[1], in.stride[1], in.stride[1] == 0 ? 1 : n);
  atomic_each(op, in, op.has_mask ? static_cast<const std::uint8_t*>(in.data[2]) : nullptr, in.stride[2], out,
              n, [&](std::int64_t i, std::uint64_t old) {
                return changed(op.atomic, op.scalar, old, read_bits(values + i * in.stride[1] * size, size));
              });
}

void Access::compare_and_swap(const ir::Operation& op, const Operands& in, void* out, std::int64_t n) {
  const std::int64_t size = memory_bytes(op.scalar);
  const auto bits = [&](std::size_t operand) {
    return as_memory(op.scalar, in.data[operand], in.stride[operand], in.stride[operand] == 0 ? 1 : n);
  };
  // The expected and the new values may be in the same staging memory, so the expected ones are copied.
  const std::byte* expected = bits(1);
  const std::vector<std::byte> kept(expected, expected + (in.stride[1] == 0 ? 1 : n) * size);
  expected = kept.data();
  const std::byte* const desired = bits(2);
  atomic_each(op, in, nullptr, 0, out, n, [&](std::int64_t i, std::uint64_t old) {
    return old == read_bits(expected + i * in.stride[1] * size, size)
               ? read_bits(desired + i * in.stride[2] * size, size)
               : old;
  });
}

}  // namespace trl::executor
