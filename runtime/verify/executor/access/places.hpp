#pragma once
// The buffers as one run of programs sees them, and what it did there.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "runtime/verify/executor/access/clocks.hpp"
#include "runtime/verify/executor/launch/memory.hpp"

namespace trl::executor {

/// Who touched something, and the operation that did. Where programs synchronise, who is a segment
/// (order.hpp) or, with `is_set`, a clock of several; else a program's number + 1. 0 is nobody.
struct Touch {
  static constexpr std::uint32_t flag = 0x80000000u;    ///< what it says, races.cpp knows
  static constexpr std::uint32_t is_set = 0x40000000u;  ///< the number below is a ClockPool::Id

  std::uint32_t who = 0;
  std::int32_t location = -1;  ///< into Program::locations

  std::uint32_t number() const { return who & ~(flag | is_set); }
  bool flagged() const { return (who & flag) != 0; }
  bool several() const { return (who & is_set) != 0; }
};

/// Elements that are zero at first, and whose pages cost nothing until they are touched.
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

/// What a launch's programs did to a buffer.
struct Shadow {
  Zeroed<std::uint32_t> sector_read, sector_written;  ///< the access that touched the sector last
  Zeroed<std::uint8_t> touched;                       ///< 1 for each of Place::page bytes that was
  std::int64_t granule = 0;                           ///< bytes an entry below stands for; 0: none
  Zeroed<Touch> writer;                               ///< the last; atomic ones: all that are in no order
  Zeroed<Touch> reader, second_reader;                ///< the first and the others; empty: none
  Zeroed<ClockPool::Id> released;                     ///< of each word of 4 bytes: what its release left

  static constexpr std::int64_t word = 4;

  /// Makes granules small enough for elements of `size` bytes in a buffer of `bytes`. `clocks` are those that
  /// touches may name.
  void refine(std::int64_t bytes, std::int64_t size, ClockPool* clocks);
};

struct Place {
  const std::string* name = nullptr;
  bool writable = false;
  std::byte* bytes = nullptr;
  std::int64_t size = 0;
  std::uint8_t* written = nullptr;  ///< one a byte; null: all are written
  /// Of a private copy: where pages come from when they are touched first.
  const std::byte* from = nullptr;
  const std::uint8_t* from_written = nullptr;
  Shadow shadow;

  static constexpr std::int64_t page = 4096;
  /// Before bytes of a buffer that may be written are read or written, by a run that notes what it touches.
  void reach(std::int64_t offset, std::int64_t count);
};

class Places {
 public:
  explicit Places(Memory& memory);
  Places(Places&&) = default;
  /// The same buffers; of those that may be written a private copy, made page by page as it is touched: until
  /// then these places must stay as they are.
  Places with_own_copies() const;

  int size() const { return static_cast<int>(places_.size()); }
  Place& operator[](int index) { return places_[static_cast<std::size_t>(index)]; }
  /// Bytes that with_own_copies() takes, bookkeeping included.
  std::uint64_t copy_bytes() const;

  /// True when no byte that one of the runs wrote was read or written by another: then they could as well
  /// have run one after another, in any order.
  static bool independent(std::span<Places* const> runs);
  /// Takes over what a run on copies wrote; independent() must hold.
  void merge(Places& run);
  /// Sectors that `run` read and wrote first, those of runs merged before aside.
  struct Sectors {
    std::uint64_t read = 0, written = 0;
  };
  Sectors merge_sectors(const Places& run);

 private:
  Places() = default;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<std::byte[]>> own_bytes_;
  std::vector<std::unique_ptr<std::uint8_t[]>> own_written_;
};

}  // namespace trl::executor
