#pragma once
// Vector clocks for very many timelines. A clock is a map from a timeline to a time, with few entries; a
// timeline without an entry has time 0. Clocks are immutable Patricia tries that share equal parts (Okasaki
// and Gill, Fast Mergeable Integer Maps, 1998), so joining two clocks takes time proportional to their
// difference. Joins of the same parts are remembered.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace trl::executor {

/// Holds the nodes of all clocks of a launch. A clock is the index of its root node; its users count their
/// references by keep() and drop().
class ClockPool {
 public:
  using Id = std::uint32_t;  ///< 0: the empty clock, which needs no reference counting

  struct Entry {
    std::uint32_t timeline = 0, time = 0;
  };

  /// The maximum number of live nodes (of 20 bytes each). When more are needed, join() and with() throw
  /// std::runtime_error.
  static constexpr std::size_t most_nodes = std::size_t{4} << 20;

  ClockPool() : nodes_(1) {}

  std::uint32_t at(Id clock, std::uint32_t timeline) const;
  /// Returns `clock` with the time of `timeline` raised to at least `time`. The caller owns a reference to
  /// the result.
  Id with(Id clock, std::uint32_t timeline, std::uint32_t time);
  /// Returns the clock that has, for each timeline, the later of the times in `a` and `b`. The caller owns a
  /// reference to the result.
  Id join(Id a, Id b);
  /// Returns the first entry of `a` whose time is later than the time of the same timeline in `b`; none when
  /// there is no such entry.
  std::optional<Entry> beyond(Id a, Id b) const;

  Id keep(Id clock) {
    if (clock != 0) ++nodes_[clock].holders;
    return clock;
  }
  void drop(Id clock);

 private:
  /// A node of the trie. In a leaf, `bit` is 0 and `left` is the time of `timeline`. In a branch, `timeline`
  /// holds the bits above `bit`, which all timelines below the branch share; the timelines of the left child
  /// have 0 at `bit`, the timelines of the right child 1.
  struct Node {
    std::uint32_t holders = 0, timeline = 0, bit = 0, left = 0, right = 0;
  };

  static bool fits(const Node& branch, std::uint32_t timeline) {
    return (timeline & ~(2 * branch.bit - 1)) == branch.timeline;
  }
  Id make(Node node);
  Id branch(std::uint32_t timeline, std::uint32_t bit, Id left, Id right);
  /// Joins two clocks that have no common prefix: the highest bit in which `timeline_a` and `timeline_b`
  /// differ is above all bits in which the timelines within `a`, or within `b`, differ.
  Id link(std::uint32_t timeline_a, Id a, std::uint32_t timeline_b, Id b);
  Id branch_like(Id like, Id left, Id right);
  Entry first(Id clock) const;

  /// Two clocks and their join, which is remembered. If programs change two counters in turn, each program
  /// joins nearly the same clocks as the program before it.
  struct Joined {
    Id a = 0, b = 0, both = 0;
  };
  static constexpr std::size_t remembered = std::size_t{1} << 16;

  std::vector<Node> nodes_;
  std::vector<Joined> joined_;
  std::vector<Id> free_;
  std::size_t alive_ = 0;
};

/// Owns a reference to a clock, and drops it at the end.
class Clock {
 public:
  Clock() = default;
  /// Takes over the caller's reference.
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
