#include "verifier/executor/access/memory_view.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "verifier/executor/access/access.hpp"

namespace trl::executor {

void Shadow::refine(std::int64_t bytes, std::int64_t size, ClockPool* clocks) {
  if (granule != 0 && size >= granule) return;
  const auto entries = static_cast<std::size_t>(bytes / size + 1);
  if (granule == 0) {
    writer.allocate(entries);
  } else {
    const auto factor = static_cast<std::size_t>(granule / size);
    for (Zeroed<Touch>* touches : {&writer, &reader, &second_reader}) {
      if (touches->empty()) continue;
      Zeroed<Touch> finer;
      finer.allocate(entries);
      for (std::size_t i = 0; i < entries; ++i) {
        finer[i] = (*touches)[i / factor];
        if (finer[i].several() && i % factor != 0) clocks->keep(finer[i].number());
      }
      *touches = std::move(finer);
    }
  }
  granule = size;
}

MemoryView::MemoryView(Memory& memory) {
  for (int i = 0; i < memory.size(); ++i) {
    Buffer& buffer = memory.buffer(i);
    Place& place = places_.emplace_back();
    place.name = &buffer.name;
    place.writable = buffer.writable;
    place.pages = buffer.pages.get();
    if (place.pages != nullptr) {
      place.bytes = place.pages->held();
      place.size = place.pages->held_bytes();
      place.extent = place.pages->bytes();
      place.written = place.pages->written();
    } else {
      place.bytes = buffer.bytes.data();
      place.size = place.extent = static_cast<std::int64_t>(buffer.bytes.size());
      place.written = buffer.written.empty() ? nullptr : buffer.written.data();
    }
    place.address = buffer.address;
    if (buffer.address != 0) by_address_.emplace(buffer.address, i);
  }
}

std::uint64_t MemoryView::number_of(int buffer, std::int64_t offset) const {
  const std::uint64_t address = places_[static_cast<std::size_t>(buffer)].address;
  return address == 0 ? 0 : address + static_cast<std::uint64_t>(offset);
}

std::uint64_t MemoryView::number_from(std::uint64_t pointer) const {
  const int buffer = address::buffer(pointer);
  return buffer < 0 || buffer >= size() ? 0 : number_of(buffer, address::offset(pointer));
}

std::uint64_t MemoryView::pointer_from(std::uint64_t number) const {
  constexpr std::uint64_t near = Memory::address_distance / 2;
  const auto next = by_address_.lower_bound(number);
  if (next != by_address_.end() && next->first - number < near)
    return address::pack(next->second, -static_cast<std::int64_t>(next->first - number));
  if (next == by_address_.begin()) return 0;
  const auto& [address, buffer] = *std::prev(next);
  return number - address < near ? address::pack(buffer, static_cast<std::int64_t>(number - address)) : 0;
}

void Place::reach(std::int64_t offset, std::int64_t count) {
  if (shadow.touched.empty()) shadow.touched.allocate(static_cast<std::size_t>(size / page + 1));
  for (std::int64_t at = offset / page; at <= (offset + count - 1) / page; ++at) {
    std::uint8_t& touched = shadow.touched[static_cast<std::size_t>(at)];
    if (touched != 0) continue;
    touched = 1;
    if (from == nullptr) continue;
    const std::int64_t begin = at * page;
    const auto bytes_here = static_cast<std::size_t>(std::min(page, size - begin));
    std::memcpy(bytes + begin, from + begin, bytes_here);
    if (written != nullptr) std::memcpy(written + begin, from_written + begin, bytes_here);
  }
}

MemoryView MemoryView::with_own_copies() const {
  MemoryView copy;
  copy.by_address_ = by_address_;
  for (const Place& place : places_) {
    Place& to = copy.places_.emplace_back();
    to.name = place.name;
    to.writable = place.writable;
    to.size = place.size;
    to.extent = place.extent;
    to.address = place.address;
    to.bytes = place.bytes;
    to.written = place.written;
    if (!place.writable) continue;
    const auto size = static_cast<std::size_t>(place.size);
    to.from = place.bytes;
    to.from_written = place.written;
    to.bytes = copy.own_bytes_.emplace_back(std::make_unique_for_overwrite<std::byte[]>(size)).get();
    if (place.written == nullptr) continue;
    to.written = copy.own_written_.emplace_back(std::make_unique_for_overwrite<std::uint8_t[]>(size)).get();
  }
  return copy;
}

std::uint64_t MemoryView::copy_bytes() const {
  std::uint64_t bytes = 0;
  for (const Place& place : places_) {
    // Contents and marks, and up to three Touches for each four bytes.
    if (place.writable) bytes += static_cast<std::uint64_t>(place.size) * 8;
  }
  return bytes;
}

namespace {

/// The granules [begin, end) of a page of a buffer.
struct Granules {
  std::size_t begin = 0, end = 0;
};

Granules granules_of(const Place& place, std::size_t page) {
  const std::int64_t begin = static_cast<std::int64_t>(page) * Place::page;
  const std::int64_t end = std::min(begin + Place::page, place.size);
  const std::int64_t granule = place.shadow.granule;
  return {static_cast<std::size_t>(begin / granule), static_cast<std::size_t>(end / granule)};
}

bool touched(const Place& place, std::size_t page) {
  return place.shadow.granule != 0 && !place.shadow.touched.empty() && place.shadow.touched[page] != 0;
}

/// For one page that several views of one buffer have touched: whether no view wrote bytes that another view
/// touched.
bool independent_on(std::span<Place* const> places, std::size_t page) {
  const Granules granules = granules_of(*places.front(), page);
  for (std::size_t g = granules.begin; g < granules.end; ++g) {
    const Place* owner = nullptr;
    for (const Place* const place : places) {
      if (place->shadow.writer[g].who == 0) continue;
      if (owner != nullptr) return false;
      owner = place;
    }
    if (owner == nullptr) continue;
    for (const Place* const place : places) {
      const Zeroed<Touch>& reader = place->shadow.reader;
      if (place != owner && !reader.empty() && reader[g].who != 0) return false;
    }
  }
  return true;
}

}  // namespace

bool MemoryView::independent(std::span<MemoryView* const> runs) {
  for (int b = 0; b < runs.front()->size(); ++b) {
    std::int64_t finest = 0;
    for (MemoryView* const run : runs) {
      const std::int64_t granule = (*run)[b].shadow.granule;
      if (granule != 0 && (finest == 0 || granule < finest)) finest = granule;
    }
    if (finest == 0) continue;
    const std::int64_t size = (*runs.front())[b].size;
    for (MemoryView* const run : runs) {
      if ((*run)[b].shadow.granule != 0) (*run)[b].shadow.refine(size, finest, nullptr);
    }
    for (std::size_t page = 0; page <= static_cast<std::size_t>(size / Place::page); ++page) {
      std::vector<Place*> there;
      for (MemoryView* const run : runs) {
        if (touched((*run)[b], page)) there.push_back(&(*run)[b]);
      }
      if (there.size() > 1 && !independent_on(there, page)) return false;
    }
  }
  return true;
}

void MemoryView::merge(MemoryView& run) {
  for (int b = 0; b < size(); ++b) {
    Place& to = (*this)[b];
    const Place& from = run[b];
    for (std::size_t page = 0; page <= static_cast<std::size_t>(to.size / Place::page); ++page) {
      if (!touched(from, page)) continue;
      const Granules granules = granules_of(from, page);
      for (std::size_t g = granules.begin; g < granules.end; ++g) {
        std::size_t end = g;
        while (end < granules.end && from.shadow.writer[end].who != 0) ++end;
        if (end == g) continue;
        const std::int64_t granule = from.shadow.granule, offset = static_cast<std::int64_t>(g) * granule;
        const auto bytes = static_cast<std::size_t>(static_cast<std::int64_t>(end - g) * granule);
        std::memcpy(to.bytes + offset, from.bytes + offset, bytes);
        if (to.written != nullptr) std::memset(to.written + offset, 1, bytes);
        g = end;
      }
    }
  }
}

namespace {

/// Counts the sectors that are touched in `from` and not yet in `all`, and adds them to `all`.
std::uint64_t add_sectors(Zeroed<std::uint32_t>& all, const Zeroed<std::uint32_t>& from) {
  if (from.empty()) return 0;
  if (all.empty()) all.allocate(from.size());
  std::uint64_t first = 0;
  for (std::size_t s = 0; s < from.size(); ++s) {
    if (from[s] == 0 || all[s] != 0) continue;
    all[s] = from[s];
    ++first;
  }
  return first;
}

}  // namespace

MemoryView::Sectors MemoryView::merge_sectors(const MemoryView& run) {
  Sectors first;
  for (std::size_t b = 0; b < places_.size(); ++b) {
    Shadow& all = places_[b].shadow;
    first.read += add_sectors(all.sector_read, run.places_[b].shadow.sector_read);
    first.written += add_sectors(all.sector_written, run.places_[b].shadow.sector_written);
  }
  return first;
}

}  // namespace trl::executor
