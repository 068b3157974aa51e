// Sums of tensors, added in an order that doesn't depend on how many processes add them.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "runtime/group/group.hpp"

namespace trl::runtime {

/// Sums the leaves of a fixed binary tree. The sum of n leaves is the sum of the first 2^k leaves,
/// where 2^k is the largest power of two below n, plus the sum of the remaining leaves. The sum of one leaf
/// is the leaf itself. A block is a part of the tree with leaves i · 2^k … (i + 1) · 2^k - 1. A run of leaves
/// can be reduced to a few blocks without knowing the other leaves; at most 2 · log2(leaves) + 1 blocks are
/// kept.
class TreeSum {
 public:
  /// The sum of the leaves with numbers `first` … `first + leaves - 1`.
  struct Block {
    std::size_t first, leaves;
    at::Tensor sum;  // may be undefined where only the tree's shape matters
  };

  /// Adds a block that directly follows the blocks added before. `sum` is kept, and may be changed.
  void add(std::size_t first, std::size_t leaves, at::Tensor sum);
  const std::vector<Block>& blocks() const { return blocks_; }
  /// Returns the sum of all leaves of the tree, all of which must have been added. It is added up in the
  /// tensors of the blocks, which it changes. Undefined if the tree has no leaves.
  at::Tensor whole() const;

 private:
  std::vector<Block> blocks_;
};

/// Returns the sum of all leaves of a tree. Process r of the group has added to its `own` the leaves
/// bounds[r] … bounds[r + 1] - 1. All sums are flat tensors with the type and size of `zeros`, the sum of no
/// leaves. Each process adds up a part of the elements and sends it to the others. The result has the same
/// bits for every size of the group.
at::Tensor sum_in_group(const Group& group, const std::vector<std::size_t>& bounds, const TreeSum& own,
                        const at::Tensor& zeros);

}  // namespace trl::runtime
