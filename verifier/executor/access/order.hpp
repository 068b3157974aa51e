#pragma once
// Finds which accesses of other programs come before a program's next one in every timing:
// happens-before by vector clocks (Lamport 1978; Flanagan and Freund, FastTrack, 2009).
//
// A program has two timelines. One belongs to its leader, the thread that carries out scalar stores and
// scalar atomics: each release publishes all of it. The other belongs to the whole block, in which every
// thread accesses its own elements: a release publishes it only up to the last barrier, since the leader's
// release doesn't order later accesses of other threads. A segment is a part of one timeline between such
// points; accesses to memory are recorded with their segment.
#include <cstdint>
#include <vector>

#include "verifier/executor/access/clocks.hpp"

namespace trl::executor {

class Order {
 public:
  /// Segments are numbered from 1; 0 means none.
  using Segment = std::uint32_t;

  /// How far a program has come. `known` is everything that comes before its next access, its own accesses
  /// included.
  struct Progress {
    std::uint32_t program = 0;
    Clock known;
    std::uint32_t leader_time = 0, block_time = 0;
    Segment leader = 0, block = 0;  // 0: a new segment begins with the next access
  };

  ClockPool& clocks() { return clocks_; }

  static Progress begin(std::uint32_t program) {
    Progress progress;
    progress.program = program;
    return progress;
  }
  /// Returns the segment of an access.
  Segment segment(Progress& progress, bool by_block);
  /// Called when all threads of the program meet at a barrier.
  void barrier(Progress& progress);
  /// Called when the program reads a location to which a release published; `clock` is the location's.
  void acquire(Progress& progress, ClockPool::Id clock);
  /// Returns the location's new clock, with a reference for the caller. When several atomics change a
  /// location in turn, the clocks that earlier ones published stay (a release sequence).
  ClockPool::Id release(Progress& progress, ClockPool::Id clock, bool by_block);

  bool before(const Progress& progress, Segment segment) const {
    const ClockPool::Entry& entry = segments_[segment];
    if (program_of(entry) == progress.program) return true;
    return clocks_.at(progress.known.id(), entry.timeline) >= entry.time;
  }
  /// Returns `clock` extended by a segment, with a reference for the caller.
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
