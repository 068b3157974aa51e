#include "verifier/tasks/tensor_layout.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace trl::runtime {
namespace {

std::size_t from_front(std::int64_t axis, std::size_t rank) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
}

}  // namespace

Layout Layout::in_order(Axes extents, std::int64_t width) {
  Layout made{std::move(extents), {}, width};
  made.strides.resize(made.extents.size());
  std::int64_t stride = 1;
  for (std::size_t d = made.extents.size(); d-- > 0; stride *= std::max<std::int64_t>(made.extents[d], 1))
    made.strides[d] = stride;
  return made;
}

std::int64_t Layout::elements() const {
  if (width == 0) return 0;
  return std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t Layout::bytes() const {
  std::int64_t distinct = width;
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (strides[d] != 0 || extents[d] == 0) distinct *= extents[d];
  return distinct;
}

bool Layout::is_in_order() const {
  std::int64_t stride = 1;
  for (std::size_t d = extents.size(); d-- > 0; stride *= extents[d])
    if (extents[d] != 1 && strides[d] != stride) return false;
  return true;
}

bool Layout::is_dense() const {
  std::vector<std::pair<std::int64_t, std::int64_t>> axes;
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (extents[d] != 1) axes.emplace_back(strides[d], extents[d]);
  std::sort(axes.begin(), axes.end());
  std::int64_t wanted = 1;
  return std::all_of(axes.begin(), axes.end(), [&](const auto& axis) {
    return std::exchange(wanted, wanted * axis.second) == axis.first;
  });
}

Layout Layout::transposed(std::int64_t a, std::int64_t b) const {
  Layout made = *this;
  const std::size_t i = from_front(a, extents.size()), j = from_front(b, extents.size());
  std::swap(made.extents.at(i), made.extents.at(j));
  std::swap(made.strides.at(i), made.strides.at(j));
  return made;
}

Layout Layout::permuted(const Axes& axes) const {
  Layout made{{}, {}, width};
  for (const std::int64_t axis : axes) {
    made.extents.push_back(extents.at(from_front(axis, extents.size())));
    made.strides.push_back(strides.at(from_front(axis, extents.size())));
  }
  return made;
}

Layout Layout::expanded(const Axes& to) const {
  Layout made{to, Axes(to.size(), 0), width};
  const std::size_t new_axes = to.size() - extents.size();
  for (std::size_t d = 0; d < extents.size(); ++d)
    if (extents[d] == to[new_axes + d]) made.strides[new_axes + d] = strides[d];
  return made;
}

Layout Layout::without(std::int64_t axis) const {
  Layout made = *this;
  const auto at = static_cast<std::ptrdiff_t>(from_front(axis, extents.size()));
  made.extents.erase(made.extents.begin() + at);
  made.strides.erase(made.strides.begin() + at);
  return made;
}

Layout Layout::with(std::int64_t axis) const {
  Layout made = *this;
  const auto at = static_cast<std::ptrdiff_t>(from_front(axis, extents.size() + 1));
  made.extents.insert(made.extents.begin() + at, 1);
  made.strides.insert(made.strides.begin() + at, 1);
  return made;
}

Layout Layout::with_extents(Axes smaller) const { return {std::move(smaller), strides, width}; }

// Neighbouring axes that follow each other in memory form a chunk; each chunk must be divided into whole
// axes.
std::optional<Layout> Layout::viewed(const Axes& to) const {
  Layout made{to, Axes(to.size(), 1), width};
  if (elements() == 0) return Layout::in_order(to, width);
  auto left = static_cast<std::ptrdiff_t>(to.size()) - 1;
  std::int64_t chunk = 1, base = 1;
  bool begins = true;
  for (std::size_t d = extents.size(); d-- > 0;) {
    if (begins) base = strides[d];
    begins = false;
    chunk *= extents[d];
    const bool ends = d == 0 || (extents[d - 1] != 1 && strides[d - 1] != chunk * base);
    if (!ends) continue;
    std::int64_t taken = 1;
    while (left >= 0 && (taken < chunk || to[static_cast<std::size_t>(left)] == 1)) {
      made.strides[static_cast<std::size_t>(left)] = taken * base;
      taken *= to[static_cast<std::size_t>(left)];
      --left;
    }
    if (taken != chunk) return std::nullopt;
    chunk = 1, begins = true;
  }
  return left < 0 ? std::optional(made) : std::nullopt;
}

}  // namespace trl::runtime
