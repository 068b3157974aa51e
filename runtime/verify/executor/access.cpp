#include "runtime/verify/executor/access.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "runtime/verify/executor/half.hpp"

namespace trl::executor {
namespace {

constexpr std::int64_t sector = 32;
constexpr std::uint32_t by_atomic = 0x80000000u;  // in a granule's writer
constexpr std::uint32_t several = 0x7FFFFFFFu;    // in a granule's reader

std::string bytes_of(std::int64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

}  // namespace

// ---- findings ----

void Findings::add(Kind kind, int location, std::string message, int buffer, std::int64_t offset,
                   std::int64_t bytes) {
  const bool fatal = !is_memory_error(kind);
  if (options_.strict || fatal) report_.ok = false;
  if (!seen_.insert({kind, location}).second) return;
  const auto limit = static_cast<std::size_t>(std::max(options_.max_findings, 1));
  if (report_.findings.size() < limit || (fatal && report_.ok)) {
    Finding finding;
    finding.kind = kind;
    finding.message = std::move(message);
    if (location >= 0) {
      const ir::Location& place = program_.locations[static_cast<std::size_t>(location)];
      if (place.line > 0) {
        finding.file = program_.files[static_cast<std::size_t>(place.file)];
        finding.line = place.line;
        finding.column = place.column;
      }
    }
    std::copy(at_.begin(), at_.end(), finding.program);
    finding.buffer = buffer;
    finding.offset = offset;
    finding.bytes = bytes;
    report_.findings.push_back(std::move(finding));
  }
  if (options_.strict && report_.findings.size() >= limit) full_ = true;
}

// ---- set-up ----

Access::Access(Memory& memory, const Options& options, Findings& findings, Counters& counters,
               std::uint64_t programs)
    : memory_(memory), options_(options), findings_(findings), counters_(counters) {
  launch_ = ++memory_.launches_;
  races_ = options.races && programs > 1;
  if (races_) released_.assign(programs + 1, 0);
}

void Access::begin_program(std::uint32_t number) {
  program_ = number + 1;
  acquired_ = false;
}

void Access::shadow(Buffer& buffer) {
  detail::Shadow& shadow = buffer.shadow;
  if (shadow.launch == launch_) return;
  shadow.launch = launch_;
  const std::size_t sectors = buffer.bytes.size() / sector + 1;
  shadow.sector_read.assign(sectors, 0);
  shadow.sector_written.assign(sectors, 0);
  shadow.granule = 0;
  shadow.writer.clear();
  shadow.reader.clear();
}

// ---- bounds ----

/// The buffer when all bytes lie in it.
Buffer* Access::inside(std::uint64_t pointer, std::int64_t bytes, Target& target) {
  target.number = address::buffer(pointer);
  target.offset = address::offset(pointer);
  target.buffer = nullptr;
  if (target.number < 0 || target.number >= memory_.size()) return nullptr;
  Buffer& buffer = memory_.buffer(target.number);
  target.buffer = &buffer;
  const auto size = static_cast<std::int64_t>(buffer.bytes.size());
  if (target.offset < 0 || target.offset > size || bytes > size - target.offset) return nullptr;
  return &buffer;
}

/// One element of `size` bytes; false after reporting.
bool Access::check(const ir::Operation& op, std::uint64_t pointer, std::int64_t size, bool writes,
                   Target& target) {
  const char* const what = writes ? "store" : "load";
  const Kind out = writes ? Kind::out_of_bounds_store : Kind::out_of_bounds_load;
  if (inside(pointer, size, target) == nullptr) {
    if (findings_.known(out, op.location)) return false;
    std::string message = std::string(what) + " of " + bytes_of(size) + " ";
    if (target.buffer == nullptr) {
      findings_.add(out, op.location, message + "through a pointer that belongs to no buffer", -1, 0, size);
    } else {
      const bool far = std::abs(target.offset) >= address::bias - 1;
      message += (far ? "far outside" : "at offset " + std::to_string(target.offset) + " of") +
                 (" " + target.buffer->name) + " (" +
                 bytes_of(static_cast<std::int64_t>(target.buffer->bytes.size())) + ")";
      findings_.add(out, op.location, std::move(message), target.number, target.offset, size);
    }
    return false;
  }
  if ((target.offset & (size - 1)) != 0) {
    if (findings_.known(Kind::misaligned, op.location)) return false;
    findings_.add(Kind::misaligned, op.location,
                  std::string(what) + " of " + bytes_of(size) + " at offset " +
                      std::to_string(target.offset) + " of " + target.buffer->name +
                      ", which isn't a multiple of " + std::to_string(size),
                  target.number, target.offset, size);
    return false;
  }
  if (writes && !target.buffer->writable) {
    if (findings_.known(Kind::read_only_store, op.location)) return false;
    findings_.add(Kind::read_only_store, op.location,
                  "store of " + bytes_of(size) + " at offset " + std::to_string(target.offset) + " of " +
                      target.buffer->name + ", which is read-only",
                  target.number, target.offset, size);
    return false;
  }
  return true;
}

void Access::check_written(const ir::Operation& op, const Target& target, std::int64_t bytes,
                           std::int64_t size) {
  const std::vector<std::uint8_t>& written = target.buffer->written;
  if (written.empty()) return;
  const std::uint8_t* const begin = written.data() + target.offset;
  const void* const found = std::memchr(begin, 0, static_cast<std::size_t>(bytes));
  if (found == nullptr || findings_.known(Kind::unwritten_read, op.location)) return;
  const std::int64_t at = target.offset + (static_cast<const std::uint8_t*>(found) - begin) / size * size;
  findings_.add(Kind::unwritten_read, op.location,
                "load of " + bytes_of(size) + " at offset " + std::to_string(at) + " of " +
                    target.buffer->name + ", which nothing has written",
                target.number, at, size);
}

// ---- counting ----

void Access::count_read(Target& target, std::int64_t bytes) {
  shadow(*target.buffer);
  std::uint32_t* const last = target.buffer->shadow.sector_read.data();
  const std::int64_t end = (target.offset + bytes - 1) / sector;
  for (std::int64_t s = target.offset / sector; s <= end; ++s) {
    if (last[s] == access_) continue;
    ++counters_.sectors_read;
    if (last[s] == 0) ++counters_.sectors_read_first;
    last[s] = access_;
  }
  counters_.bytes_read += static_cast<std::uint64_t>(bytes);
}

void Access::count_written(Target& target, std::int64_t bytes) {
  shadow(*target.buffer);
  std::uint32_t* const last = target.buffer->shadow.sector_written.data();
  const std::int64_t end = (target.offset + bytes - 1) / sector;
  for (std::int64_t s = target.offset / sector; s <= end; ++s) {
    if (last[s] == access_) continue;
    ++counters_.sectors_written;
    if (last[s] == 0) ++counters_.sectors_written_first;
    last[s] = access_;
  }
  counters_.bytes_written += static_cast<std::uint64_t>(bytes);
}

// ---- races ----

// Per granule the last writer and the reader (or that there were several). A store that leaves the bytes as
// they are is no race with another program's store or load: the result doesn't depend on the order. Loads
// after an acquiring atomic don't race with programs that have done a releasing one (the pattern "the last
// program adds up"), whatever the addresses of the atomics: a lenient reading of the memory model, for no
// honest kernel to be accused.

/// Makes granules small enough for elements of `size` at `offset`.
void Access::track(Buffer& buffer, std::int64_t, std::int64_t size) {
  shadow(buffer);
  detail::Shadow& shadow = buffer.shadow;
  if (shadow.granule != 0 && size >= shadow.granule) return;
  const auto entries = static_cast<std::size_t>(static_cast<std::int64_t>(buffer.bytes.size()) / size + 1);
  if (shadow.granule == 0) {
    shadow.writer.assign(entries, 0);
    shadow.reader.assign(entries, 0);
  } else {
    const auto factor = static_cast<std::size_t>(shadow.granule / size);
    std::vector<std::uint32_t> writer(entries, 0), reader(entries, 0);
    for (std::size_t i = 0; i < entries; ++i) {
      writer[i] = shadow.writer[i / factor];
      reader[i] = shadow.reader[i / factor];
    }
    shadow.writer = std::move(writer);
    shadow.reader = std::move(reader);
  }
  shadow.granule = size;
}

std::string Access::program_name(std::uint32_t number) const {
  if (grid_ == nullptr) return std::to_string(number);
  const std::uint32_t x = number % grid_[0], y = number / grid_[0] % grid_[1],
                      z = number / grid_[0] / grid_[1];
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

void Access::report_race(const ir::Operation& op, const Target& target, std::int64_t offset,
                         std::int64_t size, std::uint32_t other, const char* here, const char* there) {
  if (findings_.known(Kind::race, op.location)) return;
  const std::string who =
      other == several ? "other programs" : "program " + program_name((other & ~by_atomic) - 1);
  findings_.add(Kind::race, op.location,
                std::string("program ") + program_name(program_ - 1) + " " + here + " offset " +
                    std::to_string(offset) + " of " + target.buffer->name + ", which " + who + " " + there +
                    " in the same launch",
                target.number, offset, size);
}

void Access::race_load(const ir::Operation& op, const Target& target, std::int64_t bytes, std::int64_t size) {
  if (!races_ || !target.buffer->writable) return;
  track(*target.buffer, target.offset, size);
  detail::Shadow& shadow = target.buffer->shadow;
  const std::int64_t end = (target.offset + bytes - 1) / shadow.granule;
  for (std::int64_t g = target.offset / shadow.granule; g <= end; ++g) {
    const std::uint32_t writer = shadow.writer[static_cast<std::size_t>(g)];
    std::uint32_t& reader = shadow.reader[static_cast<std::size_t>(g)];
    if (writer != 0 && (writer & ~by_atomic) != program_ &&
        !(acquired_ && released_[writer & ~by_atomic] != 0)) {
      report_race(op, target, g * shadow.granule, size, writer, "loads", "writes");
    }
    reader = reader == 0 || reader == program_ ? program_ : several;
  }
}

void Access::race_store(const ir::Operation& op, const Target& target, const std::byte* values,
                        std::int64_t bytes, std::int64_t size) {
  if (!races_) return;
  track(*target.buffer, target.offset, size);
  detail::Shadow& shadow = target.buffer->shadow;
  const std::int64_t granule = shadow.granule;
  const std::int64_t end = (target.offset + bytes - 1) / granule;
  for (std::int64_t g = target.offset / granule; g <= end; ++g) {
    std::uint32_t& writer = shadow.writer[static_cast<std::size_t>(g)];
    const std::uint32_t reader = shadow.reader[static_cast<std::size_t>(g)];
    const bool other_writer = writer != 0 && (writer & ~by_atomic) != program_ &&
                              !(acquired_ && released_[writer & ~by_atomic] != 0);
    const bool other_reader =
        reader != 0 && reader != program_ && !(acquired_ && reader != several && released_[reader] != 0);
    if (other_writer || other_reader) {
      const std::int64_t from = std::max(g * granule, target.offset);
      const std::int64_t to = std::min((g + 1) * granule, target.offset + bytes);
      const bool written =
          target.buffer->written.empty() || target.buffer->written[static_cast<std::size_t>(from)] != 0;
      const bool same =
          written && std::memcmp(target.buffer->bytes.data() + from, values + (from - target.offset),
                                 static_cast<std::size_t>(to - from)) == 0;
      if (!same) {
        report_race(op, target, from, size, other_writer ? writer : reader, "stores to",
                    other_writer ? "writes too" : "loads");
      }
    }
    writer = program_;
  }
}

void Access::race_atomic(const ir::Operation& op, const Target& target, std::int64_t size) {
  if (!races_) return;
  track(*target.buffer, target.offset, size);
  detail::Shadow& shadow = target.buffer->shadow;
  const std::int64_t end = (target.offset + size - 1) / shadow.granule;
  for (std::int64_t g = target.offset / shadow.granule; g <= end; ++g) {
    std::uint32_t& writer = shadow.writer[static_cast<std::size_t>(g)];
    const std::uint32_t reader = shadow.reader[static_cast<std::size_t>(g)];
    if (writer != 0 && (writer & by_atomic) == 0 && writer != program_ &&
        !(acquired_ && released_[writer] != 0)) {
      report_race(op, target, g * shadow.granule, size, writer, "changes atomically",
                  "writes without an atomic");
    } else if (reader != 0 && reader != program_ &&
               !(acquired_ && reader != several && released_[reader] != 0)) {
      report_race(op, target, g * shadow.granule, size, reader, "changes atomically",
                  "loads without an atomic");
    }
    writer = program_ | by_atomic;
  }
}

// ---- loads ----

void Access::poison(Scalar scalar, void* out, std::int64_t n) {
  if (scalar == Scalar::i1) {
    std::memset(out, options_.poison & 1, static_cast<std::size_t>(n));
  } else if (scalar == Scalar::f16 || scalar == Scalar::bf16) {
    const auto pattern = static_cast<std::uint16_t>(options_.poison * 0x0101u);
    const float value = scalar == Scalar::f16 ? half::from_f16_bits(pattern) : half::from_bf16_bits(pattern);
    std::fill_n(static_cast<float*>(out), n, value);
  } else {
    std::memset(out, options_.poison, static_cast<std::size_t>(n * storage_bytes(scalar)));
  }
}

void Access::load_run(const ir::Operation& op, std::uint64_t pointer, void* out, std::int64_t n) {
  const std::int64_t size = memory_bytes(op.scalar);
  const std::int64_t stored = storage_bytes(op.scalar);
  Target target;
  if (inside(pointer, n * size, target) == nullptr || (target.offset & (size - 1)) != 0) {
    if (n == 1) {
      check(op, pointer, size, false, target);
      poison(op.scalar, out, 1);
      return;
    }
    // Not a carry into another buffer's tag: each element's offset is computed from the first one's.
    const std::int64_t first = address::offset(pointer);
    for (std::int64_t i = 0; i < n; ++i) {
      load_run(op, address::pack(address::buffer(pointer), first + i * size),
               static_cast<std::byte*>(out) + i * stored, 1);
    }
    return;
  }
  const std::int64_t bytes = n * size;
  check_written(op, target, bytes, size);
  race_load(op, target, bytes, size);
  count_read(target, bytes);
  const std::byte* const from = target.buffer->bytes.data() + target.offset;
  if (op.scalar == Scalar::f16 || op.scalar == Scalar::bf16) {
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
  for (std::int64_t i = 0; i < n;) {
    std::int64_t j = i + 1;
    if (mask != nullptr && mask[i * in.stride[1]] == 0) {
      while (j < n && mask[j * in.stride[1]] == 0) ++j;
      if (other == nullptr) {
        poison(op.scalar, r + i * stored, j - i);
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
      load_run(op, pointer[i * in.stride[0]], r + i * stored, j - i);
    }
    i = j;
  }
}

// ---- stores ----

/// n values as memory holds them; `stride` 0 repeats the first.
const std::byte* Access::as_memory(Scalar scalar, const void* values, std::int64_t stride, std::int64_t n) {
  const std::int64_t size = memory_bytes(scalar);
  const bool half = scalar == Scalar::f16 || scalar == Scalar::bf16;
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
                       std::int64_t n) {
  const std::int64_t size = memory_bytes(op.scalar);
  Target target;
  const Buffer* const buffer = inside(pointer, n * size, target);
  if (buffer == nullptr || !buffer->writable || (target.offset & (size - 1)) != 0) {
    if (n == 1) {
      check(op, pointer, size, true, target);
      return;
    }
    const std::int64_t first = address::offset(pointer);
    for (std::int64_t i = 0; i < n; ++i) {
      store_run(op, address::pack(address::buffer(pointer), first + i * size), values + i * size, 1);
    }
    return;
  }
  const std::int64_t bytes = n * size;
  race_store(op, target, values, bytes, size);
  count_written(target, bytes);
  std::memcpy(target.buffer->bytes.data() + target.offset, values, static_cast<std::size_t>(bytes));
  if (!target.buffer->written.empty()) {
    std::memset(target.buffer->written.data() + target.offset, 1, static_cast<std::size_t>(bytes));
  }
}

void Access::store(const ir::Operation& op, const Operands& in, std::int64_t n) {
  ++access_;
  ++counters_.stores;
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const auto* mask = op.has_mask ? static_cast<const std::uint8_t*>(in.data[2]) : nullptr;
  const std::int64_t size = memory_bytes(op.scalar);
  const auto step = static_cast<std::uint64_t>(size);
  const std::byte* const values = as_memory(op.scalar, in.data[1], in.stride[1], n);
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
      store_run(op, pointer[i * in.stride[0]], values + i * size, j - i);
    }
    i = j;
  }
}

// ---- atomics ----

namespace {

/// What an atomic leaves behind, on the element's bits as memory holds them.
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
  // Taking a lock comes before what follows, releasing it after what came before.
  if (races_ && op.acquires) acquired_ = true;
  const auto* pointer = static_cast<const std::uint64_t*>(in.data[0]);
  const std::int64_t size = memory_bytes(op.scalar), stored = storage_bytes(op.scalar);
  auto* r = static_cast<std::byte*>(out);
  for (std::int64_t i = 0; i < n; ++i) {
    std::byte* const result = r + i * stored;
    Target target;
    if ((mask != nullptr && mask[i * mask_stride] == 0) ||
        !check(op, pointer[i * in.stride[0]], size, true, target)) {
      poison(op.scalar, result, 1);
      continue;
    }
    check_written(op, target, size, size);
    race_atomic(op, target, size);
    count_read(target, size);
    count_written(target, size);
    std::byte* const place = target.buffer->bytes.data() + target.offset;
    const std::uint64_t old = read_bits(place, size);
    const std::uint64_t now = change(i, old);
    std::memcpy(place, &now, static_cast<std::size_t>(size));
    if (!target.buffer->written.empty()) {
      std::memset(target.buffer->written.data() + target.offset, 1, static_cast<std::size_t>(size));
    }
    if (op.scalar == Scalar::f16 || op.scalar == Scalar::bf16) {
      const auto bits = static_cast<std::uint16_t>(old);
      const float value = op.scalar == Scalar::f16 ? half::from_f16_bits(bits) : half::from_bf16_bits(bits);
      std::memcpy(result, &value, sizeof value);
    } else {
      std::memcpy(result, &old, static_cast<std::size_t>(size));
    }
  }
  if (races_ && op.releases) released_[program_] = 1;
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
  const auto* expected = static_cast<const std::byte*>(in.data[1]);
  const auto* desired = static_cast<const std::byte*>(in.data[2]);
  atomic_each(op, in, nullptr, 0, out, n, [&](std::int64_t i, std::uint64_t old) {
    return old == read_bits(expected + i * in.stride[1] * size, size)
               ? read_bits(desired + i * in.stride[2] * size, size)
               : old;
  });
}

}  // namespace trl::executor
