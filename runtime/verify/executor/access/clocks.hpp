#pragma once
// Vector clocks of very many timelines, of which each knows few: maps from a timeline to a time, 0 where none
// is held. Immutable Patricia tries that share what they have in common (Okasaki and Gill, Fast Mergeable
// Integer Maps, 1998), so that one is joined with another in time that grows with their difference.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace trl::executor {

/// Holds the nodes of all clocks of a launch. A clock is a number; who keeps one says so.
class ClockPool {
 public:
  using Id = std::uint32_t;  ///< 0: the clock that knows nothing, which nobody needs to keep or drop

  struct Entry {
    std::uint32_t timeline = 0, time = 0;
  };

  /// Nodes of 20 bytes alive at once; beyond it join() and with() throw std::runtime_error.
  static constexpr std::size_t most_nodes = std::size_t{4} << 20;

  ClockPool() : nodes_(1) {}

  std::uint32_t at(Id clock, std::uint32_t timeline) const;
  /// What a clock knows and, of one timeline, at least `time`. The caller keeps the result.
  Id with(Id clock, std::uint32_t timeline, std::uint32_t time);
  /// The later of two times for each timeline. The caller keeps the result.
  Id join(Id a, Id b);
  /// The first entry of `a` that is later than `b` knows; none when b knows all of a.
  std::optional<Entry> beyond(Id a, Id b) const;

  Id keep(Id clock) {
    if (clock != 0) ++nodes_[clock].holders;
    return clock;
  }
  void drop(Id clock);

 private:
  /// A leaf has no bit: `left` is its time. Of a branch, `timeline` is what the timelines below have in
  /// common above `bit`, which is 0 in those to the left.
  struct Node {
    std::uint32_t holders = 0, timeline = 0, bit = 0, left = 0, right = 0;
  };

  static bool fits(const Node& branch, std::uint32_t timeline) {
    return (timeline & ~(2 * branch.bit - 1)) == branch.timeline;
  }
  Id make(Node node);
  Id branch(std::uint32_t timeline, std::uint32_t bit, Id left, Id right);
  /// Two clocks that differ above all that each has in common.
  Id link(std::uint32_t timeline_a, Id a, std::uint32_t timeline_b, Id b);
  Id branch_like(Id like, Id left, Id right);
  Entry first(Id clock) const;

  std::vector<Node> nodes_;
  std::vector<Id> free_;
  std::size_t alive_ = 0;
};

/// A clock that is kept as long as this exists.
class Clock {
 public:
  Clock() = default;
  /// Takes over what the caller kept.
  Clock(ClockPool& pool, ClockPool::Id id) : pool_(&pool), id_(id) {}
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  Clock(Clock&& other) noexcept : pool_(other.pool_), id_(std::exchange(other.id_, 0)) {}
  Clock& operator=(Clock&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(id_, other.id_);
    return *this;
  }
  ~Clock() {
    if (id_ != 0) pool_->drop(id_);
  }

  ClockPool::Id id() const { return id_; }

 private:
  ClockPool* pool_ = nullptr;
  ClockPool::Id id_ = 0;
};

}  // namespace trl::executor
