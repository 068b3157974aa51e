// Executes a program's operations, one after another.
#include "verifier/executor/machine/machine.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "verifier/executor/machine/launch.hpp"
#include "verifier/executor/machine/tracer.hpp"
#include "verifier/executor/values/bytes.hpp"

namespace trl::executor {
namespace {

constexpr std::uint64_t overhead = 16;  // work of an operation in addition to its elements
// The steps of a reduction or scan in Counters::steps: each thread joins its own elements, then threads
// exchange values five times within a warp and once through shared memory.
constexpr std::uint64_t steps_of_exchange = 32;
constexpr std::uint64_t question_interval = 1 << 22;

/// Functions that take several times as long as an addition count more, so that a launch within its limit
/// ends in seconds.
std::uint64_t work_per_element(Code code) {
  switch (code) {
    case Code::remf:
    case Code::powf:
    case Code::atan2:
    case Code::hypot:
    case Code::rhypot:
    case Code::remainder:
    case Code::library:
      return 8;
    case Code::absf:
    case Code::floor:
    case Code::ceil:
    case Code::trunc:
    case Code::round:
    case Code::rint:
    case Code::reciprocal:
    case Code::logb:
    case Code::saturate:
      return 1;
    default:
      return code >= Code::exp && code <= Code::tgamma ? 8 : 1;
  }
}

bool has_zero(const void* data, std::int64_t size, std::int64_t n) {
  const auto any = [n](const auto* values) {
    return std::any_of(values, values + n, [](auto v) { return v == 0; });
  };
  switch (size) {
    case 1:
      return any(static_cast<const std::int8_t*>(data));
    case 2:
      return any(static_cast<const std::int16_t*>(data));
    case 4:
      return any(static_cast<const std::int32_t*>(data));
    default:
      return any(static_cast<const std::int64_t*>(data));
  }
}

std::uint64_t flops_per_element(const ir::Operation& op) {
  if (!is_float(op.scalar)) return 0;
  if (op.code == Code::fma || op.code == Code::clampf || op.code == Code::clampf_nan) return 2;
  return op.code == Code::library || (op.code >= Code::addf && op.code <= Code::hypot) ||
                 (op.code >= Code::negf && op.code <= Code::tgamma)
             ? 1
             : 0;
}

}  // namespace

Machine::Machine(const ir::Program& program, const ir::Function& kernel, const Launch& launch,
                 MemoryView& places, const Options& options, Access::Tracking tracking, Report& report)
    : program_(program),
      kernel_(kernel),
      launch_(launch),
      places_(places),
      options_(options),
      lowering_(options.trace != nullptr ? Lowering{} : Lowering::of(options.lowering)),
      report_(report),
      findings_(program, options, report),
      access_(places, options, findings_, report.counters, tracking, synchronises(program)),
      frames_(program.functions.size()) {
  access_.set_grid(launch.grid);
  if (options.trace != nullptr) tracer_ = std::make_unique<Tracer>(*this, *options.trace);
  if (options.ways != nullptr && options.ways->size() >= static_cast<std::size_t>(program.decisions))
    ways_ = options.ways;
}

Machine::~Machine() = default;

void Machine::refuse(Kind kind, int location, std::string message) {
  findings_.add(kind, location, std::move(message));
}

bool Machine::charge(std::uint64_t work, int location) {
  std::uint64_t& used = report_.counters.operations;
  used += work + overhead;
  if (used > options_.limits.max_operations) {
    refuse(Kind::timeout, location,
           "the launch isn't done after " + std::to_string(options_.limits.max_operations) +
               " operations, the executor's limit for one launch");
    return false;
  }
  if (options_.limits.cancelled && used >= next_question_) {
    next_question_ = used + question_interval;
    if (options_.limits.cancelled()) {
      refuse(Kind::timeout, location, "the launch isn't done at its deadline");
      return false;
    }
  }
  return true;
}

Machine::Frame& Machine::frame_of(int function) {
  std::unique_ptr<Frame>& held = frames_[static_cast<std::size_t>(function)];
  if (held != nullptr) return *held;
  held = std::make_unique<Frame>();
  Frame& frame = *held;
  frame.function = &program_.functions[static_cast<std::size_t>(function)];
  constexpr std::size_t alignment = 64;
  frame.arena.resize(as_size(frame.function->arena_bytes) + alignment);
  std::byte* const base =
      frame.arena.data() +
      (alignment - reinterpret_cast<std::uintptr_t>(frame.arena.data()) % alignment) % alignment;
  frame.slots.resize(frame.function->values.size());
  for (std::size_t i = 0; i < frame.slots.size(); ++i) {
    int root = static_cast<int>(i);
    while (frame.function->values[static_cast<std::size_t>(root)].alias >= 0) {
      root = frame.function->values[static_cast<std::size_t>(root)].alias;
    }
    const ir::Value& value = frame.function->values[static_cast<std::size_t>(root)];
    Slot& slot = frame.slots[i];
    slot.capacity = value.external ? 0 : value.capacity;
    slot.size = storage_bytes(value.type.scalar);
    slot.own = value.external ? nullptr : base + value.offset;
    slot.data = slot.own;
  }
  // The elements of a constant stay in the program and aren't copied. Nothing writes to them, since the
  // value's capacity is 0.
  const auto place = [&frame](auto&& self, const ir::Region& region) -> void {
    for (const ir::Block& block : region.blocks) {
      for (const ir::Operation& op : block.operations) {
        if (op.code == Code::constant) {
          Slot& slot = frame.slots[static_cast<std::size_t>(op.results[0])];
          slot.data = const_cast<std::byte*>(op.payload.data());
          slot.n = op.number;
        }
        for (const ir::Region& nested : op.regions) self(self, nested);
      }
    }
  };
  place(place, frame.function->body);
  // Values that share a constant's storage are initialised, too, so that no slot is ever without elements.
  for (std::size_t i = 0; i < frame.slots.size(); ++i) {
    const int root = frame.function->values[i].alias;
    if (root < 0 || frame.slots[i].data != nullptr) continue;
    frame.slots[i].data = slot(frame, root).data;
    frame.slots[i].n = slot(frame, root).n;
  }
  return frame;
}

// ---- slots ----

/// Storage for n elements of a value. The capacities that the parser computed always suffice; if one didn't,
/// run() would turn the exception into a finding.
std::byte* Machine::prepare(Frame& frame, int index, std::int64_t n) {
  Slot& to = slot(frame, index);
  if (n > to.capacity) throw std::logic_error("a block is larger than its storage");
  to.data = to.own;
  to.n = n;
  return to.data;
}

void Machine::share(Frame& frame, int to, int from, std::int64_t n) {
  slot(frame, to).data = slot(frame, from).data;
  slot(frame, to).n = n;
}

/// Assigns all values as if the sources were read before the first target is written.
void Machine::assign(Frame& to_frame, const int* to, Frame& from_frame, const int* from, std::size_t count) {
  // The work is counted here; the next operation compares it with the limit.
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < count; ++i) elements += slot(from_frame, from[i]).n;
  report_.counters.operations += static_cast<std::uint64_t>(elements) + count * count / 8;
  if (tracer_ != nullptr) tracer_->assign(to_frame, to, from_frame, from, count);
  bool tangled = false;
  for (std::size_t i = 0; i < count && !tangled; ++i) {
    const std::byte* const source = slot(from_frame, from[i]).data;
    for (std::size_t j = 0; j < count; ++j)
      tangled = tangled || (i != j && slot(to_frame, to[j]).own == source);
  }
  std::vector<std::vector<std::byte>> staged;
  if (tangled) {
    staged.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Slot& source = slot(from_frame, from[i]);
      staged[i].assign(source.data, source.data + source.n * source.size);
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Slot source = slot(from_frame, from[i]);
    std::byte* const target = prepare(to_frame, to[i], source.n);
    const std::byte* const bytes = tangled ? staged[i].data() : source.data;
    if (bytes != target) std::memcpy(target, bytes, as_size(source.n * source.size));
  }
}

const std::byte* Machine::full(Frame& frame, int index, std::vector<std::byte>& spread) {
  const Slot& from = slot(frame, index);
  const std::int64_t count = value(frame, index).count;
  if (from.n == count) return from.data;
  spread.resize(as_size(count * from.size));
  spread_out(spread.data(), from.data, from.size, count);
  return spread.data();
}

std::int64_t Machine::integer_at(const Slot& from, std::int64_t i) {
  const std::byte* const at = from.data + i * from.size;
  switch (from.size) {
    case 1:
      return static_cast<std::int8_t>(*at);
    case 2: {
      std::int16_t number;
      std::memcpy(&number, at, 2);
      return number;
    }
    case 4: {
      std::int32_t number;
      std::memcpy(&number, at, 4);
      return number;
    }
    default: {
      std::int64_t number;
      std::memcpy(&number, at, 8);
      return number;
    }
  }
}

// ---- operations ----

Machine::Flow Machine::execute(Frame& frame, const ir::Operation& op) {
  const Flow flow = carry_out(frame, op);
  if (op.hints.any() && flow == Flow::next) check_hints(frame, op);
  if (op.decision >= 0 && ways_ != nullptr && flow == Flow::next) note_decision(frame, op);
  if (tracer_ != nullptr && flow == Flow::next) tracer_->after(frame, op);
  return flow;
}

Machine::Flow Machine::carry_out(Frame& frame, const ir::Operation& op) {
  if (is_elementwise(op.code)) return elementwise(frame, op);
  std::uint64_t work = 0;
  for (const int result : op.results) work += static_cast<std::uint64_t>(value(frame, result).count);
  switch (op.code) {
    case Code::reduce:
    case Code::scan:
    case Code::store:
      work = static_cast<std::uint64_t>(value(frame, op.operands[0]).count);
      break;
    case Code::histogram:
      work += static_cast<std::uint64_t>(value(frame, op.operands[0]).count);
      break;
    case Code::gather:
      work *= 4;
      break;
    default:
      break;
  }
  if (!charge(work, op.location)) return Flow::stopped;
  if (shares(frame, op)) access_.shares();
  switch (op.code) {
    case Code::barrier:
      access_.barrier();
      return Flow::next;
    case Code::constant:
    case Code::nothing:
    case Code::ret:
    case Code::yield:
    case Code::condition:
    case Code::branch:
    case Code::branch_if:
      return Flow::next;
    case Code::program_id:
    case Code::num_programs: {
      const auto axis = static_cast<std::size_t>(op.number);
      const std::uint32_t number = op.code == Code::program_id ? at_[axis] : launch_.grid[axis];
      std::memcpy(prepare(frame, op.results[0], 1), &number, sizeof number);
      return Flow::next;
    }
    case Code::make_range: {
      const std::int64_t count = value(frame, op.results[0]).count;
      auto* to = reinterpret_cast<std::int32_t*>(prepare(frame, op.results[0], count));
      for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<std::int32_t>(op.number + i);
      return Flow::next;
    }
    case Code::splat:
      share(frame, op.results[0], op.operands[0], 1);
      return Flow::next;
    case Code::reshape:
      if (op.reorders) {
        const Slot from = slot(frame, op.operands[0]);
        std::byte* const to = prepare(frame, op.results[0], from.n);
        std::memcpy(to, from.data, as_size(from.n * from.size));
        reorder(op, to, from.n, from.size);
        return Flow::next;
      }
      share(frame, op.results[0], op.operands[0], slot(frame, op.operands[0]).n);
      return Flow::next;
    case Code::broadcast:
      broadcast(frame, op);
      return Flow::next;
    case Code::trans:
      trans(frame, op);
      return Flow::next;
    case Code::join:
    case Code::cat:
      join(frame, op);
      return Flow::next;
    case Code::split:
      split(frame, op);
      return Flow::next;
    case Code::gather:
    case Code::histogram:
      if (op.code == Code::gather)
        gather(frame, op);
      else
        histogram(frame, op);
      report_.counters.steps += steps_of_exchange;
      report_.counters.lanes += work;
      return Flow::next;
    case Code::int_to_ptr:
    case Code::ptr_to_int: {
      const Slot& from = slot(frame, op.operands[0]);
      const auto* words = reinterpret_cast<const std::uint64_t*>(from.data);
      const std::int64_t n = from.n;
      auto* to = reinterpret_cast<std::uint64_t*>(prepare(frame, op.results[0], n));
      for (std::int64_t i = 0; i < n; ++i)
        to[i] = op.code == Code::int_to_ptr ? places_.pointer_from(words[i]) : places_.number_from(words[i]);
      return Flow::next;
    }
    case Code::load:
    case Code::store:
    case Code::atomic_rmw:
    case Code::atomic_cas:
      return memory_access(frame, op);
    case Code::dot:
      return dot(frame, op);
    case Code::dot_scaled:
      return dot_scaled(frame, op);
    case Code::map:
    case Code::reduce:
    case Code::scan: {
      // A region that runs once for each lane here runs for all lanes at once on a GPU.
      const std::uint64_t steps = report_.counters.steps;
      const bool maps = op.code == Code::map;
      const Flow flow = maps ? map(frame, op) : along_axis(frame, op);
      report_.counters.steps =
          steps +
          (maps ? (report_.counters.steps - steps) / std::max<std::uint64_t>(work, 1) : steps_of_exchange);
      report_.counters.lanes += work;
      return flow;
    }
    case Code::assertion: {
      const Slot& condition = slot(frame, op.operands[0]);
      if (std::memchr(condition.data, 0, as_size(condition.n)) != nullptr) {
        refuse(Kind::assertion, op.location, op.text);
      }
      return Flow::next;
    }
    case Code::call:
      return call(frame, op);
    case Code::if_:
      return if_(frame, op);
    case Code::for_:
      return for_(frame, op);
    case Code::while_:
      return while_(frame, op);
    default:
      refuse(Kind::unsupported, op.location, "an operation isn't supported by the executor");
      return Flow::stopped;
  }
}

Machine::Flow Machine::elementwise(Frame& frame, const ir::Operation& op) {
  Operands in;
  std::int64_t n = 1;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Slot& from = slot(frame, op.operands[i]);
    in.data[i] = from.data;
    in.stride[i] = from.n == 1 ? 0 : 1;
    if (from.n != 1) n = from.n;
  }
  if (!charge(static_cast<std::uint64_t>(n) * work_per_element(op.code), op.location)) return Flow::stopped;
  report_.counters.flops += flops_per_element(op) * static_cast<std::uint64_t>(n);
  if (op.code != Code::addptr) {
    ++report_.counters.steps;
    report_.counters.lanes += work_per_element(op.code) * static_cast<std::uint64_t>(n);
  }
  std::byte* const out = prepare(frame, op.results[0], n);
  // Each sum computes such a product itself.
  if (op.only_contracted && lowering_.contracts && options_.lowered_to_line == anywhere) return Flow::next;
  if (op.code == Code::addptr) in.data[2] = &op.number;
  if (is_division(op.code)) {
    const Slot& divisor = slot(frame, op.operands[1]);
    // For a block, a GPU continues with all bits set, and the executor does the same, since it may be a
    // disabled lane that divides by zero.
    if (divisor.n == 1 && has_zero(divisor.data, divisor.size, divisor.n)) {
      refuse(Kind::division_by_zero, op.location, "integer division by zero");
    }
  }
  Kernel kernel = op.kernel;
  if (op.contracted != nullptr) {
    ++report_.counters.contractions;
    if (lowering_.contracts && chooses(op)) {
      kernel = op.contracted;
      in = factors(frame, op);
    }
  }
  kernel(in, out, n);
  if (op.undefined != nullptr) look_for_undefined(op, in, out, n);
  return Flow::next;
}

Machine::Flow Machine::memory_access(Frame& frame, const ir::Operation& op) {
  Operands in;
  std::int64_t n = 1;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    const Slot& from = slot(frame, op.operands[i]);
    in.data[i] = from.data;
    in.stride[i] = from.n == 1 ? 0 : 1;
    n = std::max(n, from.n);
  }
  switch (op.code) {
    case Code::load:
      access_.load(op, in, prepare(frame, op.results[0], n), n);
      break;
    case Code::store:
      access_.store(op, in, n);
      break;
    case Code::atomic_rmw:
      n = value(frame, op.results[0]).count;  // each lane counts, even when all have one address
      access_.atomic(op, in, prepare(frame, op.results[0], n), n);
      break;
    default:
      n = value(frame, op.results[0]).count;
      access_.compare_and_swap(op, in, prepare(frame, op.results[0], n), n);
  }
  const bool atomic = op.code == Code::atomic_rmw || op.code == Code::atomic_cas;
  const bool asks = op.is_volatile || (atomic && op.used);
  if (asks) ++report_.counters.asks;
  if (others_ == nullptr || op.code == Code::store) return Flow::next;
  const bool going = atomic ? others_->after_atomic(asks) : !access_.read_shared() || others_->after_load();
  return going ? Flow::next : Flow::stopped;
}

/// Whether threads exchange data through shared memory, as far as that can be known. They do along an axis,
/// in products, and where a block's elements change their positions. Integers are taken for indices, which
/// each thread computes for itself; and data that one warp holds completely stays in the warp's registers.
bool Machine::shares(const Frame& frame, const ir::Operation& op) const {
  constexpr std::int64_t warp = 32;
  switch (op.code) {
    case Code::reduce:
    case Code::scan:
    case Code::gather:
      return value(frame, op.operands[0]).count > warp;
    case Code::dot:
    case Code::dot_scaled:
    case Code::histogram:
    case Code::trans:
    case Code::join:
    case Code::split:
    case Code::cat:
      return true;
    case Code::reshape:
      return !op.keeps_layout && is_float(value(frame, op.results[0]).type.scalar);
    default:
      return false;
  }
}

}  // namespace trl::executor
