// Computes lifetimes of values, and from these their offsets in a function's arena.
#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {
namespace {

constexpr int forever = std::numeric_limits<int>::max();
constexpr int nowhere = -1;

class Placer {
 public:
  explicit Placer(Function& function) : function_(function), lives_(function.values.size()) {}

  void run() {
    mark_invariants();
    visit(function_.body, nowhere, nowhere);
    for (const Use& use : uses_) extend(use);
    std::vector<bool> used(function_.values.size());
    for (const Use& use : uses_) used[static_cast<std::size_t>(use.value)] = true;
    mark_used(function_.body, used);
    allocate();
  }

 private:
  struct Life {
    int begin = 0, end = 0, block = nowhere;
  };
  struct Use {
    int value, operation, block;
  };

  Value& value(int index) { return function_.values[static_cast<std::size_t>(index)]; }
  Life& life(int index) { return lives_[static_cast<std::size_t>(index)]; }

  void mark_invariants() {
    const bool entry = function_.is_public && !function_.is_called;
    for (const int parameter : function_.parameters) value(parameter).invariant = entry;
    if (!entry) return;
    for (Operation& op : function_.body.blocks.front().operations) {
      const bool pure = is_elementwise(op.code) || (op.code >= Code::num_programs && op.code <= Code::cat) ||
                        op.code == Code::constant;
      op.once = pure && std::all_of(op.operands.begin(), op.operands.end(),
                                    [this](int operand) { return value(operand).invariant; });
      for (const int result : op.results) value(result).invariant = op.once;
    }
  }

  static void mark_used(Region& region, const std::vector<bool>& used) {
    for (Block& block : region.blocks)
      for (Operation& op : block.operations) {
        op.used = std::any_of(op.results.begin(), op.results.end(),
                              [&used](int result) { return used[static_cast<std::size_t>(result)]; });
        for (Region& nested : op.regions) mark_used(nested, used);
      }
  }

  /// Numbers operations in the text's order; `parent` is the operation that has the region.
  void visit(Region& region, int parent, int parent_block) {
    const bool body = parent == nowhere;
    for (Block& block : region.blocks) {
      const auto number = static_cast<int>(block_parent_.size());
      block_parent_.push_back({parent, parent_block});
      for (const int argument : block.arguments) {
        // The argument is written from outside the block, so it lives as long as the operation that has the
        // region.
        life(argument) = {body ? 0 : parent, body ? forever : parent, number};
      }
      for (Operation& op : block.operations) {
        const auto at = static_cast<int>(operation_end_.size());
        operation_end_.push_back(at);
        for (const int operand : op.operands) uses_.push_back({operand, at, number});
        for (const int factor : op.factors) uses_.push_back({factor, at, number});
        for (const Lanes& lanes : op.lanes) uses_.push_back({lanes.mask, at, number});
        for (const Successor& successor : op.successors) {
          for (const int operand : successor.operands) uses_.push_back({operand, at, number});
        }
        for (const int result : op.results) {
          life(result) = {at, at, number};
          if (op.code == Code::constant) value(result).external = true;
          if (op.once) life(result) = {0, forever, number};
        }
        for (Region& nested : op.regions) visit(nested, at, number);
        operation_end_[static_cast<std::size_t>(at)] = static_cast<int>(operation_end_.size()) - 1;
        const int end = operation_end_[static_cast<std::size_t>(at)];
        for (const int result : op.results) life(result).end = std::max(life(result).end, end);
        for (const Region& nested : op.regions) {
          for (const Block& inside : nested.blocks) {
            for (const int argument : inside.arguments) life(argument).end = end;
          }
        }
      }
    }
  }

  /// A use extends the life of the value whose storage it reads, to the end of the operation around the use
  /// in that value's own block (a loop uses it in every iteration).
  void extend(const Use& use) {
    int root = use.value;
    while (value(root).alias >= 0) root = value(root).alias;
    Life& kept = life(root);
    int operation = use.operation, block = use.block;
    while (block != kept.block) {
      if (block == nowhere) {
        // The use is in another block of a graph, which may run before or after the blocks between them in
        // the text.
        kept.begin = 0;
        kept.end = forever;
        return;
      }
      operation = block_parent_[static_cast<std::size_t>(block)].first;
      block = block_parent_[static_cast<std::size_t>(block)].second;
    }
    kept.end = std::max(kept.end, operation_end_[static_cast<std::size_t>(operation)]);
  }

  std::int64_t bytes(const Value& value) {
    const auto wanted = static_cast<std::uint64_t>(value.capacity * storage_bytes(value.type.scalar));
    return static_cast<std::int64_t>(std::bit_ceil(std::max<std::uint64_t>(wanted, 64)));
  }

  void allocate() {
    std::vector<int> order;
    for (int v = 0; v < static_cast<int>(lives_.size()); ++v) {
      if (value(v).alias < 0 && !value(v).external) order.push_back(v);
    }
    std::vector<int> by_end = order;
    std::stable_sort(order.begin(), order.end(),
                     [this](int a, int b) { return life(a).begin < life(b).begin; });
    std::stable_sort(by_end.begin(), by_end.end(),
                     [this](int a, int b) { return life(a).end < life(b).end; });
    std::array<std::vector<std::int64_t>, 64> free;
    std::size_t ended = 0;
    for (const int v : order) {
      for (; ended < by_end.size() && life(by_end[ended]).end < life(v).begin; ++ended) {
        const Value& gone = value(by_end[ended]);
        free[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(bytes(gone))))].push_back(
            gone.offset);
      }
      std::vector<std::int64_t>& fitting =
          free[static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(bytes(value(v)))))];
      if (fitting.empty()) {
        value(v).offset = function_.arena_bytes;
        function_.arena_bytes += bytes(value(v));
      } else {
        value(v).offset = fitting.back();
        fitting.pop_back();
      }
    }
  }

  Function& function_;
  std::vector<Life> lives_;
  std::vector<Use> uses_;
  std::vector<int> operation_end_;
  std::vector<std::pair<int, int>> block_parent_;  // the operation and the block around each block
};

}  // namespace

void place_values(Function& function) { Placer(function).run(); }

}  // namespace trl::executor::ir
