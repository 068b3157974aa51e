#pragma once
// Carries out loads, stores and atomics of blocks on checked memory, and counts them.
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

/// The representation of a pointer in blocks: the top 16 bits hold the buffer's number + 1 (0: no buffer),
/// the other 48 bits the byte offset plus `bias`. Offsets saturate (kernels/pointers.cpp), and the smallest
/// and the largest offset are outside every buffer.
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
  /// The record of accesses that is kept.
  /// - none: no record
  /// - notes: the programs that touched each byte, to compare runs on several threads
  /// - races: as for `notes`, with the order of the accesses, to find races
  enum class Tracking { none, notes, races };

  /// Consecutive bytes that a program read, with their contents at the time of the read.
  struct Watched {
    int buffer = 0;
    std::int64_t offset = 0;
    std::int32_t bytes = 0, location = -1;
    std::vector<std::byte> held;
  };

  /// The state of a program that has begun and not ended.
  struct InFlight {
    std::uint32_t number = 0;        // the program's number + 1
    std::uint32_t first_access = 1;  // the number of the program's first access in the launch
    Order::Progress progress;
    Threads threads;
    bool scratch = false;          // shared memory was read since the last barrier
    std::int64_t last_size = 0;    // size of the last element that a block loaded or stored
    std::uint64_t polls = 0;       // number of atomics and volatile loads
    std::uint64_t changes = 0;     // number of stores, and of atomics that changed memory
    std::vector<Watched> watched;  // the program's reads of writable buffers since forget_watched()
    bool watches_all = true;       // `watched` is complete; false when there were too many reads to list
  };

  /// `synchronises`: the launch has atomics or volatile loads, so that some programs may be ordered before
  /// others.
  Access(MemoryView& places, const Options& options, Findings& findings, Counters& counters,
         Tracking tracking, bool synchronises);

  /// Called before a program runs; `number` is its index in the launch, from 0.
  void begin_program(std::uint32_t number);
  /// Sets the extents of the launch's grid. Messages need them to show a program's index as x, y and z.
  void set_grid(const std::uint32_t* grid) { grid_ = grid; }
  /// Swaps the state of the running program with the state in `other`; the following accesses belong to the
  /// program whose state was in `other`.
  void exchange(InFlight& other) {
    std::swap(in_flight_, other);
    known_ = {};
  }
  const InFlight& in_flight() const { return in_flight_; }
  /// Whether the last load read memory that the launch may write.
  bool read_shared() const { return read_shared_; }

  /// Called when all threads of the program meet at a barrier.
  void barrier();
  /// Called when the program exchanges data between threads through shared memory; the exchange includes a
  /// barrier of all threads.
  void shares() {
    barrier();
    in_flight_.scratch = true;
  }

  /// Begins a new record of the program's reads.
  void forget_watched() {
    in_flight_.watched.clear();
    in_flight_.watches_all = true;
  }
  /// Whether memory still has the contents that the program read, at all bytes in `program.watched`.
  bool holds(const InFlight& program) const;
  /// Describes the program's last read for a message: "offset 12 of flags".
  std::string describe_watched(const InFlight& program) const;
  std::string program_name(std::uint32_t number) const;

  /// Operands: pointer, [mask, [other]]. `out` receives n elements as blocks store them.
  void load(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);
  /// Operands: pointer, value, [mask].
  void store(const ir::Operation& op, const Operands& in, std::int64_t n);
  /// Operands: pointer, value, [mask]. `out` receives the n elements that were in memory before.
  void atomic(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);
  /// Operands: pointer, expected, new. `out` receives the n elements that were in memory before.
  void compare_and_swap(const ir::Operation& op, const Operands& in, void* out, std::int64_t n);

 private:
  /// The work of each run of consecutive elements in an access, in operations (Limits::max_operations). It is
  /// added to the number of elements. Each element of an atomic is a run by itself.
  static constexpr std::uint64_t piece_work = 16;

  struct Target {
    Place* place = nullptr;
    int number = -1;
    std::int64_t offset = 0;
  };
  /// Returns the number of elements, of n consecutive ones from `pointer` on, that are contiguous in memory.
  /// In a paged buffer it may be less than n, since pages aren't contiguous.
  std::int64_t together(std::uint64_t pointer, std::int64_t n, std::int64_t size) const;
  Place* inside(std::uint64_t pointer, std::int64_t bytes, Target& target);
  bool check(const ir::Operation& op, std::uint64_t pointer, std::int64_t size, bool writes, Target& target);
  void watch(const ir::Operation& op, const Target& target, std::int64_t bytes);
  void check_written(const ir::Operation& op, const Target& target, std::int64_t bytes, std::int64_t size);
  /// Loads n consecutive elements. `first` is the index of the first element in its block, or Piece::by_all
  /// for a single element that all threads load.
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

  void note_stored(std::uint64_t pointer, std::int64_t bytes);

  void count_read(Target& target, std::int64_t bytes);
  void count_written(Target& target, std::int64_t bytes);
  void count_atomic(Target& target);

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
  std::uint32_t access_ = 0;  // how many accesses this launch has made so far
  bool tracks_ = false;
  bool races_ = false;
  bool synchronises_ = false;
  bool read_shared_ = false;
  // Orders programs that synchronise, for finding races; must outlive in_flight_.
  std::unique_ptr<Order> order_;
  InFlight in_flight_;
  mutable Touch known_;  // the argument of the last call of apart(), whose result is `known_apart_`
  mutable bool known_apart_ = false;
  // The arguments and the result of the last join by note(): it made the clock `set_after_` from the value
  // `set_before_` of Touch::who by adding the segment `set_who_`.
  ClockPool::Id set_before_ = 0, set_after_ = 0;
  std::uint32_t set_who_ = 0;
  // The entries of Shadow::released to which the current atomic publishes.
  std::vector<ClockPool::Id*> releases_;
  std::vector<std::byte> staging_;
  std::int64_t stored_bytes_ = 0;  // stored bytes of paged buffers
};

}  // namespace trl::executor
