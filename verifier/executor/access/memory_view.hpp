#pragma once
// Shadow memory: the buffers as one run of programs sees them, with a record of its accesses.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "verifier/executor/access/clocks.hpp"
#include "verifier/executor/launch/memory.hpp"

namespace trl::executor {

/// The program that accessed some bytes, and its operation. In a launch whose programs synchronise, `who` is
/// a segment (order.hpp) or, with `is_set`, a clock of several segments; otherwise it is a program's number +
/// 1. 0 means nobody.
struct Touch {
  static constexpr std::uint32_t flag = 0x80000000u;    ///< its meaning is defined in races.cpp
  static constexpr std::uint32_t is_set = 0x40000000u;  ///< the rest of the bits is a ClockPool::Id

  std::uint32_t who = 0;
  std::int32_t location = -1;  ///< index into Program::locations

  std::uint32_t number() const { return who & ~(flag | is_set); }
  bool flagged() const { return (who & flag) != 0; }
  bool several() const { return (who & is_set) != 0; }
};

/// An array that is zero at first, and whose pages take no memory until they are touched.
template <class T>
class Zeroed {
 public:
  void allocate(std::size_t count) {
    data_.reset(static_cast<T*>(std::calloc(count, sizeof(T))));
    if (data_ == nullptr) throw std::bad_alloc();
    size_ = count;
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

/// The record of a launch's accesses to one buffer.
struct Shadow {
  /// The number of the last access that touched the sector.
  Zeroed<std::uint32_t> sector_read, sector_written;
  Zeroed<std::uint8_t> touched;  ///< 1 for each Place::page bytes that were touched
  std::int64_t granule = 0;      ///< bytes for which one entry below stands; 0: there are no entries
  Zeroed<Touch> writer;  ///< the last writer; of atomic ones, all that are not ordered with each other
  Zeroed<Touch> reader, second_reader;  ///< the first reader and the others; empty: none
  Zeroed<ClockPool::Id> released;  ///< for each word of 4 bytes: the clock that a release published there

  static constexpr std::int64_t word = 4;

  /// Makes the granules small enough for elements of `size` bytes in a buffer of `bytes`. `clocks` is the
  /// pool of the clocks in Touches.
  void refine(std::int64_t bytes, std::int64_t size, ClockPool* clocks);
};

struct Place {
  const std::string* name = nullptr;
  bool writable = false;
  std::byte* bytes = nullptr;
  std::int64_t size = 0;
  std::uint8_t* written = nullptr;  ///< one entry per byte; null: all are written
  std::uint64_t address = 0;        ///< as in Buffer
  /// For a private copy: where a page is copied from when it is first touched.
  const std::byte* from = nullptr;
  const std::uint8_t* from_written = nullptr;
  Shadow shadow;

  static constexpr std::int64_t page = 4096;
  /// Must be called before bytes of a writable buffer are read or written, in a run that records accesses.
  void reach(std::int64_t offset, std::int64_t count);
};

class MemoryView {
 public:
  explicit MemoryView(Memory& memory);
  MemoryView(MemoryView&&) = default;
  /// The same buffers with private copies of the writable ones. Pages are copied when they are first touched;
  /// until then this object must not change.
  MemoryView with_own_copies() const;

  int size() const { return static_cast<int>(places_.size()); }
  Place& operator[](int index) { return places_[static_cast<std::size_t>(index)]; }
  /// The number that a kernel sees for an address in a buffer, 0 where the buffer has none, and the pointer
  /// for a number: into the buffer at whose address, or near whose address, it lies (perhaps outside of the
  /// buffer's bounds), or to no buffer.
  std::uint64_t number_of(int buffer, std::int64_t offset) const;
  std::uint64_t pointer_from(std::uint64_t number) const;
  /// The number of a pointer as blocks hold it; 0 where it belongs to no buffer or the buffer has no address.
  std::uint64_t number_from(std::uint64_t pointer) const;
  /// Bytes of memory that with_own_copies() takes, including bookkeeping.
  std::uint64_t copy_bytes() const;

  /// Whether no byte that one of the runs wrote was read or written by another. Then the result is the same
  /// as if they had run one after another, in any order.
  static bool independent(std::span<MemoryView* const> runs);
  /// Takes over the writes of a run on copies; independent() must be true.
  void merge(MemoryView& run);
  /// The numbers of sectors that `run` read and wrote and that no run merged earlier did.
  struct Sectors {
    std::uint64_t read = 0, written = 0;
  };
  Sectors merge_sectors(const MemoryView& run);

 private:
  MemoryView() = default;
  std::vector<Place> places_;
  std::map<std::uint64_t, int> by_address_;  // the buffers that have an address
  std::vector<std::unique_ptr<std::byte[]>> own_bytes_;
  std::vector<std::unique_ptr<std::uint8_t[]>> own_written_;
};

}  // namespace trl::executor
