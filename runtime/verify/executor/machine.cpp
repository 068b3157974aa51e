#include "runtime/verify/executor/machine.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "runtime/verify/executor/half.hpp"
#include "runtime/verify/executor/program_order.hpp"

namespace trl::executor {
namespace {

constexpr std::uint64_t overhead = 16;  // work of an operation besides its elements
constexpr std::uint64_t question_interval = 1 << 22;

std::size_t as_size(std::int64_t value) { return static_cast<std::size_t>(value); }

/// n copies of the element at `from`.
void spread_out(std::byte* to, const std::byte* from, std::int64_t size, std::int64_t n) {
  if (n == 0) return;
  std::memmove(to, from, as_size(size));
  std::int64_t done = size;
  const std::int64_t bytes = n * size;
  while (done < bytes) {
    const std::int64_t more = std::min(done, bytes - done);
    std::memcpy(to + done, to, as_size(more));
    done += more;
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
  return (op.code >= Code::addf && op.code <= Code::hypot) ||
                 (op.code >= Code::negf && op.code <= Code::tgamma)
             ? 1
             : 0;
}

bool has_atomic(const ir::Region& region) {
  for (const ir::Block& block : region.blocks)
    for (const ir::Operation& op : block.operations) {
      if (op.code == Code::atomic_rmw || op.code == Code::atomic_cas) return true;
      if (std::any_of(op.regions.begin(), op.regions.end(), has_atomic)) return true;
    }
  return false;
}

bool calls(const ir::Region& region) {
  for (const ir::Block& block : region.blocks)
    for (const ir::Operation& op : block.operations)
      if (op.code == Code::call || std::any_of(op.regions.begin(), op.regions.end(), calls)) return true;
  return false;
}

// Whether a region has a `while` that may wait for another program of a program with atomics.
bool waits_within(const ir::Region& region) {
  for (const ir::Block& block : region.blocks)
    for (const ir::Operation& op : block.operations)
      for (const ir::Region& inner : op.regions) {
        if (op.code == Code::while_ && (has_atomic(inner) || calls(inner))) return true;
        if (waits_within(inner)) return true;
      }
  return false;
}

bool waits(const ir::Program& program) {
  const auto body_has_atomic = [](const ir::Function& function) { return has_atomic(function.body); };
  const bool atomics = std::any_of(program.functions.begin(), program.functions.end(), body_has_atomic);
  return atomics && std::any_of(program.functions.begin(), program.functions.end(),
                                [](const ir::Function& function) { return waits_within(function.body); });
}

}  // namespace

Machine::Machine(const ir::Program& program, const ir::Function& kernel, const Launch& launch, Memory& memory,
                 const Options& options, Report& report)
    : program_(program),
      kernel_(kernel),
      launch_(launch),
      memory_(memory),
      options_(options),
      report_(report),
      findings_(program, options, report),
      access_(memory, options, findings_, report.counters,
              std::min<std::uint64_t>(std::uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2],
                                      options.limits.max_programs)),
      frames_(program.functions.size()) {
  access_.set_grid(launch.grid);
}

void Machine::refuse(Kind kind, int location, std::string message) {
  findings_.add(kind, location, std::move(message));
}

bool Machine::charge(std::uint64_t work, int location) {
  std::uint64_t& used = report_.counters.operations;
  used += work + overhead;
  if (used > options_.limits.max_operations) {
    refuse(Kind::timeout, location,
           "the launch needs more than " + std::to_string(options_.limits.max_operations) +
               " operations: an endless loop, or too much work for the executor");
    return false;
  }
  if (options_.limits.cancelled && used >= next_question_) {
    next_question_ = used + question_interval;
    if (options_.limits.cancelled()) {
      refuse(Kind::timeout, location, "the launch was cancelled at its deadline");
      return false;
    }
  }
  return true;
}

// ---- a launch ----

void Machine::run() {
  report_.counters.launches = 1;
  const std::uint64_t x = launch_.grid[0], y = launch_.grid[1], z = launch_.grid[2];
  if (y > 65535 || z > 65535 || x > 0x7FFFFFFF) {
    refuse(Kind::launch, kernel_.location,
           "the grid is larger than a GPU allows (2147483647 × 65535 × 65535)");
    return;
  }
  if (x * y > options_.limits.max_programs || x * y * z > options_.limits.max_programs) {
    refuse(Kind::timeout, kernel_.location,
           "the grid has more than " + std::to_string(options_.limits.max_programs) + " programs");
    return;
  }
  std::uint64_t bytes = 0;
  for (const ir::Function& function : program_.functions)
    bytes += static_cast<std::uint64_t>(function.arena_bytes);
  if (bytes > options_.limits.max_block_bytes) {
    refuse(Kind::unsupported, kernel_.location,
           "the kernel's blocks need " + std::to_string(bytes) + " bytes, more than the " +
               std::to_string(options_.limits.max_block_bytes) + " allowed");
    return;
  }
  Frame& frame = frame_of(static_cast<int>(&kernel_ - program_.functions.data()));
  if (!bind_arguments()) return;
  const std::uint64_t programs = x * y * z;
  const ProgramOrder order(programs, options_.order != 0 && waits(program_) ? 0 : options_.order);
  for (std::uint64_t i = 0; i < programs; ++i) {
    const auto number = static_cast<std::uint32_t>(order(i));
    at_[0] = number % launch_.grid[0];
    at_[1] = number / launch_.grid[0] % launch_.grid[1];
    at_[2] = number / launch_.grid[0] / launch_.grid[1];
    findings_.begin_program(at_[0], at_[1], at_[2]);
    access_.begin_program(number);
    ++report_.counters.programs;
    if (run_function(frame) == Flow::stopped || findings_.full()) return;
    first_program_ = false;
  }
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
  // A constant is where it stands in the program; nothing writes to it, its capacity being 0.
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
  return frame;
}

bool Machine::bind_arguments() {
  Frame& frame = *frames_[static_cast<std::size_t>(&kernel_ - program_.functions.data())];
  const auto reject = [this](std::size_t i, const std::string& why) {
    refuse(Kind::launch, kernel_.location,
           "argument " + std::to_string(i + 1) + " (" + kernel_.parameter_names[i] + ") " + why);
    return false;
  };
  if (launch_.args.size() != kernel_.parameters.size()) {
    refuse(Kind::launch, kernel_.location,
           "the kernel takes " + std::to_string(kernel_.parameters.size()) + " arguments, the launch gives " +
               std::to_string(launch_.args.size()));
    return false;
  }
  for (std::size_t i = 0; i < launch_.args.size(); ++i) {
    const Argument& argument = launch_.args[i];
    const Type& type = value(frame, kernel_.parameters[i]).type;
    const std::string wanted = to_string(type);
    if (type.tensor) return reject(i, "is a block, which a launch can't give");
    std::byte* const to = prepare(frame, kernel_.parameters[i], 1);
    if (type.scalar == Scalar::ptr) {
      const PointerArg* const pointer = std::get_if<PointerArg>(&argument);
      if (pointer == nullptr) return reject(i, "must be a pointer");
      if (pointer->buffer < 0 || pointer->buffer >= memory_.size()) return reject(i, "points to no buffer");
      const std::uint64_t packed = address::pack(pointer->buffer, pointer->offset);
      std::memcpy(to, &packed, sizeof packed);
    } else if (is_integer(type.scalar)) {
      std::int64_t number = 0;
      if (const auto* flag = std::get_if<bool>(&argument)) {
        number = *flag ? 1 : 0;
      } else if (const auto* narrow = std::get_if<std::int32_t>(&argument)) {
        number = *narrow;
      } else if (const auto* wide = std::get_if<std::int64_t>(&argument)) {
        number = *wide;
      } else {
        return reject(i, "must be a whole number (" + wanted + ")");
      }
      const int width = bits(type.scalar);
      if (width < 64 &&
          (number < -(std::int64_t{1} << (width - 1)) || number >= (std::int64_t{1} << width))) {
        return reject(i, "is " + std::to_string(number) + ", which doesn't fit " + wanted);
      }
      if (type.scalar == Scalar::i1) number &= 1;
      std::memcpy(to, &number, as_size(storage_bytes(type.scalar)));  // little endian
    } else {
      double number = 0;
      if (const auto* narrow = std::get_if<float>(&argument)) {
        number = *narrow;
      } else if (const auto* wide = std::get_if<double>(&argument)) {
        number = *wide;
      } else {
        return reject(i, "must be a real number (" + wanted + ")");
      }
      float single = static_cast<float>(number);
      if (type.scalar == Scalar::f16) single = half::round_f16(single);
      if (type.scalar == Scalar::bf16) single = half::round_bf16(single);
      if (type.scalar == Scalar::f64) {
        std::memcpy(to, &number, sizeof number);
      } else {
        std::memcpy(to, &single, sizeof single);
      }
    }
  }
  return true;
}

// ---- slots ----

/// Room for n elements of a value. The parser's capacities always suffice; should they ever not, run() turns
/// the exception into a finding.
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

/// All at once, as if the sources were read before the first target is written.
void Machine::assign(Frame& to_frame, const int* to, Frame& from_frame, const int* from, std::size_t count) {
  // Counted here, compared with the limit by the next operation.
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < count; ++i) elements += slot(from_frame, from[i]).n;
  report_.counters.operations += static_cast<std::uint64_t>(elements) + count * count / 8;
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

std::int64_t Machine::integer(Frame& frame, int index) {
  const Slot& from = slot(frame, index);
  switch (from.size) {
    case 1:
      return static_cast<std::int8_t>(*from.data);
    case 2: {
      std::int16_t number;
      std::memcpy(&number, from.data, 2);
      return number;
    }
    case 4: {
      std::int32_t number;
      std::memcpy(&number, from.data, 4);
      return number;
    }
    default: {
      std::int64_t number;
      std::memcpy(&number, from.data, 8);
      return number;
    }
  }
}

// ---- control flow ----

Machine::Flow Machine::run_function(Frame& frame) {
  const std::vector<ir::Block>& blocks = frame.function->body.blocks;
  std::size_t at = 0;
  while (true) {
    if (run_block(frame, blocks[at]) == Flow::stopped) return Flow::stopped;
    const ir::Operation& last = *frame.last;
    if (last.code == Code::ret) return Flow::ended;
    std::size_t choice = 0;
    if (last.code == Code::branch_if) choice = *slot(frame, last.operands[0]).data != std::byte{0} ? 0 : 1;
    const ir::Successor& next = last.successors[choice];
    at = static_cast<std::size_t>(next.block);
    assign(frame, blocks[at].arguments.data(), frame, next.operands.data(), next.operands.size());
  }
}

Machine::Flow Machine::run_block(Frame& frame, const ir::Block& block) {
  for (const ir::Operation& op : block.operations) {
    if (op.once && !first_program_) {
      ++report_.counters.operations;  // thousands of these in millions of programs are work too
      continue;
    }
    if (execute(frame, op) == Flow::stopped || findings_.full()) return Flow::stopped;
  }
  frame.last = &block.operations.back();
  return Flow::ended;
}

Machine::Flow Machine::if_(Frame& frame, const ir::Operation& op) {
  const bool holds = *slot(frame, op.operands[0]).data != std::byte{0};
  const ir::Region& region = op.regions[holds ? 0 : 1];
  if (region.blocks.empty()) return Flow::next;
  if (run_block(frame, region.blocks[0]) == Flow::stopped) return Flow::stopped;
  assign(frame, op.results.data(), frame, frame.last->operands.data(), op.results.size());
  return Flow::next;
}

Machine::Flow Machine::for_(Frame& frame, const ir::Operation& op) {
  const std::int64_t low = integer(frame, op.operands[0]);
  const std::int64_t high = integer(frame, op.operands[1]);
  const std::int64_t step = integer(frame, op.operands[2]);
  const ir::Block& body = op.regions[0].blocks[0];
  const std::size_t carried = op.results.size();
  const int* const arguments = body.arguments.data() + 1;
  if (step <= 0) {
    refuse(Kind::unsupported, op.location, "a loop's step must be positive, but is " + std::to_string(step));
    return Flow::stopped;
  }
  const int shift = 64 - bits(op.scalar);
  std::uint64_t rounds = 0;
  const auto unsigned_low = static_cast<std::uint64_t>(low) << shift >> shift;
  const auto unsigned_high = static_cast<std::uint64_t>(high) << shift >> shift;
  if (op.is_unsigned ? unsigned_low < unsigned_high : low < high) {
    const std::uint64_t distance = op.is_unsigned
                                       ? unsigned_high - unsigned_low
                                       : static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    rounds = (distance - 1) / static_cast<std::uint64_t>(step) + 1;
  }
  assign(frame, arguments, frame, op.operands.data() + 3, carried);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const auto counter = static_cast<std::uint64_t>(low) + round * static_cast<std::uint64_t>(step);
    std::memcpy(prepare(frame, body.arguments[0], 1), &counter, as_size(storage_bytes(op.scalar)));
    if (!charge(1, op.location) || run_block(frame, body) == Flow::stopped) return Flow::stopped;
    assign(frame, arguments, frame, frame.last->operands.data(), carried);
  }
  assign(frame, op.results.data(), frame, arguments, carried);
  return Flow::next;
}

Machine::Flow Machine::while_(Frame& frame, const ir::Operation& op) {
  const ir::Block& before = op.regions[0].blocks[0];
  const ir::Block& after = op.regions[1].blocks[0];
  assign(frame, before.arguments.data(), frame, op.operands.data(), op.operands.size());
  while (true) {
    if (!charge(1, op.location) || run_block(frame, before) == Flow::stopped) return Flow::stopped;
    const ir::Operation& condition = *frame.last;
    const int* const values = condition.operands.data() + 1;
    if (*slot(frame, condition.operands[0]).data == std::byte{0}) {
      assign(frame, op.results.data(), frame, values, op.results.size());
      return Flow::next;
    }
    assign(frame, after.arguments.data(), frame, values, after.arguments.size());
    if (run_block(frame, after) == Flow::stopped) return Flow::stopped;
    assign(frame, before.arguments.data(), frame, frame.last->operands.data(), before.arguments.size());
  }
}

Machine::Flow Machine::call(Frame& frame, const ir::Operation& op) {
  Frame& callee = frame_of(static_cast<int>(op.number));
  assign(callee, callee.function->parameters.data(), frame, op.operands.data(), op.operands.size());
  if (run_function(callee) == Flow::stopped) return Flow::stopped;
  assign(frame, op.results.data(), callee, callee.last->operands.data(), op.results.size());
  return Flow::next;
}

// ---- operations ----

Machine::Flow Machine::execute(Frame& frame, const ir::Operation& op) {
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
    default:
      break;
  }
  if (!charge(work, op.location)) return Flow::stopped;
  switch (op.code) {
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
      gather(frame, op);
      return Flow::next;
    case Code::histogram:
      histogram(frame, op);
      return Flow::next;
    case Code::load:
    case Code::store:
    case Code::atomic_rmw:
    case Code::atomic_cas:
      return memory_access(frame, op);
    case Code::dot:
      return dot(frame, op);
    case Code::reduce:
    case Code::scan:
      return along_axis(frame, op);
    case Code::assertion: {
      const Slot& condition = slot(frame, op.operands[0]);
      if (std::memchr(condition.data, 0, as_size(condition.n)) != nullptr) {
        refuse(Kind::assertion, op.location, "device assertion failed: " + op.text);
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
  if (!charge(static_cast<std::uint64_t>(n), op.location)) return Flow::stopped;
  if (op.code == Code::addptr) in.data[2] = &op.number;
  if (is_division(op.code)) {
    const Slot& divisor = slot(frame, op.operands[1]);
    if (has_zero(divisor.data, divisor.size, divisor.n)) {
      refuse(Kind::division_by_zero, op.location, "division of a whole number by zero");
    }
  }
  op.kernel(in, prepare(frame, op.results[0], n), n);
  report_.counters.flops += flops_per_element(op) * static_cast<std::uint64_t>(n);
  return Flow::next;
}

void Machine::broadcast(Frame& frame, const ir::Operation& op) {
  const Slot from = slot(frame, op.operands[0]);
  const std::vector<std::int32_t>& small = value(frame, op.operands[0]).type.shape;
  const std::vector<std::int32_t>& large = value(frame, op.results[0]).type.shape;
  if (from.n == 1) {
    // Shared when the parser knew; otherwise a scalar's worth of copying.
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
  for (std::int64_t i = 0; i < value(frame, op.operands[0]).count; ++i) {
    std::int32_t bin;
    std::memcpy(&bin, values + i * 4, 4);
    if ((mask == nullptr || mask[i] != std::byte{0}) && bin >= 0 && bin < bins) ++to[bin];
  }
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
      n = value(frame, op.results[0]).count;  // each lane counts, even of one address
      access_.atomic(op, in, prepare(frame, op.results[0], n), n);
      break;
    default:
      n = value(frame, op.results[0]).count;
      access_.compare_and_swap(op, in, prepare(frame, op.results[0], n), n);
  }
  return Flow::next;
}

Machine::Flow Machine::dot(Frame& frame, const ir::Operation& op) {
  const std::vector<std::int32_t>& a_shape = value(frame, op.operands[0]).type.shape;
  const Type& c_type = value(frame, op.results[0]).type;
  const std::size_t rank = a_shape.size();
  const std::int64_t batch = rank == 3 ? a_shape[0] : 1;
  const std::int64_t m = a_shape[rank - 2], k = a_shape[rank - 1], n = c_type.shape[rank - 1];
  if (!charge(static_cast<std::uint64_t>(batch * m * n * k / 8), op.location)) return Flow::stopped;
  ++report_.counters.dots;
  report_.counters.dot_flops += static_cast<std::uint64_t>(2 * batch * m * n * k);
  std::vector<std::byte> spread_a, spread_b, spread_c;
  const std::byte* a = full(frame, op.operands[0], spread_a);
  const std::byte* b = full(frame, op.operands[1], spread_b);
  const std::byte* const c = full(frame, op.operands[2], spread_c);
  const std::int64_t count = batch * m * n;
  const std::int64_t size = slot(frame, op.results[0]).size;
  std::byte* const to = prepare(frame, op.results[0], count);
  std::memcpy(to, c, as_size(count * size));

  const auto each = [&](DotKernel kernel, const void* left, const void* right, std::int64_t bytes) {
    for (std::int64_t i = 0; i < batch; ++i) {
      kernel(static_cast<const std::byte*>(left) + i * m * k * bytes,
             static_cast<const std::byte*>(right) + i * k * n * bytes, to + i * m * n * size, m, n, k);
    }
  };
  if (op.scalar == Scalar::f64) {
    each(kernels().dot_f64, a, b, 8);
  } else if (op.scalar == Scalar::i8) {
    const auto widen = [](const std::byte* from, std::int64_t elements) {
      std::vector<std::int32_t> wide(as_size(elements));
      for (std::int64_t i = 0; i < elements; ++i) wide[as_size(i)] = static_cast<std::int8_t>(from[i]);
      return wide;
    };
    const std::vector<std::int32_t> left = widen(a, batch * m * k), right = widen(b, batch * k * n);
    each(kernels().dot_i32, left.data(), right.data(), 4);
  } else if (op.precision == ir::Precision::ieee) {
    each(kernels().dot_f32, a, b, 4);
  } else {
    const auto cut = [](const std::byte* from, std::int64_t elements, bool rest) {
      std::vector<float> out(as_size(elements));
      const auto* values = reinterpret_cast<const float*>(from);
      for (std::int64_t i = 0; i < elements; ++i) {
        const float high = half::truncate_tf32(values[i]);
        out[as_size(i)] = rest ? half::truncate_tf32(values[i] - high) : high;
      }
      return out;
    };
    const std::vector<float> left = cut(a, batch * m * k, false), right = cut(b, batch * k * n, false);
    if (op.precision == ir::Precision::tf32x3) {
      const std::vector<float> left_rest = cut(a, batch * m * k, true),
                               right_rest = cut(b, batch * k * n, true);
      each(kernels().dot_f32, left_rest.data(), right.data(), 4);
      each(kernels().dot_f32, left.data(), right_rest.data(), 4);
    }
    each(kernels().dot_f32, left.data(), right.data(), 4);
  }
  if (c_type.scalar == Scalar::f16) {
    auto* values = reinterpret_cast<float*>(to);
    for (std::int64_t i = 0; i < count; ++i) values[i] = half::round_f16(values[i]);
  }
  return Flow::next;
}

// ---- along an axis ----

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
  return op.code == Code::reduce ? reduce_with_region(frame, op, axis) : scan_with_region(frame, op, axis);
}

/// Runs the region once on `lanes` pairs; out may be left.
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
  if (run_block(frame, block) == Flow::stopped) return Flow::stopped;
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

/// Combines neighbours, then neighbours of those, and so on: right for every associative region, in any order
/// of arguments that isn't commutative.
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
        // An odd one out goes on to the next round; it lies behind everything written so far.
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

Machine::Flow Machine::scan_with_region(Frame& frame, const ir::Operation& op, const Axis& axis) {
  const std::int64_t lanes = axis.outer * axis.inner;
  const std::int64_t at_once = op.regions[0].elementwise ? lanes : 1;
  std::vector<Running> blocks(op.operands.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<std::byte> spread;
    const std::byte* const from = full(frame, op.operands[i], spread);
    blocks[i].size = slot(frame, op.operands[i]).size;
    blocks[i].data.assign(from, from + value(frame, op.operands[i]).count * blocks[i].size);
    blocks[i].left.resize(as_size(lanes * blocks[i].size));
    blocks[i].right.resize(as_size(lanes * blocks[i].size));
  }
  for (std::int64_t step = 0; step < axis.length; ++step) {
    const std::int64_t k = op.reverse ? axis.length - 1 - step : step;
    for (Running& block : blocks) {
      const std::int64_t row = axis.inner * block.size;
      for (std::int64_t o = 0; o < axis.outer; ++o) {
        std::byte* const to = (step == 0 ? block.left : block.right).data() + o * row;
        std::memcpy(to, block.data.data() + (o * axis.length + k) * row, as_size(row));
      }
    }
    if (step == 0) continue;
    std::vector<std::byte*> left = pointers(blocks, &Running::left),
                            right = pointers(blocks, &Running::right);
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
        std::memcpy(block.data.data() + (o * axis.length + k) * row, block.left.data() + o * row,
                    as_size(row));
      }
    }
  }
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::int64_t count = value(frame, op.results[i]).count;
    std::memcpy(prepare(frame, op.results[i], count), blocks[i].data.data(), as_size(count * blocks[i].size));
  }
  return Flow::next;
}

}  // namespace trl::executor
