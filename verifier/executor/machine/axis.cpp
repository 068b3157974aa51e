// Reductions and scans.
#include "verifier/executor/machine/machine.hpp"

#include <cstring>

#include "verifier/executor/machine/tracer.hpp"
#include "verifier/executor/values/bytes.hpp"
#include "verifier/executor/values/scan_order.hpp"

namespace trl::executor {

Axis Machine::axis_of(const Frame& frame, const ir::Operation& op) const {
  const std::vector<std::int32_t>& shape = value(frame, op.operands[0]).type.shape;
  Axis axis;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const auto at = static_cast<std::int64_t>(d);
    (at < op.number ? axis.outer : at == op.number ? axis.length : axis.inner) *= shape[d];
  }
  return axis;
}

Machine::Flow Machine::along_axis(Frame& frame, const ir::Operation& op) {
  const Axis axis = axis_of(frame, op);
  if (op.axis_kernel != nullptr) {
    std::vector<std::byte> spread;
    const std::byte* const from = full(frame, op.operands[0], spread);
    op.axis_kernel(from, prepare(frame, op.results[0], value(frame, op.results[0]).count), axis, op.reverse);
    if (is_float(op.scalar)) {
      report_.counters.flops += static_cast<std::uint64_t>(axis.outer * axis.length * axis.inner);
    }
    return Flow::next;
  }
  if (tracer_ != nullptr) tracer_->pause(true);
  const Flow flow =
      op.code == Code::reduce ? reduce_with_region(frame, op, axis) : scan_with_region(frame, op, axis);
  if (tracer_ != nullptr) tracer_->pause(false);
  return flow;
}

/// Runs the region once on `lanes` pairs; out may be the same memory as left.
Machine::Flow Machine::combine(Frame& frame, const ir::Operation& op, const std::vector<std::byte*>& left,
                               const std::vector<std::byte*>& right, const std::vector<std::byte*>& out,
                               std::int64_t lanes) {
  const ir::Block& block = op.regions[0].blocks[0];
  const std::size_t count = left.size();
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const a = prepare(frame, block.arguments[i], lanes);
    std::memcpy(a, left[i], as_size(lanes * slot(frame, block.arguments[i]).size));
    std::byte* const b = prepare(frame, block.arguments[count + i], lanes);
    std::memcpy(b, right[i], as_size(lanes * slot(frame, block.arguments[count + i]).size));
  }
  if (run_graph(frame, op.regions[0].blocks) == Flow::stopped) return Flow::stopped;
  for (std::size_t i = 0; i < count; ++i) {
    const Slot& result = slot(frame, frame.last->operands[i]);
    if (result.n == lanes) {
      std::memcpy(out[i], result.data, as_size(lanes * result.size));
    } else {
      spread_out(out[i], result.data, result.size, lanes);
    }
  }
  return Flow::next;
}

namespace {

/// A block during a reduction: [outer, length, inner] elements of `size` bytes.
struct Running {
  std::vector<std::byte> data, left, right;
  std::int64_t size = 1;
};

std::vector<std::byte*> pointers(std::vector<Running>& blocks, std::vector<std::byte> Running::*which) {
  std::vector<std::byte*> list;
  for (Running& block : blocks) list.push_back((block.*which).data());
  return list;
}

}  // namespace

/// Combines neighbours, then neighbouring results, and so on: right for every associative region, also for
/// one that isn't commutative.
Machine::Flow Machine::reduce_with_region(Frame& frame, const ir::Operation& op, const Axis& axis) {
  std::vector<Running> blocks(op.operands.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<std::byte> spread;
    const std::byte* const from = full(frame, op.operands[i], spread);
    blocks[i].size = slot(frame, op.operands[i]).size;
    blocks[i].data.assign(from, from + value(frame, op.operands[i]).count * blocks[i].size);
    blocks[i].left.resize(blocks[i].data.size());
    blocks[i].right.resize(blocks[i].data.size());
  }
  for (std::int64_t length = axis.length; length > 1;) {
    const std::int64_t pairs = length / 2, kept = length - pairs;
    for (Running& block : blocks) {
      const std::int64_t row = axis.inner * block.size;
      for (std::int64_t o = 0; o < axis.outer; ++o) {
        for (std::int64_t p = 0; p < pairs; ++p) {
          const std::byte* const pair = block.data.data() + (o * length + 2 * p) * row;
          std::memcpy(block.left.data() + (o * pairs + p) * row, pair, as_size(row));
          std::memcpy(block.right.data() + (o * pairs + p) * row, pair + row, as_size(row));
        }
      }
    }
    const std::int64_t lanes = axis.outer * pairs * axis.inner;
    std::vector<std::byte*> left = pointers(blocks, &Running::left),
                            right = pointers(blocks, &Running::right);
    const std::int64_t at_once = op.regions[0].elementwise ? lanes : 1;
    for (std::int64_t lane = 0; lane < lanes; lane += at_once) {
      if (combine(frame, op, left, right, left, at_once) == Flow::stopped) return Flow::stopped;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        left[i] += at_once * blocks[i].size;
        right[i] += at_once * blocks[i].size;
      }
    }
    for (Running& block : blocks) {
      const std::int64_t row = axis.inner * block.size;
      for (std::int64_t o = 0; o < axis.outer; ++o) {
        std::byte* const to = block.data.data() + o * kept * row;
        // With an odd number, the last one goes on to the next round; it lies behind everything written so
        // far.
        if (kept > pairs) {
          std::memmove(to + pairs * row, block.data.data() + (o * length + length - 1) * row, as_size(row));
        }
        std::memcpy(to, block.left.data() + o * pairs * row, as_size(pairs * row));
      }
    }
    length = kept;
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::int64_t count = value(frame, op.results[i]).count;
    std::memcpy(prepare(frame, op.results[i], count), blocks[i].data.data(), as_size(count * blocks[i].size));
  }
  return Flow::next;
}

/// Joins in the order of scan_rounds, all lanes of a round at once where the region is elementwise.
Machine::Flow Machine::scan_with_region(Frame& frame, const ir::Operation& op, const Axis& axis) {
  std::vector<Running> blocks(op.operands.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<std::byte> spread;
    const std::byte* const from = full(frame, op.operands[i], spread);
    blocks[i].size = slot(frame, op.operands[i]).size;
    blocks[i].data.assign(from, from + value(frame, op.operands[i]).count * blocks[i].size);
    blocks[i].left.resize(blocks[i].data.size());
    blocks[i].right.resize(blocks[i].data.size());
  }
  Flow flow = Flow::next;
  scan_rounds(axis.length, [&](const ScanRound& round) {
    if (flow == Flow::stopped) return;
    // Calls `each` with the bytes of every element that the round joins, and with their place among these.
    const auto rows = [&](Running& block, std::int64_t distance, const auto& each) {
      const std::int64_t row = axis.inner * block.size;
      for (std::int64_t o = 0; o < axis.outer; ++o)
        for (std::int64_t k = 0; k < round.count; ++k) {
          const std::int64_t at = round.first + k * round.stride - distance;
          const std::int64_t place = op.reverse ? axis.length - 1 - at : at;
          each(block.data.data() + (o * axis.length + place) * row, (o * round.count + k) * row,
               as_size(row));
        }
    };
    for (Running& block : blocks) {
      rows(block, round.distance, [&](const std::byte* element, std::int64_t at, std::size_t bytes) {
        std::memcpy(block.left.data() + at, element, bytes);
      });
      rows(block, 0, [&](const std::byte* element, std::int64_t at, std::size_t bytes) {
        std::memcpy(block.right.data() + at, element, bytes);
      });
    }
    const std::int64_t lanes = axis.outer * round.count * axis.inner;
    std::vector<std::byte*> left = pointers(blocks, &Running::left),
                            right = pointers(blocks, &Running::right);
    const std::int64_t at_once = op.regions[0].elementwise ? lanes : 1;
    for (std::int64_t lane = 0; lane < lanes; lane += at_once) {
      flow = combine(frame, op, left, right, left, at_once);
      if (flow == Flow::stopped) return;
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        left[i] += at_once * blocks[i].size;
        right[i] += at_once * blocks[i].size;
      }
    }
    for (Running& block : blocks)
      rows(block, 0, [&](std::byte* element, std::int64_t at, std::size_t bytes) {
        std::memcpy(element, block.left.data() + at, bytes);
      });
  });
  if (flow == Flow::stopped) return flow;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::int64_t count = value(frame, op.results[i]).count;
    std::memcpy(prepare(frame, op.results[i], count), blocks[i].data.data(), as_size(count * blocks[i].size));
  }
  return Flow::next;
}

}  // namespace trl::executor
