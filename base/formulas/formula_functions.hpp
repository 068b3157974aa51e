// The table of the functions that every formula can call: their names, domains, values, bounds and
// documentation.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "base/formulas/interval.hpp"

namespace trl::formulas {

struct Function {
  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

  std::string name, signature, doc;
  std::size_t least = 1, most = 1;  ///< the smallest and largest number of arguments; `most` may be `any`
  double (*apply)(const std::vector<double>& arguments) = nullptr;
  /// Returns an interval that contains every value of the function for arguments in the given intervals.
  Interval (*enclose)(const std::vector<Interval>& arguments) = nullptr;
  /// The domain of the first argument, as an interval, and in words: "a number above 0".
  Interval domain;
  std::string needs;
  /// The index of the argument that must not be 0; -1 if there is no such argument.
  int divisor = -1;

  /// Returns the allowed number of arguments in words: "1 argument", "at least 1 argument".
  std::string takes() const;
  bool accepts(std::size_t arguments) const { return least <= arguments && arguments <= most; }
};

/// Returns all functions, sorted by name.
const std::vector<Function>& functions();
/// Returns the function with this name; null if there is none.
const Function* function(const std::string& name);
std::vector<std::string> function_names();

}  // namespace trl::formulas
