// Programs that touch one address.
//
// Per granule the last writer and the first two readers. A store that leaves the bytes as they are is no race
// with another program's store or load: the result doesn't depend on the order. Atomics don't race among
// themselves. Loads after an acquiring atomic don't race with programs that have done a releasing one (the
// pattern "the last program adds up"), whatever the addresses of the atomics: a lenient reading of the memory
// model, for no honest kernel to be accused.
#include "runtime/verify/executor/access/access.hpp"

#include <algorithm>
#include <cstring>

namespace trl::executor {
namespace {

constexpr std::uint32_t flag = 0x80000000u;
constexpr std::uint32_t by_atomic = flag;   // of a writer
constexpr std::uint32_t and_others = flag;  // of a second reader: there was a third

constexpr std::uint32_t number(const Touch& touch) { return touch.program & ~flag; }

}  // namespace

const Touch* Access::other_writer(const Shadow& shadow, std::size_t granule) const {
  const Touch& writer = shadow.writer[granule];
  const bool other = writer.program != 0 && number(writer) != program_ && !ordered(number(writer));
  return other ? &writer : nullptr;
}

const Touch* Access::other_reader(const Shadow& shadow, std::size_t granule) const {
  static constexpr Touch unknown{};
  if (shadow.reader.empty()) return nullptr;
  const Touch& first = shadow.reader[granule];
  if (first.program != 0 && first.program != program_ && !ordered(first.program)) return &first;
  if (shadow.second_reader.empty()) return nullptr;
  const Touch& second = shadow.second_reader[granule];
  if (second.program != 0 && number(second) != program_ && !ordered(number(second))) return &second;
  return (second.program & and_others) != 0 ? &unknown : nullptr;
}

std::string Access::program_name(std::uint32_t number) const {
  if (grid_ == nullptr) return std::to_string(number);
  const std::uint32_t x = number % grid_[0], y = number / grid_[0] % grid_[1],
                      z = number / grid_[0] / grid_[1];
  return "(" + std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z) + ")";
}

void Access::report_race(const ir::Operation& op, const Target& target, std::int64_t offset,
                         std::int64_t size, const Touch& other, const char* here, const char* there) {
  if (!races_ || findings_.known(Kind::race, op.location)) return;
  const bool known = other.program != 0;
  const std::string who = known ? "program " + program_name(number(other) - 1) : "another program";
  const Source source = findings_.source(other.location);
  Finding* const finding = findings_.add(
      Kind::race, op.location,
      std::string("program ") + program_name(program_ - 1) + " " + here + " offset " +
          std::to_string(offset) + " of " + *target.place->name + ", which " + who + " " + there +
          (source.line > 0 ? " at line " + std::to_string(source.line) : std::string()) +
          " in the same launch",
      target.number, offset, size);
  if (finding == nullptr || !known) return;
  OtherProgram& with = finding->other.emplace();
  const std::uint32_t at = number(other) - 1;
  if (grid_ != nullptr) {
    with.program[0] = at % grid_[0];
    with.program[1] = at / grid_[0] % grid_[1];
    with.program[2] = at / grid_[0] / grid_[1];
  }
  with.source = source;
}

void Access::race_load(const ir::Operation& op, const Target& target, std::int64_t bytes, std::int64_t size) {
  if (!tracks_ || !target.place->writable) return;
  Shadow& shadow = target.place->shadow;
  shadow.refine(target.place->size, size);
  if (shadow.reader.empty()) shadow.reader.allocate(shadow.writer.size());
  const std::int64_t end = (target.offset + bytes - 1) / shadow.granule;
  for (std::int64_t g = target.offset / shadow.granule; g <= end; ++g) {
    const auto at = static_cast<std::size_t>(g);
    if (const Touch* const writer = other_writer(shadow, at)) {
      report_race(op, target, g * shadow.granule, size, *writer, "loads", "writes");
    }
    // A reader that this one is ordered after is forgotten: who is ordered after this one is after both.
    Touch& first = shadow.reader[at];
    if (first.program == 0 || ordered(first.program)) first = {program_, op.location};
    if (first.program == program_) continue;
    if (shadow.second_reader.empty()) shadow.second_reader.allocate(shadow.writer.size());
    Touch& second = shadow.second_reader[at];
    if (second.program == 0) {
      second = {program_, op.location};
    } else if (number(second) != program_) {
      second.program |= and_others;
    }
  }
}

void Access::race_store(const ir::Operation& op, const Target& target, const std::byte* values,
                        std::int64_t bytes, std::int64_t size) {
  if (!tracks_) return;
  Shadow& shadow = target.place->shadow;
  shadow.refine(target.place->size, size);
  const std::int64_t granule = shadow.granule;
  const std::int64_t end = (target.offset + bytes - 1) / granule;
  const Touch mine = {program_, op.location};
  Touch* const writers = shadow.writer.data();
  const bool unread = shadow.reader.empty();
  for (std::int64_t g = target.offset / granule; g <= end; ++g) {
    const std::uint32_t last = writers[g].program;
    if (!unread || (last != 0 && last != program_)) {
      compare_store(op, target, values, bytes, size, static_cast<std::size_t>(g));
    }
    writers[g] = mine;
  }
}

/// A store to a granule that another program may have touched.
void Access::compare_store(const ir::Operation& op, const Target& target, const std::byte* values,
                           std::int64_t bytes, std::int64_t size, std::size_t granule) {
  const Place& place = *target.place;
  const Touch* const writer = other_writer(place.shadow, granule);
  const Touch* const reader = writer == nullptr ? other_reader(place.shadow, granule) : nullptr;
  if (writer == nullptr && reader == nullptr) return;
  const std::int64_t begin = static_cast<std::int64_t>(granule) * place.shadow.granule;
  const std::int64_t from = std::max(begin, target.offset);
  const std::int64_t to = std::min(begin + place.shadow.granule, target.offset + bytes);
  const bool written = place.written == nullptr || place.written[from] != 0;
  const bool same = written && std::memcmp(place.bytes + from, values + (from - target.offset),
                                           static_cast<std::size_t>(to - from)) == 0;
  if (same) return;
  report_race(op, target, from, size, writer != nullptr ? *writer : *reader, "stores to",
              writer != nullptr ? "writes too" : "loads");
}

void Access::race_atomic(const ir::Operation& op, const Target& target, std::int64_t size) {
  if (!tracks_) return;
  Shadow& shadow = target.place->shadow;
  shadow.refine(target.place->size, size);
  const std::int64_t end = (target.offset + size - 1) / shadow.granule;
  for (std::int64_t g = target.offset / shadow.granule; g <= end; ++g) {
    const auto at = static_cast<std::size_t>(g);
    Touch& writer = shadow.writer[at];
    const bool plain = (writer.program & by_atomic) == 0;
    if (const Touch* const other = plain ? other_writer(shadow, at) : nullptr) {
      report_race(op, target, g * shadow.granule, size, *other, "changes atomically",
                  "writes without an atomic");
    } else if (const Touch* const reader = other_reader(shadow, at)) {
      report_race(op, target, g * shadow.granule, size, *reader, "changes atomically",
                  "loads without an atomic");
    }
    writer = {program_ | by_atomic, op.location};
  }
}

}  // namespace trl::executor
