// Finds unordered accesses of one address by several programs, or by several threads of one program.
//
// For each granule it keeps the last writer and the readers since. Where programs synchronise, atomic writers
// and readers are kept as one clock, as far as no order between them is known. Two accesses of different
// programs are a race when at least one writes, not both are atomic, and neither comes before the other
// (order.hpp). A store that leaves the bytes as they are doesn't race with another program's plain store or
// load, because the result doesn't depend on the order. Likewise an atomic that changes nothing doesn't race
// with another program's load.
#include <algorithm>
#include <cstring>

#include "verifier/executor/access/access.hpp"

namespace trl::executor {

// ---- who accessed something ----

std::uint32_t Access::who(const ir::Operation& op) {
  if (order_ == nullptr) return in_flight_.number;
  return order_->segment(in_flight_.progress, op.dimensions > 0);
}

/// Whether a touch includes another program's access that isn't ordered before this program's next access.
bool Access::apart(const Touch& touch) const {
  const std::uint32_t number = touch.number();
  if (order_ == nullptr) return number != in_flight_.number;
  const Order::Progress& mine = in_flight_.progress;
  if (!touch.several() && (number == mine.leader || number == mine.block)) return false;
  if (touch.who == known_.who) return known_apart_;
  bool apart = false;
  if (touch.several()) {
    const auto entry = order_->clocks().beyond(number, mine.known.id());
    apart = entry && Order::program_of(*entry) != mine.program;
    if (entry && !apart) {  // accesses of the program's own threads are unordered before a barrier
      ClockPool& clocks = order_->clocks();
      const Clock with_own(clocks, clocks.with(mine.known.id(), entry->timeline, entry->time));
      const auto next = clocks.beyond(number, with_own.id());
      apart = next && Order::program_of(*next) != mine.program;
    }
  } else {
    apart = !order_->before(mine, number);
  }
  known_ = touch;
  known_apart_ = apart;
  return apart;
}

bool Access::own(const Touch& touch) const {
  if (order_ == nullptr) return touch.number() == in_flight_.number;
  return !touch.several() && touch.who != 0 && order_->program(touch.number()) == in_flight_.progress.program;
}

/// Returns the number, from 0, of the other program whose access made apart() return true.
std::uint32_t Access::program_of(const Touch& touch) const {
  if (order_ == nullptr) return touch.number() - 1;
  if (!touch.several()) return order_->program(touch.number());
  const Order::Progress& mine = in_flight_.progress;
  auto entry = order_->clocks().beyond(touch.number(), mine.known.id());
  if (entry && Order::program_of(*entry) == mine.program) {
    ClockPool& clocks = order_->clocks();
    const Clock with_own(clocks, clocks.with(mine.known.id(), entry->timeline, entry->time));
    entry = clocks.beyond(touch.number(), with_own.id());
  }
  return entry ? Order::program_of(*entry) : mine.program;
}

void Access::clear(Touch& touch) {
  if (touch.several()) {
    order_->clocks().drop(touch.number());
    known_ = {};
  }
  touch = {};
}

/// Adds a segment to a touch, or replaces a touch whose segments all come before it. Used to synchronise.
void Access::note(Touch& touch, std::uint32_t who, int location, bool flagged) {
  const std::uint32_t flag = flagged ? Touch::flag : 0;
  if (touch.who == 0 || !apart(touch)) {
    clear(touch);
    touch = {who | flag, location};
    return;
  }
  ClockPool& clocks = order_->clocks();
  if (touch.who != set_before_ || who != set_who_) {
    const Clock before(clocks,
                       touch.several() ? clocks.keep(touch.number()) : order_->with(0, touch.number()));
    const ClockPool::Id after = order_->with(before.id(), who);
    clocks.drop(std::exchange(set_after_, after));
    if ((set_before_ & Touch::is_set) != 0) clocks.drop(set_before_ & ~(Touch::is_set | Touch::flag));
    set_before_ = touch.who;
    if (touch.several()) clocks.keep(touch.number());
    set_who_ = who;
  }
  const bool both = touch.flagged() && flagged;
  clear(touch);
  touch = {clocks.keep(set_after_) | Touch::is_set | (both ? Touch::flag : 0), location};
}

// ---- readers ----

const Touch* Access::other_reader(const Shadow& shadow, std::size_t granule, bool by_atomic) const {
  static constexpr Touch unknown{};
  if (shadow.reader.empty()) return nullptr;
  const auto apart_from = [&](const Touch& touch) {
    return touch.who != 0 && !(by_atomic && touch.flagged()) && apart(touch);
  };
  const Touch& first = shadow.reader[granule];
  if (apart_from(first)) return &first;
  if (shadow.second_reader.empty()) return nullptr;
  const Touch& second = shadow.second_reader[granule];
  if (order_ != nullptr) return apart_from(second) ? &second : nullptr;
  if (second.who != 0 && second.number() != in_flight_.number) return &second;
  return second.flagged() ? &unknown : nullptr;  // there was a third reader
}

/// `strong`: the access is an atomic that changes nothing, or a volatile load.
void Access::note_reader(Shadow& shadow, std::size_t granule, const ir::Operation& op, std::uint32_t who,
                         bool strong) {
  if (shadow.reader.empty()) shadow.reader.allocate(shadow.writer.size());
  Touch& first = shadow.reader[granule];
  // A reader that is ordered before this one is dropped: an access that comes after this one comes after
  // both.
  if (first.who == 0 || (order_ != nullptr && !apart(first)))
    first = {who | (strong ? Touch::flag : 0), op.location};
  if (first.number() == who) return;
  if (shadow.second_reader.empty()) shadow.second_reader.allocate(shadow.writer.size());
  Touch& second = shadow.second_reader[granule];
  if (order_ != nullptr) {
    note(second, who, op.location, strong);
  } else if (second.who == 0) {
    second = {who, op.location};
  } else if (second.number() != who) {
    second.who |= Touch::flag;
  }
}

void Access::forget_readers(Shadow& shadow, std::size_t granule) {
  if (shadow.reader.empty()) return;
  shadow.reader[granule] = {};
  if (!shadow.second_reader.empty()) clear(shadow.second_reader[granule]);
}

// ---- accesses ----

void Access::race_load(const ir::Operation& op, const Target& target, std::int64_t n, std::int64_t first) {
  if (!tracks_ || !target.place->writable) return;
  const std::int64_t size = memory_bytes(op.scalar), bytes = n * size;
  Shadow& shadow = target.place->shadow;
  shadow.refine(target.place->size, size, order_ != nullptr ? &order_->clocks() : nullptr);
  if (shadow.reader.empty()) shadow.reader.allocate(shadow.writer.size());
  const std::uint32_t me = who(op);
  bool own_stored = false;
  const std::int64_t end = (target.offset + bytes - 1) / shadow.granule;
  for (std::int64_t g = target.offset / shadow.granule; g <= end; ++g) {
    const auto at = static_cast<std::size_t>(g);
    const Touch& writer = shadow.writer[at];
    if (writer.who != 0) {
      if (!apart(writer)) {
        own_stored = own_stored || own(writer);
      } else if (!(op.is_volatile && writer.flagged())) {
        report_race(op, target, g * shadow.granule, size, writer, "loads",
                    writer.flagged() ? "changes atomically" : "writes");
      }
    }
    const Touch& reader = shadow.reader[at];
    if (reader.who != me) note_reader(shadow, at, op, me, op.is_volatile);
  }
  if (!races_) return;
  const Piece mine = piece(op, target, n, first);
  if (own_stored) {
    if (const Piece* const other = in_flight_.threads.stored_elsewhere(mine))
      report_threads(op, target, mine, *other, "loads", "stores");
  }
  in_flight_.threads.loaded(mine);
}

void Access::race_store(const ir::Operation& op, const Target& target, const std::byte* values,
                        std::int64_t n, std::int64_t first) {
  if (!tracks_) return;
  const std::int64_t size = memory_bytes(op.scalar), bytes = n * size;
  Shadow& shadow = target.place->shadow;
  shadow.refine(target.place->size, size, order_ != nullptr ? &order_->clocks() : nullptr);
  const std::int64_t granule = shadow.granule;
  const std::int64_t end = (target.offset + bytes - 1) / granule;
  const Touch mine = {who(op), op.location};
  Touch* const writers = shadow.writer.data();
  const bool unread = shadow.reader.empty();
  bool own_touched = false;
  for (std::int64_t g = target.offset / granule; g <= end; ++g) {
    if (!unread || writers[g].who != 0) {
      const bool touched = compare_store(op, target, values, bytes, size, static_cast<std::size_t>(g));
      own_touched = own_touched || touched;
    }
    writers[g] = mine;
  }
  if (!races_ || (op.dimensions > 0 && first < 0)) return;  // every thread stored the same value
  const Piece stored = piece(op, target, n, first);
  if (own_touched) {
    if (const Piece* const writer = in_flight_.threads.stored_elsewhere(stored)) {
      report_threads(op, target, stored, *writer, "stores to", "stores to with another value");
    } else if (const Piece* const reader = in_flight_.threads.loaded_elsewhere(stored)) {
      report_threads(op, target, stored, *reader, "stores to", "loads");
    }
  }
  in_flight_.threads.stored(stored);
}

/// Handles a store to a granule that may have been accessed. Returns true when only this program has accessed
/// it and the store changes it.
bool Access::compare_store(const ir::Operation& op, const Target& target, const std::byte* values,
                           std::int64_t bytes, std::int64_t size, std::size_t granule) {
  const Place& place = *target.place;
  Shadow& shadow = target.place->shadow;
  Touch& writer = shadow.writer[granule];
  const Touch* const other_writer = writer.who != 0 && apart(writer) ? &writer : nullptr;
  const Touch* const reader = other_writer == nullptr ? other_reader(shadow, granule, false) : nullptr;
  const bool others = other_writer != nullptr || reader != nullptr;
  bool touched = (writer.who != 0 && other_writer == nullptr && own(writer)) ||
                 (may_have_readers(shadow, granule) && own(shadow.reader[granule]));
  if (others || touched) {
    const std::int64_t begin = static_cast<std::int64_t>(granule) * shadow.granule;
    const std::int64_t from = std::max(begin, target.offset);
    const std::int64_t to = std::min(begin + shadow.granule, target.offset + bytes);
    const bool written = place.written == nullptr || place.written[from] != 0;
    const bool same = written && std::memcmp(place.bytes + from, values + (from - target.offset),
                                             static_cast<std::size_t>(to - from)) == 0;
    if (other_writer != nullptr && (!same || writer.flagged())) {
      report_race(op, target, from, size, writer, "stores to",
                  writer.flagged() ? "changes atomically" : "writes too");
    } else if (reader != nullptr && !same) {
      report_race(op, target, from, size, *reader, "stores to", "loads");
    }
    touched = touched && !same;
  }
  if (order_ != nullptr) {
    if (writer.flagged()) forget_released(shadow, static_cast<std::int64_t>(granule) * shadow.granule, size);
    if (!others) forget_readers(shadow, granule);
    clear(writer);
  }
  return touched;
}

/// A plain store ends the release sequences at its address.
void Access::forget_released(Shadow& shadow, std::int64_t offset, std::int64_t bytes) {
  if (shadow.released.empty()) return;
  for (std::int64_t word = offset / Shadow::word; word <= (offset + bytes - 1) / Shadow::word; ++word)
    order_->clocks().drop(std::exchange(shadow.released[static_cast<std::size_t>(word)], 0));
}

void Access::race_atomic(const ir::Operation& op, const Target& target, std::int64_t size, bool changes) {
  if (order_ == nullptr) return;
  Shadow& shadow = target.place->shadow;
  shadow.refine(target.place->size, size, &order_->clocks());
  if (!op.within_block && op.acquires) acquire(target);
  const std::uint32_t me = who(op);
  const bool strong = !op.within_block;
  const char* const here = strong ? "changes atomically" : "changes atomically for itself alone (scope cta)";
  const std::int64_t end = (target.offset + size - 1) / shadow.granule;
  for (std::int64_t g = target.offset / shadow.granule; g <= end; ++g) {
    const auto at = static_cast<std::size_t>(g);
    Touch& writer = shadow.writer[at];
    const bool others = writer.who != 0 && !(strong && writer.flagged()) && apart(writer);
    if (others) {
      report_race(op, target, g * shadow.granule, size, writer, here,
                  writer.flagged() ? "changes too" : "writes without an atomic");
    } else if (const Touch* const reader = changes ? other_reader(shadow, at, strong) : nullptr) {
      report_race(op, target, g * shadow.granule, size, *reader, here, "loads without an atomic");
    }
    if (!changes) {
      note_reader(shadow, at, op, me, strong);
    } else if (strong && writer.flagged()) {
      note(writer, me, op.location, true);
    } else {
      clear(writer);
      writer = {me | (strong ? Touch::flag : 0), op.location};
    }
  }
  // A failed compare-and-swap writes nothing.
  if (strong && op.releases && (changes || op.code != Code::atomic_cas)) {
    if (shadow.released.empty())
      shadow.released.allocate(static_cast<std::size_t>(target.place->size / Shadow::word + 1));
    releases_.push_back(&shadow.released[static_cast<std::size_t>(target.offset / Shadow::word)]);
  }
}

// ---- threads of one program ----

/// Threads exchange elements through shared memory between accesses that need other layouts. Triton decides
/// when; this assumes it wherever it is possible.
void Access::convert_layout(const ir::Operation& op) {
  const std::int64_t size = memory_bytes(op.scalar);
  if (op.dimensions > 1 || (in_flight_.last_size != 0 && in_flight_.last_size != size))
    in_flight_.scratch = true;
  in_flight_.last_size = size;
}

Piece Access::piece(const ir::Operation& op, const Target& target, std::int64_t n, std::int64_t first) const {
  const std::int64_t size = memory_bytes(op.scalar);
  Piece piece;
  piece.begin = target.offset;
  piece.bytes = static_cast<std::int32_t>(n * size);
  piece.buffer = target.number;
  piece.first = static_cast<std::int32_t>(first);
  piece.location = op.location;
  piece.access = access_;
  piece.size = static_cast<std::uint8_t>(size);
  piece.flat = op.dimensions < 2;
  piece.runs = n > 1;
  return piece;
}

// ---- findings ----

std::string Access::program_name(std::uint32_t number) const {
  if (grid_ == nullptr) return std::to_string(number);
  const std::uint32_t x = number % grid_[0], y = number / grid_[0] % grid_[1],
                      z = number / grid_[0] / grid_[1];
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

void Access::name_other(Finding* finding, std::uint32_t program, const Source& source) const {
  if (finding == nullptr) return;
  OtherProgram& with = finding->other.emplace();
  if (grid_ != nullptr) {
    with.program[0] = program % grid_[0];
    with.program[1] = program / grid_[0] % grid_[1];
    with.program[2] = program / grid_[0] / grid_[1];
  }
  with.source = source;
}

void Access::report_race(const ir::Operation& op, const Target& target, std::int64_t offset,
                         std::int64_t size, const Touch& other, const char* here, const char* there) {
  if (!races_ || findings_.known(Kind::race, op.location)) return;
  const bool known = other.who != 0;
  const std::uint32_t with = known ? program_of(other) : 0;
  const std::string who = known ? "program " + program_name(with) : "another program";
  const Source source = findings_.source(other.location);
  Finding* const finding = findings_.add(
      Kind::race, op.location,
      std::string("program ") + program_name(in_flight_.number - 1) + " " + here + " offset " +
          std::to_string(offset) + " of " + *target.place->name + ", which " + who + " " + there +
          (source.line > 0 ? " at line " + std::to_string(source.line) : std::string()) +
          " in the same launch",
      target.number, offset, size);
  if (known) name_other(finding, with, source);
}

void Access::report_threads(const ir::Operation& op, const Target& target, const Piece& mine,
                            const Piece& other, const char* here, const char* there) {
  if (findings_.known(Kind::race, op.location)) return;
  const std::int64_t offset = std::max(mine.begin, other.begin);
  const Source source = findings_.source(other.location);
  const std::uint32_t program = in_flight_.number - 1;
  std::string message = "program " + program_name(program) + " " + here + " offset " +
                        std::to_string(offset) + " of " + *target.place->name;
  if (other.access == mine.access) {
    message += " twice at once, with different values: which of its threads is last is open";
  } else {
    message += ", which another of its threads " + std::string(there) +
               (source.line > 0 ? " at line " + std::to_string(source.line) : std::string()) +
               ", with no barrier between them";
  }
  name_other(findings_.add(Kind::race, op.location, std::move(message), target.number, offset, mine.size),
             program, source);
}

}  // namespace trl::executor
