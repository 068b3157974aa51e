// Comparisons: the levels of a factor with each other, or the cells with a control.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// A contrast of rows: the mean over pairs of the first row's figure minus the second's.
struct Comparison {
  std::string name;   ///< "inputs", "writer.rank: 16 - 8", "cells - imitate -> unfiltered"
  std::string words;  ///< "with `inputs` minus without", for sentences
  /// Pairs of row numbers in the plan; folded cells count once. In a fraction of a design, where no two cells
  /// differ in a single factor, the cells at one level are paired in order with those at the other: the mean
  /// of the differences is also the difference of the means. Empty if the levels change nothing on this
  /// machine.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
};

/// Compares one level of a factor with another.
Comparison compare_levels(const Plan& plan, const Factor& factor, const std::string& level,
                          const std::string& against);

/// The comparison of a hypothesis' `contrast`: an extension on with off, or the last level of a factor with
/// its first. Throws UserError if the plan has no such factor.
Comparison compare_factor(const Plan& plan, const std::string& factor);

/// Compares every cell with one control. Throws UserError if the plan has no such control.
Comparison compare_with_control(const Plan& plan, const std::string& control);

/// For each factor, compares each level after the first with the first.
std::vector<Comparison> all_comparisons(const Plan& plan);

}  // namespace trl::interpreter
