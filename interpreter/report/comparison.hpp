// Comparisons: the levels of a factor with each other, or the cells with a control.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// A contrast of rows: the mean over pairs of cells of the first row's figure minus the second's.
struct Comparison {
  std::string name;   ///< "inputs", "writer.rank: 16 minus 8", "cells minus imitate -> unfiltered"
  std::string words;  ///< "with `inputs` minus without", for sentences
  /// Two row numbers in the plan, and how many pairs of cells they stand for.
  struct Pair {
    std::size_t first = 0, second = 0;
    int cells = 1;
    bool operator==(const Pair&) const = default;
  };
  /// In a fraction of a design, where no two cells differ in a single factor, the cells at one level are
  /// paired in order with the cells at the other: the mean of the differences is also the difference of the
  /// means. Empty if the levels change nothing on this machine.
  std::vector<Pair> pairs;
  /// How many pairs of cells are one row on this machine: their difference is 0, and counts in the mean.
  int same = 0;

  /// Each row's coefficient in the mean.
  std::map<std::size_t, double> coefficients() const;
};

/// Compares one level of a factor with another.
Comparison compare_levels(const Plan& plan, const Factor& factor, const std::string& level,
                          const std::string& against);

/// The comparison of a hypothesis' `contrast`: an extension on with off, or the last level of a factor with
/// its first. Throws UserError if the plan has no such factor.
Comparison compare_factor(const Plan& plan, const std::string& factor);

/// Compares every cell with one control. Throws UserError if the plan has no such control.
Comparison compare_with_control(const Plan& plan, const std::string& control);

/// Compares the cell in which just these extensions are on with a control, or with another such cell. Without
/// pairs if both are one row on this machine. Throws UserError if the plan has no such cell or control.
Comparison compare_cell(const Plan& plan, const std::set<std::string>& on, const std::string& control);
Comparison compare_cell(const Plan& plan, const std::set<std::string>& on,
                        const std::set<std::string>& other);

/// The difference of which an effect of the plan is the mean: "the figure with the extension minus the figure
/// without", or for settings "the figure at the level that is named first minus the figure at the other", or
/// both.
std::string effect_meaning(const Plan& plan);
/// The kinds of factors that the plan varies: "extension", "setting", "extension and setting".
std::string varied_kinds(const Plan& plan);
/// The definition of an interaction, in a sentence without its full stop.
std::string interaction_meaning(const Plan& plan);

/// For each factor, compares each level after the first with the first.
std::vector<Comparison> all_comparisons(const Plan& plan);

}  // namespace trl::interpreter
