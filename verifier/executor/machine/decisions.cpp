// Records which ways a program's decisions go.
#include <algorithm>
#include <cstring>

#include "verifier/executor/machine/machine.hpp"
#include "verifier/executor/paths/ways.hpp"
#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {

/// Only looks for ways that have not been seen, so a decision that went both ways costs nothing more.
void Machine::note_decision(Frame& frame, const ir::Operation& op) {
  const std::size_t count = op.code == Code::clampf || op.code == Code::clampf_nan ? 2 : 1;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t& seen = (*ways_)[static_cast<std::size_t>(op.decision) + i];
    for (const std::uint8_t way : {ways::yes, ways::no}) {
      if ((seen & way) != 0) continue;
      Operands in;
      for (std::size_t k = 0; k < std::min<std::size_t>(op.operands.size(), 3); ++k) {
        const Slot& from = slot(frame, op.operands[k]);
        in.data[k] = from.data;
        in.stride[k] = from.n == 1 ? 0 : 1;
      }
      const Slot& out = slot(frame, op.results[0]);
      if (!ways::find(op, i, in, out.data, out.n, way, nullptr)) continue;
      if (op.lanes.empty()) {
        seen |= way;
        continue;
      }
      std::vector<std::uint8_t> lanes(as_size(value(frame, op.results[0]).count), 1);
      if (out.n != 1) ways::find(op, i, in, out.data, out.n, way, lanes.data());
      if (any_real(frame, op, std::move(lanes))) seen |= way;
    }
  }
}

namespace {

/// The bytes of a mask after a relayout.
std::vector<std::byte> moved(const std::vector<std::byte>& mask, const ir::Relayout& way) {
  const std::size_t rank = way.to.size();
  std::vector<std::int64_t> natural(rank), stride(rank);
  std::int64_t count = 1;
  for (std::size_t d = rank; d-- > 0;) {
    natural[d] = count;
    count *= way.from[d];
  }
  std::int64_t elements = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    elements *= way.to[d];
    stride[d] = way.kind == ir::Relayout::Kind::trans ? natural[as_size(way.order[d])]
                : way.from[d] == way.to[d]            ? natural[d]
                                                      : 0;
  }
  std::vector<std::byte> to(as_size(elements));
  std::vector<std::int32_t> at(rank, 0);
  std::int64_t from = 0;
  for (std::byte& byte : to) {
    byte = mask[as_size(from)];
    for (std::size_t d = rank; d-- > 0;) {
      from += stride[d];
      if (++at[d] < way.to[d]) break;
      from -= stride[d] * way.to[d];
      at[d] = 0;
    }
  }
  return to;
}

}  // namespace

/// Whether one of the lanes that are set in `real` holds a loaded value. (The value that a masked load
/// returns for a disabled lane decides nothing.) If it isn't known which lanes are disabled, no lane counts
/// while any part of the mask is off.
bool Machine::any_real(Frame& frame, const ir::Operation& op, std::vector<std::uint8_t> real) {
  for (const ir::Lanes& behind : op.lanes) {
    const Slot& slot_of_mask = slot(frame, behind.mask);
    if (std::memchr(slot_of_mask.data, 0, as_size(slot_of_mask.n)) == nullptr) continue;
    if (slot_of_mask.n == 1) return false;
    std::vector<std::byte> mask(slot_of_mask.data, slot_of_mask.data + slot_of_mask.n);
    for (const ir::Relayout& way : behind.ways) {
      if (way.kind == ir::Relayout::Kind::unknown) return false;
      mask = moved(mask, way);
    }
    if (mask.size() != real.size()) return false;
    for (std::size_t i = 0; i < real.size(); ++i) real[i] &= static_cast<std::uint8_t>(mask[i]);
  }
  return std::memchr(real.data(), 1, real.size()) != nullptr;
}

}  // namespace trl::executor
