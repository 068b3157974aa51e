// How a tensor lies in memory: the strides of views, as PyTorch computes them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace trl::runtime {

/// A tensor's extents and strides, both in elements. A plain number has width 0 and so no bytes. Axes may be
/// negative, counting from the last.
struct Layout {
  using Axes = std::vector<std::int64_t>;
  Axes extents, strides;
  std::int64_t width = 0;  ///< bytes of an element

  /// Returns the layout in which the last axis varies fastest and nothing lies between elements.
  static Layout in_order(Axes extents, std::int64_t width);
  std::int64_t elements() const;  ///< 0 for a number
  /// Returns the bytes of the distinct elements; the repeated elements of an expanded axis count once.
  std::int64_t bytes() const;
  bool is_in_order() const;
  /// Whether the tensor's axes can be permuted so that it is in order.
  bool is_dense() const;

  Layout transposed(std::int64_t a, std::int64_t b) const;
  Layout permuted(const Axes& axes) const;
  Layout expanded(const Axes& to) const;
  Layout without(std::int64_t axis) const;
  Layout with(std::int64_t axis) const;  ///< with a new axis of size 1
  Layout with_extents(Axes smaller) const;
  /// Returns the layout of a view with other extents; nothing if the elements would have to be copied.
  std::optional<Layout> viewed(const Axes& to) const;
};

}  // namespace trl::runtime
