// Reductions and scans.
#include "verifier/executor/machine/machine.hpp"

#include <cstring>

#include "verifier/executor/machine/tracer.hpp"
#include "verifier/executor/values/bytes.hpp"
#include "verifier/executor/values/reduction_order.hpp"
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
  Axis axis = axis_of(frame, op);
  if (op.axis_kernel != nullptr) {
    if (lowering_.as_threads) {
      axis.neighbours = lowering_.registers > 1;
      axis.run = lowering_.run;
    }
    std::vector<std::byte> spread;
    const std::byte* const from = full(frame, op.operands[0], spread);
    op.axis_kernel(from, prepare(frame, op.results[0], value(frame, op.results[0]).count), axis, op.reverse);
    if (is_float(op.scalar)) {
      report_.counters.flops += static_cast<std::uint64_t>(axis.outer * axis.length * axis.inner);
    }
    return Flow::next;
  }
  ++report_.counters.orders;
  if (tracer_ != nullptr) tracer_->pause(true);
  const Flow flow =
      op.code == Code::reduce ? reduce_with_region(frame, op, axis) : scan_with_region(frame, op, axis);
  if (tracer_ != nullptr) tracer_->pause(false);
  return flow;
}

/// Runs the region once on `lanes` pairs of elements. The results may overwrite the left elements.
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

/// The block [outer, length, inner] of elements of `size` bytes that a reduction or scan works on. A step
/// joins elements of `left` and `right` into `left`.
struct Machine::Running {
  std::vector<std::byte> data, left, right;
  std::int64_t size = 1;

  /// Copies the rows that a step joins: the rows of the pairs' first places along the axis to `left`, the
  /// rows of their second places to `right`.
  template <class Pairs>
  void gather(const Axis& axis, const Pairs& pairs) {
    const std::int64_t row = axis.inner * size;
    std::byte *a = left.data(), *b = right.data();
    for (std::int64_t o = 0; o < axis.outer; ++o)
      for (const auto& [first, second] : pairs) {
        std::memcpy(a, data.data() + (o * axis.length + first) * row, as_size(row));
        std::memcpy(b, data.data() + (o * axis.length + second) * row, as_size(row));
        a += row;
        b += row;
      }
  }
  /// Copies the results of a step from `left` to the places `to` of the pairs.
  template <class Pairs, class To>
  void scatter(const Axis& axis, const Pairs& pairs, const To& to) {
    const std::int64_t row = axis.inner * size;
    const std::byte* a = left.data();
    for (std::int64_t o = 0; o < axis.outer; ++o)
      for (const auto& pair : pairs) {
        std::memcpy(data.data() + (o * axis.length + to(pair)) * row, a, as_size(row));
        a += row;
      }
  }
};

/// Joins the first `lanes` elements of `left` and `right` in pairs.
Machine::Flow Machine::join(Frame& frame, const ir::Operation& op, std::vector<Running>& blocks,
                            std::int64_t lanes) {
  std::vector<std::byte*> left, right;
  for (Running& block : blocks) {
    left.push_back(block.left.data());
    right.push_back(block.right.data());
  }
  const std::int64_t at_once = op.regions[0].elementwise ? lanes : 1;
  for (std::int64_t lane = 0; lane < lanes; lane += at_once) {
    if (combine(frame, op, left, right, left, at_once) == Flow::stopped) return Flow::stopped;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      left[i] += at_once * blocks[i].size;
      right[i] += at_once * blocks[i].size;
    }
  }
  return Flow::next;
}

std::vector<Machine::Running> Machine::running(Frame& frame, const ir::Operation& op) {
  std::vector<Running> blocks(op.operands.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<std::byte> spread;
    const std::byte* const from = full(frame, op.operands[i], spread);
    blocks[i].size = slot(frame, op.operands[i]).size;
    blocks[i].data.assign(from, from + value(frame, op.operands[i]).count * blocks[i].size);
    blocks[i].left.resize(blocks[i].data.size());
    blocks[i].right.resize(blocks[i].data.size());
  }
  return blocks;
}

/// Joins elements in the order of reduction_steps. The first element along the axis is then the result.
Machine::Flow Machine::reduce_with_region(Frame& frame, const ir::Operation& op, const Axis& axis) {
  std::vector<Running> blocks = running(frame, op);
  Flow flow = Flow::next;
  reduction_steps(axis.length, chooses(op) ? lowering_ : Lowering{}, [&](const std::vector<Pair>& pairs) {
    if (flow == Flow::stopped) return;
    for (Running& block : blocks) block.gather(axis, pairs);
    flow = join(frame, op, blocks, axis.outer * static_cast<std::int64_t>(pairs.size()) * axis.inner);
    for (Running& block : blocks) block.scatter(axis, pairs, [](const Pair& pair) { return pair.first; });
  });
  if (flow == Flow::stopped) return flow;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::int64_t row = axis.inner * blocks[i].size;
    std::byte* to = prepare(frame, op.results[i], value(frame, op.results[i]).count);
    for (std::int64_t o = 0; o < axis.outer; ++o, to += row)
      std::memcpy(to, blocks[i].data.data() + o * axis.length * row, as_size(row));
  }
  return Flow::next;
}

/// Joins elements in the order of scan_rounds.
Machine::Flow Machine::scan_with_region(Frame& frame, const ir::Operation& op, const Axis& axis) {
  std::vector<Running> blocks = running(frame, op);
  Flow flow = Flow::next;
  std::vector<Pair> pairs;
  scan_rounds(axis.length, chooses(op) ? lowering_.run : Lowering{}.run, [&](const ScanRound& round) {
    if (flow == Flow::stopped) return;
    const auto place = [&](std::int64_t at) { return op.reverse ? axis.length - 1 - at : at; };
    pairs.clear();
    for (std::int64_t k = 0; k < round.count; ++k) {
      const std::int64_t at = round.first + k * round.stride;
      pairs.push_back({place(at - round.distance), place(at)});
    }
    for (Running& block : blocks) block.gather(axis, pairs);
    flow = join(frame, op, blocks, axis.outer * round.count * axis.inner);
    for (Running& block : blocks) block.scatter(axis, pairs, [](const Pair& pair) { return pair.second; });
  });
  if (flow == Flow::stopped) return flow;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::int64_t count = value(frame, op.results[i]).count;
    std::memcpy(prepare(frame, op.results[i], count), blocks[i].data.data(), as_size(count * blocks[i].size));
  }
  return Flow::next;
}

}  // namespace trl::executor
