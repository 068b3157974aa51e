#pragma once
// Finds the definitions of a function's values.
#include <vector>

#include "verifier/executor/program/ir.hpp"

namespace trl::executor::ir {

/// Valid as long as the function isn't changed.
class Definitions {
 public:
  explicit Definitions(const Function& function) : places_(function.values.size()) {
    visit(function.body, nullptr);
  }

  /// The operation whose result a value is; null for a block's argument.
  const Operation* operation(int value) const {
    return place(value).result ? place(value).operation : nullptr;
  }
  /// The operation that has a region of which the value is an argument; null for other values and for a
  /// function's parameters.
  const Operation* owner(int value) const { return place(value).result ? nullptr : place(value).operation; }
  /// Its index among the operation's results or the block's arguments.
  std::size_t index(int value) const { return place(value).index; }
  /// For an argument: whether its block is the first of its region, and which region that is.
  bool in_first_block(int value) const { return place(value).block == 0; }
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
