// Operations that move elements without changing them.
#include "verifier/executor/machine/machine.hpp"

#include <algorithm>
#include <cstring>

#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {

void Machine::broadcast(Frame& frame, const ir::Operation& op) {
  const Slot from = slot(frame, op.operands[0]);
  const std::vector<std::int32_t>& small = value(frame, op.operands[0]).type.shape;
  const std::vector<std::int32_t>& large = value(frame, op.results[0]).type.shape;
  if (from.n == 1) {
    // If the parser made them share storage, nothing is copied.
    if (slot(frame, op.results[0]).capacity > 0 && value(frame, op.results[0]).alias < 0) {
      std::memcpy(prepare(frame, op.results[0], 1), from.data, as_size(from.size));
    } else {
      share(frame, op.results[0], op.operands[0], 1);
    }
    return;
  }
  const std::int64_t count = value(frame, op.results[0]).count;
  std::byte* to = prepare(frame, op.results[0], count);
  const std::size_t rank = large.size();
  std::vector<std::int64_t> stride(rank), at(rank, 0);
  std::int64_t running = 1;
  for (std::size_t d = rank; d-- > 0;) {
    stride[d] = small[d] == 1 ? 0 : running;
    running *= small[d];
  }
  const std::int64_t row = large[rank - 1];
  std::int64_t source = 0;
  for (std::int64_t done = 0; done < count; done += row) {
    if (stride[rank - 1] != 0) {
      std::memcpy(to, from.data + source * from.size, as_size(row * from.size));
    } else {
      spread_out(to, from.data + source * from.size, from.size, row);
    }
    to += row * from.size;
    for (std::size_t d = rank - 1; d-- > 0;) {
      source += stride[d];
      if (++at[d] < large[d]) break;
      source -= stride[d] * large[d];
      at[d] = 0;
    }
  }
}

namespace {

template <class T>
void transpose(const std::byte* from, std::byte* to, const std::vector<std::int64_t>& stride,
               const std::vector<std::int32_t>& shape, std::int64_t count) {
  const auto* a = reinterpret_cast<const T*>(from);
  auto* r = reinterpret_cast<T*>(to);
  const std::size_t rank = shape.size();
  std::vector<std::int64_t> at(rank, 0);
  const std::int64_t row = shape[rank - 1], step = stride[rank - 1];
  std::int64_t source = 0;
  for (std::int64_t done = 0; done < count; done += row) {
    for (std::int64_t i = 0; i < row; ++i) r[done + i] = a[source + i * step];
    for (std::size_t d = rank - 1; d-- > 0;) {
      source += stride[d];
      if (++at[d] < shape[d]) break;
      source -= stride[d] * shape[d];
      at[d] = 0;
    }
  }
}

}  // namespace

void Machine::trans(Frame& frame, const ir::Operation& op) {
  const Slot from = slot(frame, op.operands[0]);
  if (from.n == 1) {
    if (value(frame, op.results[0]).alias >= 0) {
      share(frame, op.results[0], op.operands[0], 1);
    } else {
      std::memcpy(prepare(frame, op.results[0], 1), from.data, as_size(from.size));
    }
    return;
  }
  const std::vector<std::int32_t>& before = value(frame, op.operands[0]).type.shape;
  const std::vector<std::int32_t>& after = value(frame, op.results[0]).type.shape;
  const std::size_t rank = before.size();
  std::vector<std::int64_t> natural(rank), stride(rank);
  std::int64_t running = 1;
  for (std::size_t d = rank; d-- > 0;) {
    natural[d] = running;
    running *= before[d];
  }
  for (std::size_t d = 0; d < rank; ++d) stride[d] = natural[static_cast<std::size_t>(op.list[d])];
  std::byte* const to = prepare(frame, op.results[0], running);
  switch (from.size) {
    case 1:
      transpose<std::uint8_t>(from.data, to, stride, after, running);
      break;
    case 2:
      transpose<std::uint16_t>(from.data, to, stride, after, running);
      break;
    case 4:
      transpose<std::uint32_t>(from.data, to, stride, after, running);
      break;
    default:
      transpose<std::uint64_t>(from.data, to, stride, after, running);
      break;
  }
}

void Machine::join(Frame& frame, const ir::Operation& op) {
  std::vector<std::byte> spread_a, spread_b;
  const std::byte* const a = full(frame, op.operands[0], spread_a);
  const std::byte* const b = full(frame, op.operands[1], spread_b);
  const std::int64_t n = value(frame, op.operands[0]).count, size = slot(frame, op.operands[0]).size;
  std::byte* const to = prepare(frame, op.results[0], 2 * n);
  if (op.code == Code::cat) {
    std::memcpy(to, a, as_size(n * size));
    std::memcpy(to + n * size, b, as_size(n * size));
    if (op.reorders) reorder(op, to, 2 * n, size);
    return;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    std::memcpy(to + 2 * i * size, a + i * size, as_size(size));
    std::memcpy(to + (2 * i + 1) * size, b + i * size, as_size(size));
  }
}

void Machine::split(Frame& frame, const ir::Operation& op) {
  std::vector<std::byte> spread;
  const std::byte* const from = full(frame, op.operands[0], spread);
  const std::int64_t n = value(frame, op.results[0]).count, size = slot(frame, op.operands[0]).size;
  std::byte* const a = prepare(frame, op.results[0], n);
  std::byte* const b = prepare(frame, op.results[1], n);
  for (std::int64_t i = 0; i < n; ++i) {
    std::memcpy(a + i * size, from + 2 * i * size, as_size(size));
    std::memcpy(b + i * size, from + (2 * i + 1) * size, as_size(size));
  }
}

void Machine::gather(Frame& frame, const ir::Operation& op) {
  std::vector<std::byte> spread_values, spread_indices;
  const std::byte* const values = full(frame, op.operands[0], spread_values);
  const std::byte* const indices = full(frame, op.operands[1], spread_indices);
  const std::int64_t size = slot(frame, op.operands[0]).size, index_size = slot(frame, op.operands[1]).size;
  const Axis from = axis_of(frame, op);
  const std::int64_t length = value(frame, op.operands[1]).type.shape[static_cast<std::size_t>(op.number)];
  const std::int64_t count = value(frame, op.results[0]).count;
  std::byte* const to = prepare(frame, op.results[0], count);
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t index = 0;
    if (index_size == 4) {
      std::int32_t narrow;
      std::memcpy(&narrow, indices + i * 4, 4);
      index = narrow;
    } else {
      std::memcpy(&index, indices + i * 8, 8);
    }
    const std::int64_t outer = i / (length * from.inner), inner = i % from.inner;
    if (index < 0 || index >= from.length) {
      findings_.add(Kind::out_of_bounds_load, op.location,
                    "gather of element " + std::to_string(index) + " of " + std::to_string(from.length));
      std::memset(to + i * size, options_.poison, as_size(size));
      continue;
    }
    std::memcpy(to + i * size, values + ((outer * from.length + index) * from.inner + inner) * size,
                as_size(size));
  }
}

void Machine::histogram(Frame& frame, const ir::Operation& op) {
  std::vector<std::byte> spread_values, spread_mask;
  const std::byte* const values = full(frame, op.operands[0], spread_values);
  const std::byte* const mask = op.has_mask ? full(frame, op.operands[1], spread_mask) : nullptr;
  const std::int64_t bins = value(frame, op.results[0]).count;
  auto* to = reinterpret_cast<std::int32_t*>(prepare(frame, op.results[0], bins));
  std::fill_n(to, bins, 0);
  const std::int64_t size = slot(frame, op.operands[0]).size;
  std::int64_t outside = 0;
  for (std::int64_t i = 0; i < value(frame, op.operands[0]).count; ++i) {
    if (mask != nullptr && mask[i] == std::byte{0}) continue;
    std::uint64_t bin = 0;  // negative values, signed or not, are in no bin
    std::memcpy(&bin, values + i * size, as_size(size));
    if (bin < static_cast<std::uint64_t>(bins))
      ++to[bin];
    else
      ++outside;
  }
  // A GPU counts these elements in some bin.
  if (outside > 0 && note_undefined(op, outside))
    for (std::int64_t i = 0; i < bins; ++i) to[i] = static_cast<std::int32_t>(*options_.undefined);
}

}  // namespace trl::executor
