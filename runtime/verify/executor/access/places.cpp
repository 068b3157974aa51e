#include "runtime/verify/executor/access/places.hpp"

#include <algorithm>
#include <cstring>

namespace trl::executor {

void Shadow::refine(std::int64_t bytes, std::int64_t size) {
  if (granule != 0 && size >= granule) return;
  const auto entries = static_cast<std::size_t>(bytes / size + 1);
  if (granule == 0) {
    writer.assign(entries, {});
  } else {
    const auto factor = static_cast<std::size_t>(granule / size);
    for (std::vector<Touch>* touches : {&writer, &reader, &second_reader}) {
      if (touches->empty()) continue;
      std::vector<Touch> finer(entries);
      for (std::size_t i = 0; i < entries; ++i) finer[i] = (*touches)[i / factor];
      *touches = std::move(finer);
    }
  }
  granule = size;
}

Places::Places(Memory& memory) {
  for (int i = 0; i < memory.size(); ++i) {
    Buffer& buffer = memory.buffer(i);
    Place& place = places_.emplace_back();
    place.name = &buffer.name;
    place.writable = buffer.writable;
    place.bytes = buffer.bytes.data();
    place.size = static_cast<std::int64_t>(buffer.bytes.size());
    place.written = buffer.written.empty() ? nullptr : buffer.written.data();
  }
}

Places Places::with_own_copies() const {
  Places copy;
  for (const Place& from : places_) {
    Place& to = copy.places_.emplace_back();
    to.name = from.name;
    to.writable = from.writable;
    to.size = from.size;
    to.bytes = from.bytes;
    to.written = from.written;
    if (!from.writable) continue;
    std::vector<std::byte>& bytes = copy.own_bytes_.emplace_back(from.bytes, from.bytes + from.size);
    to.bytes = bytes.data();
    if (from.written == nullptr) continue;
    to.written = copy.own_written_.emplace_back(from.written, from.written + from.size).data();
  }
  return copy;
}

std::uint64_t Places::copy_bytes() const {
  std::uint64_t bytes = 0;
  for (const Place& place : places_) {
    // Contents and marks, and a Touch or three for each four bytes.
    if (place.writable) bytes += static_cast<std::uint64_t>(place.size) * 8;
  }
  return bytes;
}

bool Places::independent(std::span<Places* const> runs) {
  for (int b = 0; b < runs.front()->size(); ++b) {
    std::int64_t finest = 0;
    for (Places* const run : runs) {
      const std::int64_t granule = (*run)[b].shadow.granule;
      if (granule != 0 && (finest == 0 || granule < finest)) finest = granule;
    }
    if (finest == 0) continue;
    std::vector<std::uint32_t> owner(static_cast<std::size_t>((*runs.front())[b].size / finest + 1), 0);
    std::uint32_t number = 0;
    for (Places* const run : runs) {
      Place& place = (*run)[b];
      ++number;
      if (place.shadow.granule == 0) continue;
      place.shadow.refine(place.size, finest);
      for (std::size_t g = 0; g < owner.size(); ++g) {
        if (place.shadow.writer[g].program == 0) continue;
        if (owner[g] != 0) return false;
        owner[g] = number;
      }
    }
    number = 0;
    for (Places* const run : runs) {
      const std::vector<Touch>& reader = (*run)[b].shadow.reader;
      ++number;
      if (reader.empty()) continue;
      for (std::size_t g = 0; g < owner.size(); ++g) {
        if (reader[g].program != 0 && owner[g] != 0 && owner[g] != number) return false;
      }
    }
  }
  return true;
}

void Places::merge(Places& run) {
  for (int b = 0; b < size(); ++b) {
    Place& to = (*this)[b];
    const Place& from = run[b];
    const std::int64_t granule = from.shadow.granule;
    const std::vector<Touch>& writer = from.shadow.writer;
    for (std::size_t g = 0; g < writer.size(); ++g) {
      if (writer[g].program == 0) continue;
      std::size_t end = g + 1;
      while (end < writer.size() && writer[end].program != 0) ++end;
      const std::int64_t offset = static_cast<std::int64_t>(g) * granule;
      const auto bytes = static_cast<std::size_t>(static_cast<std::int64_t>(end - g) * granule);
      std::memcpy(to.bytes + offset, from.bytes + offset, bytes);
      if (to.written != nullptr) std::memset(to.written + offset, 1, bytes);
      g = end;
    }
  }
}

namespace {

/// How many sectors are touched in `from` and not yet in `all`, where they are noted.
std::uint64_t add_sectors(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& from) {
  if (from.empty()) return 0;
  all.resize(from.size(), 0);
  std::uint64_t first = 0;
  for (std::size_t s = 0; s < from.size(); ++s) {
    if (from[s] == 0 || all[s] != 0) continue;
    all[s] = from[s];
    ++first;
  }
  return first;
}

}  // namespace

Places::Sectors Places::merge_sectors(const Places& run) {
  Sectors first;
  for (std::size_t b = 0; b < places_.size(); ++b) {
    Shadow& all = places_[b].shadow;
    first.read += add_sectors(all.sector_read, run.places_[b].shadow.sector_read);
    first.written += add_sectors(all.sector_written, run.places_[b].shadow.sector_written);
  }
  return first;
}

}  // namespace trl::executor
