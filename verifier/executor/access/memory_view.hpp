#pragma once
// Shadow memory: the buffers as one run of programs sees them (shared or copied), with a record of the run's
// accesses.
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

/// The program that accessed some bytes, and the location of the accessing operation. In a launch whose
/// programs synchronise, `who` is a segment (order.hpp) or, with the bit `is_set`, a clock of several
/// segments. In other launches `who` is a program's number + 1. It is 0 when no program accessed the bytes.
struct Touch {
  /// For a writer: the write was atomic. For readers see Access::note_reader in races.cpp.
  static constexpr std::uint32_t flag = 0x80000000u;
  static constexpr std::uint32_t is_set = 0x40000000u;  ///< the bits below are a ClockPool::Id, no segment

  std::uint32_t who = 0;
  std::int32_t location = -1;  ///< index into Program::locations

  std::uint32_t number() const { return who & ~(flag | is_set); }
  bool flagged() const { return (who & flag) != 0; }
  bool several() const { return (who & is_set) != 0; }
};

/// An array whose elements are zero at first. Pages of the array take no memory until they are accessed.
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
  /// For each sector: the number of the last access that read it, and of the last access that wrote it.
  Zeroed<std::uint32_t> sector_read, sector_written;
  Zeroed<std::uint8_t> touched;  ///< one entry per page (Place::page bytes): 1 when the page was accessed
  /// The number of bytes per entry of writer, reader and second_reader; 0: these arrays are empty.
  std::int64_t granule = 0;
  Zeroed<Touch> writer;  ///< the last writer, or all last atomic writers that are not ordered with each other
  Zeroed<Touch> reader, second_reader;  ///< the first reader, and the later readers; empty: no readers
  Zeroed<std::uint32_t> atomics;        ///< for each word of 4 bytes: the number of atomics
  Zeroed<ClockPool::Id> released;  ///< for each word of 4 bytes: the clock that a release published there

  static constexpr std::int64_t word = 4;

  /// Makes the granules at most `size` bytes (an element's size), in a buffer of `bytes` bytes. `clocks` is
  /// the pool that holds the clocks in writer, reader and second_reader.
  void refine(std::int64_t bytes, std::int64_t size, ClockPool* clocks);
};

struct Place {
  const std::string* name = nullptr;
  bool writable = false;
  std::byte* bytes = nullptr;
  std::int64_t size = 0;            ///< of `bytes`, and of the records
  std::int64_t extent = 0;          ///< the buffer's size, by which accesses are checked
  Pages* pages = nullptr;           ///< if set, `bytes` and `written` belong to touched pages
  std::uint8_t* written = nullptr;  ///< one entry per byte, 1 when it is initialised; null: all bytes are
  std::uint64_t address = 0;        ///< the address as a number (Buffer::address)
  /// For a private copy: the original bytes and marks, from which a page is copied at its first access.
  const std::byte* from = nullptr;
  const std::uint8_t* from_written = nullptr;
  Shadow shadow;

  static constexpr std::int64_t page = 4096;
  /// Marks the pages of `count` bytes at `offset` as touched; in a private copy, also fills them from the
  /// original. A run that records accesses must call this before it reads or writes bytes of a writable
  /// buffer.
  void reach(std::int64_t offset, std::int64_t count);
};

class MemoryView {
 public:
  explicit MemoryView(Memory& memory);
  MemoryView(MemoryView&&) = default;
  /// Returns a view of the same buffers in which writable buffers are private copies. Pages are copied at
  /// their first access; while the copy is in use, this view must not change.
  MemoryView with_own_copies() const;

  int size() const { return static_cast<int>(places_.size()); }
  Place& operator[](int index) { return places_[static_cast<std::size_t>(index)]; }
  /// Returns the integer that a kernel sees for the address of byte `offset` of a buffer; 0 when the buffer
  /// has no address.
  std::uint64_t number_of(int buffer, std::int64_t offset) const;
  /// Returns the pointer (access.hpp, `address`) for an integer: into the buffer whose address is near the
  /// integer, perhaps outside of the buffer's bounds; 0 when no buffer's address is near.
  std::uint64_t pointer_from(std::uint64_t number) const;
  /// Returns the integer that a kernel sees for a pointer (access.hpp, `address`); 0 when the pointer belongs
  /// to no buffer or the buffer has no address.
  std::uint64_t number_from(std::uint64_t pointer) const;
  /// The number of bytes that a view from with_own_copies() takes at most, with its records.
  std::uint64_t copy_bytes() const;

  /// Whether no byte that one of the runs wrote was read or written by another run. If so, the result is the
  /// same as if the runs had been made one after another, in any order.
  static bool independent(std::span<MemoryView* const> runs);
  /// Copies the bytes that `run` wrote on its private copies into this view's buffers. independent() must be
  /// true for the runs.
  void merge(MemoryView& run);
  /// The numbers of sectors that were read, and that were written.
  struct Sectors {
    std::uint64_t read = 0, written = 0;
  };
  /// Marks the sectors that `run` read and wrote in this view. Returns how many of them weren't marked
  /// before.
  Sectors merge_sectors(const MemoryView& run);

 private:
  MemoryView() = default;
  std::vector<Place> places_;
  std::map<std::uint64_t, int> by_address_;  // the buffers that have an address
  std::vector<std::unique_ptr<std::byte[]>> own_bytes_;
  std::vector<std::unique_ptr<std::uint8_t[]>> own_written_;
};

}  // namespace trl::executor
