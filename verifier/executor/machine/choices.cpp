// Computes results that TTIR leaves to a compiler's choice, and results that TTIR leaves undefined.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "verifier/executor/machine/machine.hpp"
#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {

/// Whether an operation is computed with the choices in `lowering_`.
bool Machine::chooses(const ir::Operation& op) const {
  return options_.lowered_to_line == anywhere ||
         findings_.source(op.location).line <= options_.lowered_to_line;
}

Operands Machine::factors(Frame& frame, const ir::Operation& op) {
  Operands in;
  for (std::size_t i = 0; i < op.factors.size(); ++i) {
    const Slot& from = slot(frame, op.factors[i]);
    in.data[i] = from.data;
    in.stride[i] = from.n == 1 ? 0 : 1;
  }
  return in;
}

/// Rotates the bits of the elements' indices. This imitates a compiler that leaves the elements with their
/// threads and changes their numbering.
void Machine::reorder(const ir::Operation& op, std::byte* data, std::int64_t count, std::int64_t size) {
  ++report_.counters.orders;
  const int bits = std::countr_zero(static_cast<std::uint64_t>(count));
  if (!lowering_.as_threads || count < 4 || count != std::int64_t{1} << bits || !chooses(op)) return;
  const int by = 1 + (lowering_.rotation - 1) % (bits - 1);
  const std::vector<std::byte> before(data, data + count * size);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t from = (i >> by) | (i << (bits - by) & (count - 1));
    std::memcpy(data + i * size, before.data() + from * size, as_size(size));
  }
}

void Machine::look_for_undefined(const ir::Operation& op, const Operands& in, std::byte* out,
                                 std::int64_t n) {
  if (const std::int64_t count = op.undefined(in, out, n, nullptr); count > 0 && note_undefined(op, count))
    op.undefined(in, out, n, &*options_.undefined);
}

/// Counts undefined results of an operation. Returns whether they take the bytes `options_.undefined`.
bool Machine::note_undefined(const ir::Operation& op, std::int64_t count) {
  report_.counters.undefined += static_cast<std::uint64_t>(count);
  undefined_.insert(&op);
  return options_.undefined && (options_.undefined_line == anywhere ||
                                findings_.source(op.location).line == options_.undefined_line);
}

namespace {

std::string what_is_undefined(const ir::Operation& op) {
  switch (op.code) {
    case Code::shli:
    case Code::shrsi:
    case Code::shrui:
      return "a shift by " + std::to_string(bits(op.scalar)) + " bits or more";
    case Code::fptosi:
    case Code::fptoui:
      return std::string("a conversion to ") + name(op.to) + " of NaN or of a number that doesn't fit";
    case Code::divui:
    case Code::remui:
    case Code::ceildivui:
      return "a division by zero";
    case Code::histogram:
      return "a histogram of values outside of its bins";
    default:
      return "a division by zero, or of the least integer by -1";
  }
}

}  // namespace

std::vector<UndefinedResult> Machine::undefined_results() const {
  constexpr std::size_t most = 16;
  std::vector<const ir::Operation*> list(undefined_.begin(), undefined_.end());
  std::sort(list.begin(), list.end(),
            [](const ir::Operation* a, const ir::Operation* b) { return a->at < b->at; });
  std::vector<UndefinedResult> described;
  for (const ir::Operation* op : list) {
    if (described.size() == most) break;
    described.push_back({what_is_undefined(*op), findings_.source(op->location)});
  }
  return described;
}

}  // namespace trl::executor
