#pragma once
// Vector clocks for very many timelines, of which each clock knows few: maps from a timeline to a time, where
// absent timelines have time 0. They are immutable Patricia tries that share equal parts (Okasaki and Gill,
// Fast Mergeable Integer Maps, 1998), so that joining two clocks takes time proportional to their difference.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace trl::executor {

/// Holds the nodes of all clocks of a launch. A clock is an index, with reference counting by its users.
class ClockPool {
 public:
  using Id = std::uint32_t;  ///< 0: the empty clock, which needs no reference counting

  struct Entry {
    std::uint32_t timeline = 0, time = 0;
  };

  /// The maximum number of live nodes, of 20 bytes each; beyond it join() and with() throw
  /// std::runtime_error.
  static constexpr std::size_t most_nodes = std::size_t{4} << 20;

  ClockPool() : nodes_(1) {}

  std::uint32_t at(Id clock, std::uint32_t timeline) const;
  /// A clock that knows all times of `clock`, and that `timeline` is at `time` or later. The caller gets a
  /// reference.
  Id with(Id clock, std::uint32_t timeline, std::uint32_t time);
  /// The later of both times for each timeline. The caller gets a reference.
  Id join(Id a, Id b);
  /// The first entry of `a` whose time is later than in `b`; none when there is no such entry.
  std::optional<Entry> beyond(Id a, Id b) const;

  Id keep(Id clock) {
    if (clock != 0) ++nodes_[clock].holders;
    return clock;
  }
  void drop(Id clock);

 private:
  /// In a leaf `bit` is 0 and `left` is the time. In a branch, `timeline` holds the bits above `bit` that all
  /// timelines below it share; `bit` itself is 0 in the timelines of the left child.
  struct Node {
    std::uint32_t holders = 0, timeline = 0, bit = 0, left = 0, right = 0;
  };

  static bool fits(const Node& branch, std::uint32_t timeline) {
    return (timeline & ~(2 * branch.bit - 1)) == branch.timeline;
  }
  Id make(Node node);
  Id branch(std::uint32_t timeline, std::uint32_t bit, Id left, Id right);
  /// Joins two clocks whose timelines differ in a bit above all bits in which each differs internally.
  Id link(std::uint32_t timeline_a, Id a, std::uint32_t timeline_b, Id b);
  Id branch_like(Id like, Id left, Id right);
  Entry first(Id clock) const;

  std::vector<Node> nodes_;
  std::vector<Id> free_;
  std::size_t alive_ = 0;
};

/// Holds a reference to a clock.
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
