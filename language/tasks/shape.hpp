// Types of tensors: a dtype and a shape.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "language/tasks/dimension.hpp"

namespace trl::language::tasks {

using Shape = std::vector<Dimension>;

struct Type {
  std::string dtype;  // f32, f16, bf16; i32, i64; bool
  Shape shape;
  bool floating() const { return dtype == "f32" || dtype == "f16" || dtype == "bf16"; }
  bool integer() const { return dtype == "i32" || dtype == "i64"; }
  std::size_t rank() const { return shape.size(); }
  /// "f32[M, K]".
  std::string text() const;
};

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
