// The functions that every formula has: one table, which names, checks, evaluates, bounds and documents them.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include "language/formulas/interval.hpp"

namespace trl::language {

struct FormulaFunction {
  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

  std::string name, signature, doc;
  std::size_t least = 1, most = 1;  ///< arguments; `most` may be `any`
  double (*apply)(const std::vector<double>& arguments) = nullptr;
  /// An interval that holds every value that the function takes on these.
  Interval (*enclose)(const std::vector<Interval>& arguments) = nullptr;
  /// Where the first argument must lie, and in words: "a number above 0".
  Interval domain;
  std::string needs;
  /// The argument that mustn't be 0, from 0; -1: none.
  int divisor = -1;

  /// "1 argument", "at least 1 argument".
  std::string takes() const;
  bool accepts(std::size_t arguments) const { return least <= arguments && arguments <= most; }
};

/// All of them, sorted by name.
const std::vector<FormulaFunction>& formula_functions();
/// Null where no function is called so.
const FormulaFunction* formula_function(const std::string& name);
std::vector<std::string> formula_function_names();

}  // namespace trl::language
