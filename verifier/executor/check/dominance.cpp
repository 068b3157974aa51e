#include "verifier/executor/check/check.hpp"

#include <algorithm>
#include <utility>

#include "verifier/executor/program/failure.hpp"

namespace trl::executor {
namespace {

constexpr std::size_t most_blocks = 4096;  // per region
constexpr int nowhere = -1;

/// The dominator tree of a region's blocks (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance
/// Algorithm").
class DominatorTree {
 public:
  explicit DominatorTree(const ir::Region& region)
      : count_(region.blocks.size()), order_(count_, nowhere), above_(count_, nowhere) {
    successors_.resize(count_);
    predecessors_.resize(count_);
    for (std::size_t i = 0; i < count_; ++i)
      for (const ir::Successor& next : region.blocks[i].operations.back().successors) {
        successors_[i].push_back(next.block);
        predecessors_[static_cast<std::size_t>(next.block)].push_back(static_cast<int>(i));
      }
    number();
    find();
    span();
  }

  bool reachable(int block) const { return order_[static_cast<std::size_t>(block)] != nowhere; }
  /// Both blocks must be reachable.
  bool dominates(int above, int below) const {
    const auto [begin, end] = spans_[static_cast<std::size_t>(above)];
    const int at = spans_[static_cast<std::size_t>(below)].first;
    return begin <= at && at < end;
  }

 private:
  // Numbers the blocks in reverse postorder, with an explicit stack, since a chain of blocks may be long.
  void number() {
    std::vector<std::pair<int, std::size_t>> path{{0, 0}};
    std::vector<bool> seen(count_, false);
    seen[0] = true;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      const std::vector<int>& targets = successors_[static_cast<std::size_t>(block)];
      if (next < targets.size()) {
        const int target = targets[next++];
        if (!seen[static_cast<std::size_t>(target)]) {
          seen[static_cast<std::size_t>(target)] = true;
          path.emplace_back(target, 0);
        }
      } else {
        sequence_.push_back(block);
        path.pop_back();
      }
    }
    std::reverse(sequence_.begin(), sequence_.end());
    for (std::size_t i = 0; i < sequence_.size(); ++i)
      order_[static_cast<std::size_t>(sequence_[i])] = static_cast<int>(i);
  }

  int common(int a, int b) const {
    while (a != b) {
      while (order_[static_cast<std::size_t>(a)] > order_[static_cast<std::size_t>(b)])
        a = above_[static_cast<std::size_t>(a)];
      while (order_[static_cast<std::size_t>(b)] > order_[static_cast<std::size_t>(a)])
        b = above_[static_cast<std::size_t>(b)];
    }
    return a;
  }

  void find() {
    above_[0] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 1; i < sequence_.size(); ++i) {
        const auto block = static_cast<std::size_t>(sequence_[i]);
        int found = nowhere;
        for (const int from : predecessors_[block]) {
          if (above_[static_cast<std::size_t>(from)] == nowhere) continue;
          found = found == nowhere ? from : common(from, found);
        }
        if (above_[block] != found) above_[block] = found, changed = true;
      }
    }
  }

  // Computes entry and exit times of a walk through the tree: a block is dominated by another if its interval
  // is inside the other's.
  void span() {
    std::vector<std::vector<int>> below(count_);
    for (std::size_t i = 1; i < sequence_.size(); ++i)
      below[static_cast<std::size_t>(above_[static_cast<std::size_t>(sequence_[i])])].push_back(sequence_[i]);
    spans_.resize(count_);
    int clock = 0;
    std::vector<std::pair<int, std::size_t>> path{{0, 0}};
    spans_[0].first = clock++;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      const auto at = static_cast<std::size_t>(block);
      if (next < below[at].size()) {
        const int child = below[at][next++];
        spans_[static_cast<std::size_t>(child)].first = clock++;
        path.emplace_back(child, 0);
      } else {
        spans_[at].second = clock;
        path.pop_back();
      }
    }
  }

  std::size_t count_;
  std::vector<std::vector<int>> successors_, predecessors_;
  std::vector<int> sequence_;  // the reachable blocks in reverse postorder
  std::vector<int> order_;     // a block's index in that sequence
  std::vector<int> above_;     // immediate dominators
  std::vector<std::pair<int, int>> spans_;
};

class Dominance {
 public:
  explicit Dominance(const ir::Function& function) : function_(function) {}

  void run() {
    places_.resize(function_.values.size());
    define(function_.body, {});
    use(function_.body);
  }

 private:
  /// The position of an operation, or of a block's arguments (operation -1).
  struct Place {
    int region = nowhere, block = 0, operation = 0;
  };
  struct Region {
    Place parent;  // the operation whose region this is
    DominatorTree tree;
  };

  Place& place(int value, std::size_t at) {
    if (value < 0 || static_cast<std::size_t>(value) >= places_.size())
      throw Failure{"there is no such value", at};
    return places_[static_cast<std::size_t>(value)];
  }

  void define_value(int value, const Place& where, std::size_t at) {
    Place& known = place(value, at);
    if (known.region != nowhere) throw Failure{"a value is defined twice", at};
    known = where;
  }

  // Regions are numbered in the order of this traversal; `use` traverses them in the same order.
  void define(const ir::Region& region, const Place& parent) {
    if (region.blocks.empty()) return;
    if (region.blocks.size() > most_blocks)
      throw Failure{"a region has too many blocks", region.blocks.front().operations.front().at};
    const auto number = static_cast<int>(regions_.size());
    regions_.push_back({parent, DominatorTree(region)});
    for (std::size_t b = 0; b < region.blocks.size(); ++b) {
      const ir::Block& block = region.blocks[b];
      Place here{number, static_cast<int>(b), -1};
      for (const int argument : block.arguments) define_value(argument, here, block.operations.front().at);
      for (const ir::Operation& op : block.operations) {
        ++here.operation;
        for (const int result : op.results) define_value(result, here, op.at);
        for (const ir::Region& nested : op.regions) define(nested, here);
      }
    }
  }

  void use(const ir::Region& region) {
    if (region.blocks.empty()) return;
    const int number = next_region_++;
    for (std::size_t b = 0; b < region.blocks.size(); ++b) {
      Place here{number, static_cast<int>(b), -1};
      for (const ir::Operation& op : region.blocks[b].operations) {
        ++here.operation;
        for (const int operand : op.operands) check_use(operand, here, op.at);
        for (const ir::Successor& successor : op.successors)
          for (const int operand : successor.operands) check_use(operand, here, op.at);
        for (const ir::Region& nested : op.regions) use(nested);
      }
    }
  }

  void check_use(int value, Place from, std::size_t at) {
    const Place& defined = place(value, at);
    while (from.region != nowhere) {
      const Region& region = regions_[static_cast<std::size_t>(from.region)];
      if (!region.tree.reachable(from.block)) return;
      if (from.region == defined.region) {
        const bool before =
            from.block == defined.block
                ? defined.operation < from.operation
                : region.tree.reachable(defined.block) && region.tree.dominates(defined.block, from.block);
        if (before) return;
        break;
      }
      from = region.parent;
    }
    throw Failure{"a value is used where it isn't defined on every path", at};
  }

  const ir::Function& function_;
  std::vector<Place> places_;  // the position of each value's definition
  std::vector<Region> regions_;
  int next_region_ = 0;
};

}  // namespace

void check_dominance(const ir::Function& function) { Dominance(function).run(); }

}  // namespace trl::executor
