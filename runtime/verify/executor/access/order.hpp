#pragma once
// Which accesses of other programs come before a program's next one, whatever the timing: happens-before by
// vector clocks (Lamport 1978; Flanagan and Freund, FastTrack, 2009).
//
// A program has two timelines. What its leader does (the one thread that carries out scalar stores and scalar
// atomics) is handed on by each release. What the whole block does, every thread for its own elements, is
// handed on only from the last barrier on: a release by the leader says nothing of what another thread did
// since. A segment is a stretch of one timeline between such points; touches of memory name it.
#include <cstdint>
#include <vector>

#include "runtime/verify/executor/access/clocks.hpp"

namespace trl::executor {

class Order {
 public:
  /// A number from 1 on; 0 is none.
  using Segment = std::uint32_t;

  /// How far a program has come; `known` is what comes before its next access, its own included.
  struct Progress {
    std::uint32_t program = 0;
    Clock known;
    std::uint32_t leader_time = 0, block_time = 0;
    Segment leader = 0, block = 0;  // 0: begins with the next access
  };

  ClockPool& clocks() { return clocks_; }

  static Progress begin(std::uint32_t program) {
    Progress progress;
    progress.program = program;
    return progress;
  }
  /// The segment of an access.
  Segment segment(Progress& progress, bool by_block);
  /// All threads of the program meet.
  void barrier(Progress& progress);
  /// The program reads what a release left; `clock` stands at the location.
  void acquire(Progress& progress, ClockPool::Id clock);
  /// What stands at the location afterwards; the caller keeps it. Of a location that an atomic changes again
  /// and again what stood there stays (a release sequence).
  ClockPool::Id release(Progress& progress, ClockPool::Id clock, bool by_block);

  bool before(const Progress& progress, Segment segment) const {
    const ClockPool::Entry& entry = segments_[segment];
    if (program_of(entry) == progress.program) return true;
    return clocks_.at(progress.known.id(), entry.timeline) >= entry.time;
  }
  /// A clock that knows what another does and a segment; the caller keeps it.
  ClockPool::Id with(ClockPool::Id clock, Segment segment) {
    return clocks_.with(clock, segments_[segment].timeline, segments_[segment].time);
  }
  std::uint32_t program(Segment segment) const { return program_of(segments_[segment]); }
  static std::uint32_t program_of(const ClockPool::Entry& entry) { return entry.timeline >> 1; }

 private:
  static constexpr std::size_t most_segments = std::size_t{1} << 26;

  static std::uint32_t leader_line(const Progress& progress) { return progress.program * 2; }
  static std::uint32_t block_line(const Progress& progress) { return progress.program * 2 + 1; }
  Segment add(std::uint32_t timeline, std::uint32_t time);
  void learn(Progress& progress, std::uint32_t timeline, std::uint32_t time) {
    progress.known = Clock(clocks_, clocks_.with(progress.known.id(), timeline, time));
  }

  ClockPool clocks_;
  std::vector<ClockPool::Entry> segments_{1};
};

}  // namespace trl::executor
