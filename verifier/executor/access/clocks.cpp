#include "verifier/executor/access/clocks.hpp"

#include <bit>
#include <stdexcept>
#include <utility>

namespace trl::executor {

ClockPool::Id ClockPool::make(Node node) {
  if (alive_ >= most_nodes)  // remembered joins don't count
    for (Joined& one : joined_) {
      const Joined forgotten = std::exchange(one, {});
      for (const Id id : {forgotten.a, forgotten.b, forgotten.both}) drop(id);
    }
  if (alive_ >= most_nodes)
    throw std::runtime_error(
        "the launch's programs synchronise with each other in more ways than it can follow");
  ++alive_;
  node.holders = 1;
  if (free_.empty()) {
    nodes_.push_back(node);
    return static_cast<Id>(nodes_.size() - 1);
  }
  const Id id = free_.back();
  free_.pop_back();
  nodes_[id] = node;
  return id;
}

void ClockPool::drop(Id clock) {
  while (clock != 0) {
    if (--nodes_[clock].holders > 0) return;
    const Node gone = nodes_[clock];
    free_.push_back(clock);
    --alive_;
    if (gone.bit == 0) return;
    drop(gone.left);
    clock = gone.right;
  }
}

std::uint32_t ClockPool::at(Id clock, std::uint32_t timeline) const {
  while (clock != 0) {
    const Node& node = nodes_[clock];
    if (node.bit == 0) return node.timeline == timeline ? node.left : 0;
    if (!fits(node, timeline)) return 0;
    clock = (timeline & node.bit) == 0 ? node.left : node.right;
  }
  return 0;
}

ClockPool::Id ClockPool::branch(std::uint32_t timeline, std::uint32_t bit, Id left, Id right) {
  return make({0, timeline & ~(2 * bit - 1), bit, left, right});
}

ClockPool::Id ClockPool::link(std::uint32_t timeline_a, Id a, std::uint32_t timeline_b, Id b) {
  const std::uint32_t bit = std::bit_floor(timeline_a ^ timeline_b);
  return (timeline_a & bit) == 0 ? branch(timeline_a, bit, a, b) : branch(timeline_a, bit, b, a);
}

/// Returns a branch like `like` with other children, which the caller has already kept; `like` itself if the
/// children are the same.
ClockPool::Id ClockPool::branch_like(Id like, Id left, Id right) {
  const Node node = nodes_[like];
  if (left != node.left || right != node.right) return branch(node.timeline, node.bit, left, right);
  drop(left);
  drop(right);
  return keep(like);
}

ClockPool::Id ClockPool::with(Id clock, std::uint32_t timeline, std::uint32_t time) {
  if (clock == 0) return make({0, timeline, 0, time, 0});
  const Node node = nodes_[clock];
  if (node.bit == 0 && node.timeline == timeline)
    return node.left >= time ? keep(clock) : make({0, timeline, 0, time, 0});
  if (node.bit == 0 || !fits(node, timeline)) {
    const Id leaf = make({0, timeline, 0, time, 0});
    return link(timeline, leaf, node.timeline, keep(clock));
  }
  if ((timeline & node.bit) == 0)
    return branch_like(clock, with(node.left, timeline, time), keep(node.right));
  const Id right = with(node.right, timeline, time);
  return branch_like(clock, keep(node.left), right);
}

ClockPool::Id ClockPool::join(Id a, Id b) {
  if (a == b || b == 0) return keep(a);
  if (a == 0) return keep(b);
  const Node from_a = nodes_[a], from_b = nodes_[b];
  if (from_a.bit == 0 && from_b.bit == 0 && from_a.timeline == from_b.timeline)
    return keep(from_a.left >= from_b.left ? a : b);
  if (from_b.bit == 0) return with(a, from_b.timeline, from_b.left);
  if (from_a.bit == 0) return with(b, from_a.timeline, from_a.left);
  if (from_a.bit < from_b.bit) return join(b, a);
  if (from_a.bit == from_b.bit && from_a.timeline == from_b.timeline) {
    if (joined_.empty()) joined_.resize(remembered);
    const std::size_t place = (a * std::size_t{0x9E3779B1} ^ b * std::size_t{0x85EBCA77}) % remembered;
    if (joined_[place].a == a && joined_[place].b == b) return keep(joined_[place].both);
    const Id left = join(from_a.left, from_b.left), right = join(from_a.right, from_b.right);
    const Id both = left == from_b.left && right == from_b.right ? branch_like(b, left, right)
                                                                 : branch_like(a, left, right);
    const Joined forgotten = std::exchange(joined_[place], {keep(a), keep(b), keep(both)});
    for (const Id one : {forgotten.a, forgotten.b, forgotten.both}) drop(one);
    return both;
  }
  if (from_a.bit == from_b.bit || !fits(from_a, from_b.timeline))
    return link(from_a.timeline, keep(a), from_b.timeline, keep(b));
  if ((from_b.timeline & from_a.bit) == 0) return branch_like(a, join(from_a.left, b), keep(from_a.right));
  const Id right = join(from_a.right, b);
  return branch_like(a, keep(from_a.left), right);
}

ClockPool::Entry ClockPool::first(Id clock) const {
  while (nodes_[clock].bit != 0) clock = nodes_[clock].left;
  return {nodes_[clock].timeline, nodes_[clock].left};
}

std::optional<ClockPool::Entry> ClockPool::beyond(Id a, Id b) const {
  if (a == b || a == 0) return std::nullopt;
  const Node& from_a = nodes_[a];
  if (b == 0) return first(a);
  if (from_a.bit == 0)
    return at(b, from_a.timeline) >= from_a.left ? std::nullopt
                                                 : std::optional<Entry>({from_a.timeline, from_a.left});
  const Node& from_b = nodes_[b];
  if (from_b.bit == from_a.bit && from_b.timeline == from_a.timeline) {
    if (auto left = beyond(from_a.left, from_b.left)) return left;
    return beyond(from_a.right, from_b.right);
  }
  if (from_b.bit > from_a.bit && fits(from_b, from_a.timeline))
    return beyond(a, (from_a.timeline & from_b.bit) == 0 ? from_b.left : from_b.right);
  if (from_b.bit >= from_a.bit || (from_b.bit != 0 && !fits(from_a, from_b.timeline))) return first(a);
  // Everything that b knows is on at most one side of a.
  if (auto left = beyond(from_a.left, b)) return left;
  return beyond(from_a.right, b);
}

}  // namespace trl::executor
