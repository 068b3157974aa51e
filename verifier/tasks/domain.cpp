#include "verifier/tasks/domain.hpp"

#include <algorithm>
#include <cmath>

namespace trl::runtime {
namespace {

using ValuesKind = InputValues::Kind;

/// Makes each matrix of `width` times `width` numbers a matrix of the given kind.
void make_matrices(std::vector<double>& values, std::size_t width, ValuesKind kind) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t row = i / width % width, column = i % width;
    if (kind == ValuesKind::symmetric) {
      if (column < row) values[i] = values[i - row * width - column + column * width + row];
    } else if (kind == ValuesKind::upper_triangular ? column < row : column > row) {
      values[i] = 0;
    }
  }
}

}  // namespace

bool Domain::is_free() const {
  return !integers && (kind == ValuesKind::unbounded || kind == ValuesKind::normal);
}

bool Domain::is_elementwise() const { return kind < ValuesKind::one_hot; }

double Domain::draw(RandomStream& random, double factor) const {
  if (integers) return low + static_cast<double>(random.below(static_cast<std::uint64_t>(high - low) + 1));
  switch (kind) {
    case ValuesKind::range:
      return low + (high - low) * random.uniform();
    case ValuesKind::positive:
      return admitted(std::abs(random.normal()) * factor);
    default:
      if (low < high) return low + (high - low) * random.uniform();
      return (mean + deviation * random.normal()) * factor;
  }
}

double Domain::admitted(double value) const {
  if (integers) return std::clamp(std::rint(std::isnan(value) ? low : value), low, high);
  switch (kind) {
    case ValuesKind::range:
      return std::clamp(std::isnan(value) ? low : value, low, high);
    case ValuesKind::positive:
      return std::max(std::abs(value), least);
    default:
      return value;
  }
}

std::vector<double> Domain::draw_all(RandomStream& random, std::size_t count, std::size_t width,
                                     double factor) const {
  std::vector<double> out(count);
  if (kind == ValuesKind::one_hot) {
    const std::size_t rows = (count + width - 1) / width;
    // If there are several rows, one of them has the first place and another the last place, since a wrong
    // bound would miss these.
    const std::size_t first = random.below(rows),
                      last = (first + 1 + random.below(std::max<std::size_t>(rows, 2) - 1)) % rows;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t own = std::min(width, count - row * width), drawn = random.below(own);
      out[row * width + (rows == 1 ? drawn : row == first ? 0 : row == last ? own - 1 : drawn)] = 1;
    }
  } else if (kind == ValuesKind::offsets) {
    for (std::size_t i = 0; i < count; ++i)
      out[i] = i == 0           ? 0
               : i + 1 == count ? high
                                : static_cast<double>(random.below(static_cast<std::uint64_t>(high) + 1));
    std::sort(out.begin(), out.end());
  } else {
    for (double& value : out) value = draw(random, factor);
    if (!is_elementwise()) make_matrices(out, width, kind);
  }
  return out;
}

double Domain::draw_at(RandomKey key, std::uint64_t number, std::uint64_t count, std::uint64_t width,
                       double factor) const {
  const auto stream = [&](std::uint64_t of) {
    constexpr std::uint64_t apart = 0x9E3779B97F4A7C15;
    return RandomStream(RandomKey{key.value + of * apart});
  };
  RandomStream own = stream(number);
  if (kind == ValuesKind::one_hot) {
    const std::uint64_t row = number / width, rows = (count + width - 1) / width;
    const std::uint64_t length = std::min(width, count - row * width);
    // As in `draw_all`, one row has the first place and another the last place.
    const std::uint64_t place = row == 0 ? 0 : row + 1 == rows ? length - 1 : stream(row).below(length);
    return number % width == place ? 1 : 0;
  }
  if (kind == ValuesKind::offsets) {
    if (number == 0) return 0;
    if (number + 1 == count) return high;
    return std::floor(high * ((static_cast<double>(number) + own.uniform()) / static_cast<double>(count)));
  }
  if (is_elementwise()) return draw(own, factor);
  const std::uint64_t row = number / width % width, column = number % width;
  if (kind == ValuesKind::symmetric) {
    RandomStream mirrored = stream(number - row * width - column + column * width + row);
    return draw(column < row ? mirrored : own, factor);
  }
  return (kind == ValuesKind::upper_triangular ? column < row : column > row) ? 0 : draw(own, factor);
}

}  // namespace trl::runtime
