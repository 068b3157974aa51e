#pragma once
// Finds the definitions of a function's values.
#include <vector>

#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {

/// The definitions of all values of a function. Valid as long as the function isn't changed.
class Definitions {
 public:
  explicit Definitions(const Function& function) : places_(function.values.size()) {
    visit(function.body, nullptr);
  }

  /// Returns the operation that computes a value; null when the value is an argument of a block.
  const Operation* operation(int value) const {
    return place(value).result ? place(value).operation : nullptr;
  }
  /// For a value that is an argument of a block: returns the operation that has the block's region. Null for
  /// a parameter of the function and for an operation's result.
  const Operation* owner(int value) const { return place(value).result ? nullptr : place(value).operation; }
  /// Returns the value's index among the results of its operation or the arguments of its block.
  std::size_t index(int value) const { return place(value).index; }
  /// For an argument of a block: whether the block is the first block of its region.
  bool in_first_block(int value) const { return place(value).block == 0; }
  /// For an argument of a block: the index of the block's region among the regions of owner(value).
  std::size_t region(int value) const { return place(value).region; }

 private:
  struct Place {
    const Operation* operation = nullptr;
    bool result = false;
    std::size_t index = 0, block = 0, region = 0;
  };
  const Place& place(int value) const { return places_[static_cast<std::size_t>(value)]; }

  void visit(const Region& region, const Operation* owner, std::size_t number = 0) {
    for (std::size_t b = 0; b < region.blocks.size(); ++b) {
      const Block& block = region.blocks[b];
      for (std::size_t i = 0; i < block.arguments.size(); ++i)
        places_[static_cast<std::size_t>(block.arguments[i])] = {owner, false, i, b, number};
      for (const Operation& op : block.operations) {
        for (std::size_t i = 0; i < op.results.size(); ++i)
          places_[static_cast<std::size_t>(op.results[i])] = {&op, true, i, 0, 0};
        for (std::size_t r = 0; r < op.regions.size(); ++r) visit(op.regions[r], &op, r);
      }
    }
  }

  std::vector<Place> places_;
};

}  // namespace trl::executor::ir
