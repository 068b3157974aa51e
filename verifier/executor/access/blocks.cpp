#include "verifier/executor/access/access.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "verifier/executor/values/half.hpp"

namespace trl::executor {

// ---- loads ----

void Access::fill(Scalar scalar, std::uint8_t byte, void* out, std::int64_t n) {
  if (scalar == Scalar::i1) {
    std::memset(out, byte & 1, static_cast<std::size_t>(n));
  } else if (is_narrow(scalar)) {
    const auto pattern = static_cast<std::uint16_t>(byte * 0x0101u);
    float value = 0;
    kernels().half_load(scalar, &pattern, &value, 1);
    std::fill_n(static_cast<float*>(out), n, value);
  } else {
    std::memset(out, byte, static_cast<std::size_t>(n * storage_bytes(scalar)));
  }
}

void Access::load_run(const ir::Operation& op, std::uint64_t pointer, void* out, std::int64_t n,
                      std::int64_t first) {
  const std::int64_t size = memory_bytes(op.scalar);
  const std::int64_t stored = storage_bytes(op.scalar);
  for (std::int64_t here = 0; (here = together(pointer, n, size)) < n;) {
    load_run(op, pointer, out, here, first);
    pointer = address::pack(address::buffer(pointer), address::offset(pointer) + here * size);
    out = static_cast<std::byte*>(out) + here * stored;
    n -= here;
    first = first < 0 ? first : first + here;
  }
  Target target;
  if (inside(pointer, n * size, target) == nullptr || (target.offset & (size - 1)) != 0) {
    if (n == 1) {
      check(op, pointer, size, false, target);
      fill(op.scalar, options_.poison, out, 1);
      return;
    }
    // The sum must not carry into another buffer's tag, so each element's offset is computed from the first
    // one's.
    const std::int64_t begin = address::offset(pointer);
    for (std::int64_t i = 0; i < n; ++i) {
      load_run(op, address::pack(address::buffer(pointer), begin + i * size),
               static_cast<std::byte*>(out) + i * stored, 1, first < 0 ? first : first + i);
    }
    return;
  }
  const std::int64_t bytes = n * size;
  read_shared_ = read_shared_ || target.place->writable;
  if (tracks_ && target.place->writable) target.place->reach(target.offset, bytes);
  check_written(op, target, bytes, size);
  if (synchronises_) watch(op, target, bytes);
  race_load(op, target, n, first);
  count_read(target, bytes);
  const std::byte* const from = target.place->bytes + target.offset;
  if (is_narrow(op.scalar)) {
    kernels().half_load(op.scalar, from, static_cast<float*>(out), n);
  } else if (op.scalar == Scalar::i1) {
    for (std::int64_t i = 0; i < n; ++i) static_cast<std::uint8_t*>(out)[i] = from[i] != std::byte{0} ? 1 : 0;
  } else {
    std::memcpy(out, from, static_cast<std::size_t>(bytes));
  }
}

void Access::load(const ir::Operation& op, const Operands& in, void* out, std::int64_t n) {
  ++access_;
  ++counters_.loads;
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const auto* mask = op.has_mask ? static_cast<const std::uint8_t*>(in.data[1]) : nullptr;
  const auto* other = op.has_other ? static_cast<const std::byte*>(in.data[2]) : nullptr;
  const std::int64_t size = memory_bytes(op.scalar), stored = storage_bytes(op.scalar);
  const auto step = static_cast<std::uint64_t>(size);
  auto* r = static_cast<std::byte*>(out);
  bool unfilled = false;
  read_shared_ = false;
  const bool each = op.dimensions > 0 && n > 1;
  if (op.is_volatile) ++in_flight_.polls;
  if (op.dimensions > 0) convert_layout(op);
  for (std::int64_t i = 0; i < n;) {
    std::int64_t j = i + 1;
    if (mask != nullptr && mask[i * in.stride[1]] == 0) {
      while (j < n && mask[j * in.stride[1]] == 0) ++j;
      if (other == nullptr) {  // as in the compiled kernel, where a register is 0 before a predicated load
        fill(op.scalar, options_.unfilled, r + i * stored, j - i);
        unfilled = true;
      } else if (in.stride[2] != 0) {
        std::memcpy(r + i * stored, other + i * stored, static_cast<std::size_t>((j - i) * stored));
      } else {
        for (std::int64_t k = i; k < j; ++k)
          std::memcpy(r + k * stored, other, static_cast<std::size_t>(stored));
      }
    } else {
      if (in.stride[0] != 0) {
        if (mask == nullptr || in.stride[1] == 0) {
          while (j < n && pointer[j] == pointer[j - 1] + step) ++j;
        } else {
          while (j < n && mask[j] != 0 && pointer[j] == pointer[j - 1] + step) ++j;
        }
      }
      counters_.operations += piece_work;
      load_run(op, pointer[i * in.stride[0]], r + i * stored, j - i, each ? i : Piece::by_all);
    }
    i = j;
  }
  if (unfilled) ++counters_.unfilled_loads;
}

// ---- stores ----

/// Returns the bytes of n values in memory's form. `stride` 0 repeats the first value.
const std::byte* Access::as_memory(Scalar scalar, const void* values, std::int64_t stride, std::int64_t n) {
  const std::int64_t size = memory_bytes(scalar);
  const bool half = is_narrow(scalar);
  if (stride != 0 && !half) return static_cast<const std::byte*>(values);
  if (staging_.size() < static_cast<std::size_t>(n * size))
    staging_.resize(static_cast<std::size_t>(n * size));
  if (stride != 0) {
    kernels().half_store(scalar, static_cast<const float*>(values), staging_.data(), n);
    return staging_.data();
  }
  if (half) {
    kernels().half_store(scalar, static_cast<const float*>(values), staging_.data(), 1);
  } else {
    std::memcpy(staging_.data(), values, static_cast<std::size_t>(size));
  }
  for (std::int64_t i = 1; i < n; ++i) {
    std::memcpy(staging_.data() + i * size, staging_.data(), static_cast<std::size_t>(size));
  }
  return staging_.data();
}

void Access::store_run(const ir::Operation& op, std::uint64_t pointer, const std::byte* values,
                       std::int64_t n, std::int64_t first) {
  const std::int64_t size = memory_bytes(op.scalar);
  for (std::int64_t here = 0; (here = together(pointer, n, size)) < n;) {
    store_run(op, pointer, values, here, first);
    pointer = address::pack(address::buffer(pointer), address::offset(pointer) + here * size);
    values += here * size;
    n -= here;
    first = first < 0 ? first : first + here;
  }
  Target target;
  const Place* const place = inside(pointer, n * size, target);
  if (place == nullptr || !place->writable || (target.offset & (size - 1)) != 0) {
    if (n == 1) {
      check(op, pointer, size, true, target);
      return;
    }
    const std::int64_t begin = address::offset(pointer);
    for (std::int64_t i = 0; i < n; ++i) {
      store_run(op, address::pack(address::buffer(pointer), begin + i * size), values + i * size, 1,
                first < 0 ? first : first + i);
    }
    return;
  }
  const std::int64_t bytes = n * size;
  if (tracks_) target.place->reach(target.offset, bytes);
  race_store(op, target, values, n, first);
  count_written(target, bytes);
  std::memcpy(target.place->bytes + target.offset, values, static_cast<std::size_t>(bytes));
  if (target.place->written != nullptr) {
    std::memset(target.place->written + target.offset, 1, static_cast<std::size_t>(bytes));
  }
  if (options_.stored != nullptr && place->pages != nullptr) note_stored(pointer, bytes);
}

void Access::note_stored(std::uint64_t pointer, std::int64_t bytes) {
  stored_bytes_ += bytes;
  if (stored_bytes_ > options_.most_stored) return;
  std::vector<StoredRun>& all = *options_.stored;
  const StoredRun run = {address::buffer(pointer), address::offset(pointer), bytes};
  if (!all.empty() && all.back().buffer == run.buffer && all.back().offset + all.back().bytes == run.offset)
    all.back().bytes += bytes;
  else
    all.push_back(run);
}

void Access::store(const ir::Operation& op, const Operands& in, std::int64_t n) {
  ++access_;
  ++counters_.stores;
  ++in_flight_.changes;
  const bool each = op.dimensions > 0 && n > 1;
  if (op.dimensions > 0) convert_layout(op);
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const auto* mask = op.has_mask ? static_cast<const std::uint8_t*>(in.data[2]) : nullptr;
  const std::int64_t size = memory_bytes(op.scalar);
  const auto step = static_cast<std::uint64_t>(size);
  const std::byte* const values = as_memory(op.scalar, in.data[1], in.stride[1], n);
  const auto store_piece = [&](std::int64_t i, std::int64_t count) {
    store_run(op, pointer[i * in.stride[0]], values + i * size, count, each ? i : Piece::by_all);
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> later;  // pieces to be stored in reverse
  for (std::int64_t i = 0; i < n;) {
    std::int64_t j = i + 1;
    if (mask != nullptr && mask[i * in.stride[2]] == 0) {
      while (j < n && mask[j * in.stride[2]] == 0) ++j;
    } else {
      if (in.stride[0] != 0) {
        if (mask == nullptr || in.stride[2] == 0) {
          while (j < n && pointer[j] == pointer[j - 1] + step) ++j;
        } else {
          while (j < n && mask[j] != 0 && pointer[j] == pointer[j - 1] + step) ++j;
        }
      }
      counters_.operations += piece_work;
      if (options_.interleaved) {
        later.emplace_back(i, j - i);
      } else {
        store_piece(i, j - i);
      }
    }
    i = j;
  }
  while (!later.empty()) {
    store_piece(later.back().first, later.back().second);
    later.pop_back();
  }
}

}  // namespace trl::executor
