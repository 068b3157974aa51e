#include "language/tasks/shape.hpp"

#include <algorithm>

namespace trl::language::tasks {

trl::tasks::Shape extents(const Shape& shape) {
  trl::tasks::Shape out;
  for (const Dimension& dimension : shape) out.push_back(dimension.extent());
  return out;
}

std::string text(const Shape& shape) {
  std::string out;
  for (const Dimension& dimension : shape) out += (out.empty() ? "" : ", ") + dimension.text();
  return "[" + out + "]";
}

std::string Type::text() const { return dtype + tasks::text(shape); }

Dimension elements(const Shape& shape) {
  Dimension product = 1;
  for (const Dimension& dimension : shape) product = product * dimension;
  return product;
}

Shape slice(const Shape& shape, std::size_t from, std::size_t count) {
  const auto begin = shape.begin() + static_cast<std::ptrdiff_t>(from);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b, std::pair<Dimension, Dimension>* differing) {
  Shape out = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  for (std::size_t i = 1; i <= shorter.size(); ++i) {
    Dimension& own = out[out.size() - i];
    const Dimension& other = shorter[shorter.size() - i];
    if (own == other || other.is(1)) continue;
    if (!own.is(1)) {
      if (differing) *differing = {a[a.size() - i], b[b.size() - i]};
      return std::nullopt;
    }
    own = other;
  }
  return out;
}

}  // namespace trl::language::tasks
