// The numbers that an input may hold. Whoever draws, changes or describes inputs asks here.
#pragma once

#include <vector>

#include "base/support/random.hpp"
#include "base/tasks/input_values.hpp"

namespace trl::runtime {

using tasks::InputValues;

/// The numbers of one input at given sizes.
struct Domain {
  InputValues::Kind kind = InputValues::Kind::unbounded;
  bool integers = false;
  bool places = false;       ///< integers from 0 to below a dimension, which may be places of a tensor
  double low = 0, high = 0;  ///< both included; set for integers and ranges
  double mean = 0, deviation = 1;
  double least = 0;  ///< the smallest positive number of the dtype

  /// Any real number is allowed.
  bool is_free() const;
  /// Each element may be any allowed number, whatever the others are.
  bool is_elementwise() const;
  /// One element, for elementwise domains. A free number is multiplied by `factor`, and so is a positive one.
  double draw(RandomStream& random, double factor = 1) const;
  /// The allowed number that stands for any real number, for elementwise domains: the nearest within bounds.
  double admitted(double value) const;
  /// All elements of an input whose rows have `width` elements.
  std::vector<double> draw_all(RandomStream& random, std::size_t count, std::size_t width,
                               double factor = 1) const;
};

}  // namespace trl::runtime
