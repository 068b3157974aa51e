// Sums of tensors in an order that doesn't depend on who adds them.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "runtime/group/group.hpp"

namespace trl::runtime {

/// Sums the leaves of a fixed binary tree. The sum of n leaves is the sum of the first 2^k of them, the
/// largest power of two below n, plus the sum of the others; the sum of one leaf is the leaf. Each of its
/// parts that covers leaves i · 2^k … (i + 1) · 2^k - 1 is a block, so that any run of leaves can be added to
/// a few blocks without knowing the others. At most 2 · log2(leaves) + 1 blocks are kept.
class TreeSum {
 public:
  /// The sum of the leaves `first` … `first + leaves - 1`.
  struct Block {
    std::size_t first, leaves;
    at::Tensor sum;  // may be undefined where only the tree's shape matters
  };

  /// Adds a block that follows the blocks added before. `sum` is kept and changed.
  void add(std::size_t first, std::size_t leaves, at::Tensor sum);
  const std::vector<Block>& blocks() const { return blocks_; }
  /// Returns the sum of all leaves of the tree, which must have been added, in place of a block's; undefined
  /// without leaves.
  at::Tensor whole() const;

 private:
  std::vector<Block> blocks_;
};

/// Returns the sum of a tree's leaves, of which process r of the group has added the leaves bounds[r] …
/// bounds[r + 1] - 1 to `own`. Sums are flat and of the type and size of `zeros`, which is the sum of no
/// leaves. Each process sums a part of the elements and gives it to the others. The result has the same bits
/// whatever the group's size.
at::Tensor sum_in_group(const Group& group, const std::vector<std::size_t>& bounds, const TreeSum& own,
                        const at::Tensor& zeros);

}  // namespace trl::runtime
