#pragma once
// Finds the accesses of other programs that come before a program's next access in every timing: the
// happens-before relation by vector clocks (Lamport 1978; Flanagan and Freund, FastTrack, 2009).
//
// A program has two timelines. The leader's timeline has the accesses of the leader, the thread that carries
// out scalar stores and scalar atomics: each release publishes this whole timeline. The block's timeline has
// the accesses of all threads to their own elements of blocks: a release publishes this timeline only up to
// the last barrier, since the leader's release doesn't order the other threads' accesses after the barrier. A
// segment is a part of a timeline between two releases (leader) or two barriers (block); each access to
// memory is recorded with its segment.
#include <cstdint>
#include <vector>

#include "verifier/executor/access/clocks.hpp"

namespace trl::executor {

class Order {
 public:
  /// Segments are numbered from 1; 0 means none.
  using Segment = std::uint32_t;

  /// A program's position in the order. `known` is the clock of all accesses, its own included, that come
  /// before its next access.
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
  /// Returns the segment of the program's next access: on the block's timeline if `by_block`, else on the
  /// leader's.
  Segment segment(Progress& progress, bool by_block);
  /// Called when all threads of the program meet at a barrier.
  void barrier(Progress& progress);
  /// Called when an acquire of the program reads a location to which a release published `clock`.
  void acquire(Progress& progress, ClockPool::Id clock);
  /// Called when the program releases at a location whose published clock is `clock`. Returns the location's
  /// new clock, to which the caller owns a reference. It includes `clock`, since an acquire also synchronises
  /// with the earlier releases of a release sequence.
  ClockPool::Id release(Progress& progress, ClockPool::Id clock, bool by_block);

  bool before(const Progress& progress, Segment segment) const {
    const ClockPool::Entry& entry = segments_[segment];
    if (program_of(entry) == progress.program) return true;
    return clocks_.at(progress.known.id(), entry.timeline) >= entry.time;
  }
  /// Returns `clock` joined with a segment's time. The caller owns a reference to the result.
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
