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
  /// Whether the elements are 8-bit floats, which must be converted to another dtype before any computation.
  bool storage() const { return operators::is_storage(dtype); }
  bool boolean() const { return dtype == "bool"; }
  std::size_t rank() const { return shape.size(); }
  /// The type as text: "f32[M, K]".
  std::string text() const;
};

/// A shape in the form that lowered tasks have.
trl::tasks::Shape extents(const Shape& shape);
/// A shape as text: "[M, K]".
std::string text(const Shape& shape);
/// The number of elements in a tensor of a shape.
Dimension elements(const Shape& shape);
/// The `count` dimensions that start at the index `from`.
Shape slice(const Shape& shape, std::size_t from, std::size_t count);

/// The shape to which PyTorch broadcasts two shapes: compared from the last dimension on, two dimensions must
/// be equal or one of them must be 1. Nothing if the shapes don't fit; `differing` is then set to the two
/// dimensions that don't.
std::optional<Shape> broadcast(const Shape& a, const Shape& b,
                               std::pair<Dimension, Dimension>* differing = nullptr);

}  // namespace trl::language::tasks
