#pragma once
// Loads, stores and atomics of blocks on checked memory, with counters.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "verifier/executor/access/findings.hpp"
#include "verifier/executor/access/memory_view.hpp"
#include "verifier/executor/access/order.hpp"
#include "verifier/executor/access/threads.hpp"
#include "verifier/executor/launch/launch.hpp"
#include "verifier/executor/launch/report.hpp"
#include "verifier/executor/program/ir.hpp"

namespace trl::executor {

/// The representation of a pointer in blocks: the buffer's number + 1 in the top 16 bits (0: no buffer), and
/// below it the byte offset plus `bias`. Offsets saturate (kernels/pointers.cpp), and both extremes are
/// outside every buffer.
namespace address {
constexpr int shift = 48;
constexpr std::uint64_t offset_mask = (std::uint64_t{1} << shift) - 1;
constexpr std::int64_t bias = std::int64_t{1} << 47;
inline std::uint64_t pack(int buffer, std::int64_t offset) {
  constexpr std::int64_t far = bias - 1;
  const std::int64_t near = offset < -far ? -far : offset > far ? far : offset;
  return (static_cast<std::uint64_t>(buffer + 1) << shift) | static_cast<std::uint64_t>(near + bias);
}
inline int buffer(std::uint64_t pointer) { return static_cast<int>(pointer >> shift) - 1; }
inline std::int64_t offset(std::uint64_t pointer) {
  return static_cast<std::int64_t>(pointer & offset_mask) - bias;
}
}  // namespace address

class Access {
 public:
  /// The record of accesses: none; which program touched which bytes, for comparing runs; or also their
  /// order, to find races.
  enum class Tracking { none, notes, races };

  /// Bytes that a program read, with their contents at that time.
  struct Watched {
    int buffer = 0;
    std::int64_t offset = 0;
    std::int32_t bytes = 0, location = -1;
    std::vector<std::byte> held;
  };

  /// The state of a program that has begun and not ended.
  struct InFlight {
    std::uint32_t number = 0;  // the program's number + 1
    Order::Progress progress;
    Threads threads;
    bool scratch = false;          // shared memory was read since the last barrier
    std::int64_t last_size = 0;    // size of the last element that a block loaded or stored
    std::uint64_t polls = 0;       // number of atomics and volatile loads
    std::uint64_t changes = 0;     // number of stores, and of atomics that changed something
    std::vector<Watched> watched;  // its reads since forget_watched()
    bool watches_all = true;       // `watched` has everything that it read
  };

  /// `synchronises`: the launch has atomics or volatile loads, so that some programs may be ordered before
  /// others.
  Access(MemoryView& places, const Options& options, Findings& findings, Counters& counters,
         Tracking tracking, bool synchronises);

  /// `number` is the program's index in the launch, from 0; messages show it as three numbers according to
  /// `grid`.
  void begin_program(std::uint32_t number);
  void set_grid(const std::uint32_t* grid) { grid_ = grid; }
  /// Saves the state of the program in flight in `other`, and continues with the state that was there.
  void exchange(InFlight& other) {
    std::swap(in_flight_, other);
    known_ = {};
  }
  const InFlight& in_flight() const { return in_flight_; }

  /// Called when all threads of the program meet at a barrier.
  void barrier();
  /// Called when the program exchanges data through shared memory, with a barrier between its stores and its
  /// loads.
  void shares() {
    barrier();
    in_flight_.scratch = true;
  }

  /// Begins a new record of the program's reads.
  void forget_watched() {
    in_flight_.watched.clear();
    in_flight_.watches_all = true;
  }
  /// Whether all memory that the program has watched still has the same contents.
  bool holds(const InFlight& program) const;
  /// The program's last read, as "offset 12 of flags", for messages.
  std::string describe_watched(const InFlight& program) const;
  std::string program_name(std::uint32_t number) const;

  /// The operands are those of op.operands: pointer, [mask, [other]] / pointer, value, [mask] / pointer,
  /// value, [mask] / pointer, expected, new. `out` receives n elements in storage form.
  void load(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);
  void store(const ir::Operation& op, const Operands& in, std::int64_t n);
  void atomic(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);
  void compare_and_swap(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);

 private:
  /// The work that is counted for each piece of consecutive elements of an access, in addition to its
  /// elements.
  static constexpr std::uint64_t piece_work = 16;

  struct Target {
    Place* place = nullptr;
    int number = -1;
    std::int64_t offset = 0;
  };
  Place* inside(std::uint64_t pointer, std::int64_t bytes, Target& target);
  bool check(const ir::Operation& op, std::uint64_t pointer, std::int64_t size, bool writes, Target& target);
  void watch(const ir::Operation& op, const Target& target, std::int64_t bytes);
  void check_written(const ir::Operation& op, const Target& target, std::int64_t bytes, std::int64_t size);
  /// `first` is the number of the first element in its block, or Piece::by_all for a single element that all
  /// threads share.
  void load_run(const ir::Operation& op, std::uint64_t pointer, void* out, std::int64_t n,
                std::int64_t first);
  void store_run(const ir::Operation& op, std::uint64_t pointer, const std::byte* values, std::int64_t n,
                 std::int64_t first);
  template <class Change>
  void atomic_each(const ir::Operation& op, const Operands& in, const std::uint8_t* mask,
                   std::int64_t mask_stride, void* out, std::int64_t n, Change change);
  const std::byte* as_memory(Scalar scalar, const void* values, std::int64_t stride, std::int64_t n);
  /// Fills n elements as if they were loaded from memory in which each byte is `byte`.
  static void fill(Scalar scalar, std::uint8_t byte, void* out, std::int64_t n);

  void count_read(Target& target, std::int64_t bytes);
  void count_written(Target& target, std::int64_t bytes);

  // races.cpp
  std::uint32_t who(const ir::Operation& op);
  bool apart(const Touch& touch) const;
  std::uint32_t program_of(const Touch& touch) const;
  bool own(const Touch& touch) const;
  void note(Touch& touch, std::uint32_t who, int location, bool flagged);
  void clear(Touch& touch);
  bool may_have_readers(const Shadow& shadow, std::size_t granule) const {
    return !shadow.reader.empty() && shadow.reader[granule].who != 0;
  }
  const Touch* other_reader(const Shadow& shadow, std::size_t granule, bool by_atomic) const;
  void note_reader(Shadow& shadow, std::size_t granule, const ir::Operation& op, std::uint32_t who,
                   bool strong);
  void forget_readers(Shadow& shadow, std::size_t granule);
  void forget_released(Shadow& shadow, std::int64_t offset, std::int64_t bytes);
  void race_load(const ir::Operation& op, const Target& target, std::int64_t n, std::int64_t first);
  void race_store(const ir::Operation& op, const Target& target, const std::byte* values, std::int64_t n,
                  std::int64_t first);
  bool compare_store(const ir::Operation& op, const Target& target, const std::byte* values,
                     std::int64_t bytes, std::int64_t size, std::size_t granule);
  void race_atomic(const ir::Operation& op, const Target& target, std::int64_t size, bool changes);
  void report_race(const ir::Operation& op, const Target& target, std::int64_t offset, std::int64_t size,
                   const Touch& other, const char* here, const char* there);
  Piece piece(const ir::Operation& op, const Target& target, std::int64_t n, std::int64_t first) const;
  void report_threads(const ir::Operation& op, const Target& target, const Piece& mine, const Piece& other,
                      const char* here, const char* there);
  void convert_layout(const ir::Operation& op);
  void name_other(Finding* finding, std::uint32_t program, const Source& source) const;

  // atomics.cpp
  void acquire(const Target& target);
  void release(const ir::Operation& op);

  MemoryView& places_;
  const Options& options_;
  Findings& findings_;
  Counters& counters_;
  const std::uint32_t* grid_ = nullptr;
  std::uint32_t access_ = 0;  // number of accesses of this launch so far
  bool tracks_ = false;
  bool races_ = false;
  bool synchronises_ = false;
  // Orders programs that synchronise, for finding races; must outlive in_flight_.
  std::unique_ptr<Order> order_;
  InFlight in_flight_;
  mutable Touch known_;  // the touch for which apart() was called last
  mutable bool known_apart_ = false;
  // The set that note() made last, and the set that it was made from.
  ClockPool::Id set_before_ = 0, set_after_ = 0;
  std::uint32_t set_who_ = 0;
  std::vector<ClockPool::Id*> releases_;  // of the atomic that is being carried out
  std::vector<std::byte> staging_;
};

}  // namespace trl::executor
