// The numbers that an input may hold. All code that draws, changes or describes inputs uses this.
#pragma once

#include <cstdint>
#include <vector>

#include "base/support/random.hpp"
#include "base/tasks/input_values.hpp"

namespace trl::runtime {

using tasks::InputValues;

/// The numbers that one input may hold, at given sizes of the task's dimensions.
struct Domain {
  InputValues::Kind kind = InputValues::Kind::unbounded;
  bool integers = false;
  bool places =
      false;  ///< whether these are integers from 0 to a dimension − 1, which may be indices into a tensor
  double low = 0, high = 0;  ///< bounds, both inclusive; set for integers and ranges
  double mean = 0, deviation = 1;
  double least = 0;  ///< the smallest positive number of the dtype

  /// Whether any real number is allowed.
  bool is_free() const;
  /// Whether the elements are independent: each may be any allowed number, whatever the other elements are.
  bool is_elementwise() const;
  /// Draws one element; for elementwise domains only. Numbers with bounds are uniform in them. Other numbers
  /// are normally distributed (absolute values, if they must be positive) and multiplied by `factor`.
  double draw(RandomStream& random, double factor = 1) const;
  /// Returns an allowed number for any real number; for elementwise domains only. For bounded numbers this is
  /// the nearest allowed number, for positive numbers the absolute value, but at least `least`.
  double admitted(double value) const;
  /// Draws all `count` elements of an input whose rows have `width` elements.
  std::vector<double> draw_all(RandomStream& random, std::size_t count, std::size_t width,
                               double factor = 1) const;
  /// Draws element `number` of such an input alone. It follows from the key and the element's number, so that
  /// any part of a large input can be drawn. `draw_all` draws other numbers.
  double draw_at(RandomKey key, std::uint64_t number, std::uint64_t count, std::uint64_t width,
                 double factor = 1) const;
};

}  // namespace trl::runtime
