// Maps a function over blocks.
#include "verifier/executor/machine/machine.hpp"

#include <cstring>

#include "verifier/executor/machine/tracer.hpp"
#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {

/// Passes `pack` elements at once to the region. These are consecutive elements or, as if each thread held
/// fewer consecutive elements than that, elements as far apart as possible. A region of elementwise
/// operations with a pack of one runs on whole blocks instead.
Machine::Flow Machine::map(Frame& frame, const ir::Operation& op) {
  const ir::Region& region = op.regions[0];
  const std::vector<int>& arguments = region.blocks[0].arguments;
  const auto pack = as_size(op.number);
  const std::int64_t count = value(frame, op.operands[0]).count;
  const std::int64_t at_once = region.elementwise && pack == 1 ? count : 1;
  const bool apart = lowering_.as_threads && lowering_.registers < op.number && chooses(op);
  if (pack > 1) ++report_.counters.orders;
  // Returns the index of element k of the pack.
  const auto place = [&](std::int64_t lane, std::size_t k) {
    const auto at = static_cast<std::int64_t>(k);
    return apart ? lane / op.number + at * (count / op.number) : lane + at;
  };
  std::vector<std::vector<std::byte>> spread(op.operands.size());
  std::vector<const std::byte*> from;
  for (std::size_t i = 0; i < op.operands.size(); ++i) from.push_back(full(frame, op.operands[i], spread[i]));
  std::vector<std::byte*> to;
  for (const int result : op.results) to.push_back(prepare(frame, result, count));
  if (tracer_ != nullptr) tracer_->pause(true);
  Flow flow = Flow::next;
  for (std::int64_t lane = 0; lane < count && flow != Flow::stopped; lane += at_once * op.number) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::int64_t size = slot(frame, arguments[i]).size;
      const std::byte* const element = from[i / pack] + place(lane, i % pack) * size;
      std::memcpy(prepare(frame, arguments[i], at_once), element, as_size(at_once * size));
    }
    flow = run_graph(frame, region.blocks);
    if (flow == Flow::stopped) break;
    const std::vector<int>& yields = frame.last->operands;
    for (std::size_t i = 0; i < yields.size(); ++i) {
      const Slot& result = slot(frame, yields[i]);
      std::byte* const target = to[i / pack] + place(lane, i % pack) * result.size;
      if (result.n == at_once) {
        std::memcpy(target, result.data, as_size(at_once * result.size));
      } else {
        spread_out(target, result.data, result.size, at_once);
      }
    }
  }
  if (tracer_ != nullptr) tracer_->pause(false);
  return flow == Flow::stopped ? flow : Flow::next;
}

}  // namespace trl::executor
