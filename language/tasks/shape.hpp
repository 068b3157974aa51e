// Types of tensors: a dtype and a shape.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/operators/dtype.hpp"
#include "language/tasks/dimension.hpp"

namespace trl::language::tasks {

using Shape = std::vector<Dimension>;

struct Type {
  std::string dtype;  // base/operators/dtype.hpp
  Shape shape;
  bool floating() const { return operators::is_floating(dtype); }
  bool integer() const { return operators::is_integer(dtype); }
  /// A real number in 8 bits, which is converted before anything is computed with it.
  bool storage() const { return operators::is_storage(dtype); }
  bool boolean() const { return dtype == "bool"; }
  std::size_t rank() const { return shape.size(); }
  /// "f32[M, K]".
  std::string text() const;
};

/// The same as tasks have it.
trl::tasks::Shape extents(const Shape& shape);
/// "[M, K]".
std::string text(const Shape& shape);
/// The number of elements.
Dimension elements(const Shape& shape);
/// `count` dimensions from `from` on.
Shape slice(const Shape& shape, std::size_t from, std::size_t count);

/// PyTorch's broadcasting: from the last dimension on, equal ones or 1. Nothing where shapes don't fit;
/// `differing` then has the two dimensions.
std::optional<Shape> broadcast(const Shape& a, const Shape& b,
                               std::pair<Dimension, Dimension>* differing = nullptr);

}  // namespace trl::language::tasks
