#include "runtime/group/tree_sum.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>

namespace trl::runtime {
namespace {

constexpr std::int64_t kLine = 32;  // elements of 128 bytes

}  // namespace

void TreeSum::add(std::size_t first, std::size_t leaves, at::Tensor sum) {
  const at::NoGradGuard no_grad;
  Block block{first, leaves, std::move(sum)};
  while (!blocks_.empty() && blocks_.back().leaves == block.leaves &&
         blocks_.back().first % (2 * block.leaves) == 0) {
    auto left = std::move(blocks_.back());
    blocks_.pop_back();
    if (left.sum.defined()) left.sum.add_(block.sum);
    block = {left.first, 2 * left.leaves, std::move(left.sum)};
  }
  blocks_.push_back(std::move(block));
}

at::Tensor TreeSum::whole() const {
  const at::NoGradGuard no_grad;
  at::Tensor sum;
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block)
    sum = sum.defined() ? block->sum.add_(sum) : block->sum;
  return sum;
}

at::Tensor sum_in_group(const Group& group, const std::vector<std::size_t>& bounds, const TreeSum& own,
                        const at::Tensor& zeros) {
  const at::NoGradGuard no_grad;
  if (bounds.back() == 0) return zeros;
  if (group.size() == 1) return own.whole();
  const auto size = static_cast<std::size_t>(group.size());
  const auto elements = zeros.numel();
  // Parts consist of whole lines of memory, which are sent faster. The last parts may be shorter or empty.
  const auto part = (elements + group.size() * kLine - 1) / (group.size() * kLine) * kLine;
  const auto blocks = static_cast<std::int64_t>(own.blocks().size());

  // [process, block, part]: shorter parts are filled up with zeros.
  const auto given = at::zeros({group.size(), blocks, part}, zeros.options());
  for (std::int64_t b = 0; b < blocks; ++b) {
    const auto sum = own.blocks()[static_cast<std::size_t>(b)].sum;
    for (std::int64_t r = 0; r < group.size(); ++r) {
      const auto begin = std::min(r * part, elements), count = std::min(part, elements - begin);
      given[r][b].narrow(0, 0, count).copy_(sum.narrow(0, begin, count));
    }
  }
  std::vector<TreeSum> shapes(size);  // the blocks of each process
  std::vector<std::int64_t> received;
  for (std::size_t r = 0; r < size; ++r) {
    for (auto leaf = bounds[r]; leaf < bounds[r + 1]; ++leaf) shapes[r].add(leaf, 1, {});
    received.push_back(static_cast<std::int64_t>(shapes[r].blocks().size()) * part);
  }
  const auto parts =
      group.exchange(given.flatten(), std::vector<std::int64_t>(size, blocks * part), received);
  TreeSum tree;
  std::int64_t at = 0;
  for (const auto& shape : shapes) {
    for (const auto& block : shape.blocks()) {
      tree.add(block.first, block.leaves, parts.narrow(0, at, part));
      at += part;
    }
  }
  return group.gather(tree.whole()).flatten().narrow(0, 0, elements);
}

}  // namespace trl::runtime
