// Checks bounds, records written bytes, and counts accesses.
#include "verifier/executor/access/access.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace trl::executor {
namespace {

constexpr std::int64_t sector = 32;
// The number of bytes behind a buffer up to which a stray store may be the tail of a block without a mask.
constexpr std::int64_t longest_tail = 16 << 10;

std::string bytes_of(std::int64_t count) { return std::to_string(count) + (count == 1 ? " byte" : " bytes"); }

}  // namespace

Access::Access(MemoryView& places, const Options& options, Findings& findings, Counters& counters,
               Tracking tracking, bool synchronises)
    : places_(places), options_(options), findings_(findings), counters_(counters) {
  tracks_ = tracking != Tracking::none;
  races_ = tracking == Tracking::races;
  synchronises_ = synchronises;
  if (synchronises && races_) order_ = std::make_unique<Order>();
}

void Access::begin_program(std::uint32_t number) {
  in_flight_.number = number + 1;
  in_flight_.first_access = access_ + 1;
  if (order_ != nullptr) in_flight_.progress = Order::begin(number);
  in_flight_.threads.barrier();
  in_flight_.scratch = false;
  in_flight_.last_size = 0;
  known_ = {};
  forget_watched();
}

void Access::barrier() {
  if (!races_) return;
  in_flight_.threads.barrier();
  in_flight_.scratch = false;
  if (order_ != nullptr) order_->barrier(in_flight_.progress);
}

// ---- what a waiting program has read ----

namespace {
constexpr std::size_t most_watched = 64;
constexpr std::int64_t most_watched_bytes = 4096;
}  // namespace

void Access::watch(const ir::Operation& op, const Target& target, std::int64_t bytes) {
  InFlight& program = in_flight_;
  if (!target.place->writable || !program.watches_all) return;
  if (program.watched.size() >= most_watched || bytes > most_watched_bytes) {
    program.watches_all = false;
    return;
  }
  const std::byte* const from = target.place->bytes + target.offset;
  program.watched.push_back(
      {target.number, target.offset, static_cast<std::int32_t>(bytes), op.location, {from, from + bytes}});
}

bool Access::holds(const InFlight& program) const {
  return std::all_of(program.watched.begin(), program.watched.end(), [this](const Watched& one) {
    return std::memcmp(places_[one.buffer].bytes + one.offset, one.held.data(), one.held.size()) == 0;
  });
}

std::string Access::describe_watched(const InFlight& program) const {
  if (program.watched.empty()) return "nothing";
  const Watched& last = program.watched.back();
  return "offset " + std::to_string(last.offset) + " of " + *places_[last.buffer].name;
}

// ---- bounds ----

std::int64_t Access::together(std::uint64_t pointer, std::int64_t n, std::int64_t size) const {
  const int number = address::buffer(pointer);
  if (n == 1 || number < 0 || number >= places_.size() || places_[number].pages == nullptr) return n;
  const std::int64_t offset = address::offset(pointer);
  if (offset < 0 || offset >= places_[number].extent) return n;
  return std::clamp<std::int64_t>(Pages::rest_of_page(offset) / size, 1, n);
}

/// Returns the buffer if all the bytes are inside it, and else null. In the first case the offset in `target`
/// is the place of the bytes in the memory that is held; otherwise it is their offset in the buffer.
Place* Access::inside(std::uint64_t pointer, std::int64_t bytes, Target& target) {
  target.number = address::buffer(pointer);
  target.offset = address::offset(pointer);
  target.place = nullptr;
  if (target.number < 0 || target.number >= places_.size()) return nullptr;
  Place& place = places_[target.number];
  target.place = &place;
  if (target.offset < 0 || target.offset > place.extent || bytes > place.extent - target.offset)
    return nullptr;
  if (place.pages != nullptr) target.offset = place.pages->at(target.offset);
  return &place;
}

/// Checks one element of `size` bytes. Returns false after reporting a finding.
bool Access::check(const ir::Operation& op, std::uint64_t pointer, std::int64_t size, bool writes,
                   Target& target) {
  const char* const what = writes ? "store" : "load";
  if (inside(pointer, size, target) == nullptr) {
    const bool stray = target.place == nullptr || target.offset < 0 ||
                       target.offset + size > target.place->extent + longest_tail;
    const Kind out = !writes ? Kind::out_of_bounds_load
                     : stray ? Kind::stray_store
                             : Kind::out_of_bounds_store;
    if (findings_.known(out, op.location)) return false;
    std::string message = std::string(what) + " of " + bytes_of(size) + " ";
    if (target.place == nullptr) {
      findings_.add(out, op.location, message + "through a pointer that belongs to no buffer", -1, 0, size);
    } else {
      const bool far = std::abs(target.offset) >= address::bias - 1;
      message += (far ? "far outside" : "at offset " + std::to_string(target.offset) + " of") +
                 (" " + *target.place->name) + " (" + bytes_of(target.place->extent) + ")";
      findings_.add(out, op.location, std::move(message), target.number, target.offset, size);
    }
    return false;
  }
  if ((target.offset & (size - 1)) != 0) {
    if (findings_.known(Kind::misaligned, op.location)) return false;
    findings_.add(Kind::misaligned, op.location,
                  std::string(what) + " of " + bytes_of(size) + " at offset " +
                      std::to_string(address::offset(pointer)) + " of " + *target.place->name +
                      ", which isn't a multiple of " + std::to_string(size),
                  target.number, address::offset(pointer), size);
    return false;
  }
  if (writes && !target.place->writable) {
    if (findings_.known(Kind::read_only_store, op.location)) return false;
    findings_.add(Kind::read_only_store, op.location,
                  "store of " + bytes_of(size) + " at offset " + std::to_string(address::offset(pointer)) +
                      " of " + *target.place->name + ", which is read-only",
                  target.number, address::offset(pointer), size);
    return false;
  }
  return true;
}

void Access::check_written(const ir::Operation& op, const Target& target, std::int64_t bytes,
                           std::int64_t size) {
  if (target.place->written == nullptr) return;
  const std::uint8_t* const begin = target.place->written + target.offset;
  const void* const found = std::memchr(begin, 0, static_cast<std::size_t>(bytes));
  if (found == nullptr || findings_.known(Kind::unwritten_read, op.location)) return;
  const std::int64_t at = target.offset + (static_cast<const std::uint8_t*>(found) - begin) / size * size;
  findings_.add(Kind::unwritten_read, op.location,
                "load of " + bytes_of(size) + " at offset " + std::to_string(at) + " of " +
                    *target.place->name + ", which nothing has written",
                target.number, at, size);
}

// ---- counting ----

namespace {

/// Counts the distinct sectors of an access: all of them, the ones that its program hadn't touched before,
/// and the ones that no access of the launch had touched before.
struct Fresh {
  std::uint64_t all = 0, of_program = 0, first = 0;
};

Fresh touch_sectors(Zeroed<std::uint32_t>& last, const Place& place, std::int64_t offset, std::int64_t bytes,
                    std::uint32_t access, std::uint32_t first_of_program) {
  if (last.empty()) last.allocate(static_cast<std::size_t>(place.size / sector + 1));
  Fresh fresh;
  std::uint32_t* const sectors = last.data();
  const std::int64_t end = (offset + bytes - 1) / sector;
  for (std::int64_t s = offset / sector; s <= end; ++s) {
    if (sectors[s] == access) continue;
    ++fresh.all;
    if (sectors[s] < first_of_program) ++fresh.of_program;
    if (sectors[s] == 0) ++fresh.first;
    sectors[s] = access;
  }
  return fresh;
}

}  // namespace

void Access::count_read(Target& target, std::int64_t bytes) {
  const Fresh fresh = touch_sectors(target.place->shadow.sector_read, *target.place, target.offset, bytes,
                                    access_, in_flight_.first_access);
  counters_.sectors_read += fresh.all;
  counters_.sectors_by_program += fresh.of_program;
  counters_.sectors_read_first += fresh.first;
  counters_.bytes_read += static_cast<std::uint64_t>(bytes);
}

void Access::count_written(Target& target, std::int64_t bytes) {
  const Fresh fresh = touch_sectors(target.place->shadow.sector_written, *target.place, target.offset, bytes,
                                    access_, in_flight_.first_access);
  counters_.sectors_written += fresh.all;
  counters_.sectors_by_program += fresh.of_program;
  counters_.sectors_written_first += fresh.first;
  counters_.bytes_written += static_cast<std::uint64_t>(bytes);
}

void Access::count_atomic(Target& target) {
  Zeroed<std::uint32_t>& atomics = target.place->shadow.atomics;
  if (atomics.empty()) atomics.allocate(static_cast<std::size_t>(target.place->size / Shadow::word + 1));
  const std::uint64_t here = ++atomics[static_cast<std::size_t>(target.offset / Shadow::word)];
  counters_.same_place = std::max(counters_.same_place, here);
}

}  // namespace trl::executor
