// What is compared with what: the levels of a factor, or the cells with a control.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// A contrast of rows: the mean over pairs of the first's figure minus the second's.
struct Comparison {
  std::string name;   ///< "inputs", "writer.rank: 16 - 8", "cells - imitate -> unfiltered"
  std::string words;  ///< "with `inputs` minus without", for sentences
  /// Rows of the plan, by number; cells folded into one count once. In a fraction of a design, where no two
  /// cells differ in one factor alone, the cells at the one level are paired with those at the other in
  /// order: the mean is the same as that of the differences of means. Empty where the levels change nothing
  /// on this machine.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
};

/// One level of a factor against another.
Comparison compare_levels(const Plan& plan, const Factor& factor, const std::string& level,
                          const std::string& against);

/// What a hypothesis' `contrast` means: an extension on against off, or the last level of a factor against
/// its first. Throws UserError where the plan has no such factor.
Comparison compare_factor(const Plan& plan, const std::string& factor);

/// Every cell against one control. Throws UserError where the plan has no such control.
Comparison compare_with_control(const Plan& plan, const std::string& control);

/// Of each factor, each level after the first against the first.
std::vector<Comparison> all_comparisons(const Plan& plan);

}  // namespace trl::interpreter
