// Comparisons between levels of a factor, and between cells and a control.
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
  /// The name, such as "inputs", "writer.rank: 16 minus 8" or "cells minus imitate -> unfiltered".
  std::string name;
  std::string words;  ///< the contrast in words, for sentences: "with `inputs` minus without"
  /// The numbers of two rows in the plan, and the number of pairs of cells that they stand for.
  struct Pair {
    std::size_t first = 0, second = 0;
    int cells = 1;
    bool operator==(const Pair&) const = default;
  };
  /// The pairs of rows that are compared; empty if the levels change nothing on this machine. In a fractional
  /// design no two cells differ in a single factor. There the cells at one level are paired in order with the
  /// cells at the other level, since the mean of the differences equals the difference of the means.
  std::vector<Pair> pairs;
  /// The number of pairs whose two cells are the same row on this machine. Their differences are 0, and count
  /// in the mean.
  int same = 0;

  /// The coefficient of each row in the contrast, by row number.
  std::map<std::size_t, double> coefficients() const;
};

/// Compares one level of a factor with another.
Comparison compare_levels(const Plan& plan, const Factor& factor, const std::string& level,
                          const std::string& against);

/// The comparison for a hypothesis' `contrast`, which names a factor: an extension's level "on" minus "off",
/// or the last level of another factor minus its first level. Throws UserError if the plan has no such
/// factor.
Comparison compare_factor(const Plan& plan, const std::string& factor);

/// Compares every cell with one control. Throws UserError if the plan has no control of this name.
Comparison compare_with_control(const Plan& plan, const std::string& control);

/// Compares the cell in which exactly the extensions `on` are on with a control, or with the cell in which
/// exactly the extensions `other` are on. The comparison has no pairs if both sides are the same row on this
/// machine. Throws UserError if the plan lacks the cell or the control.
Comparison compare_cell(const Plan& plan, const std::set<std::string>& on, const std::string& control);
Comparison compare_cell(const Plan& plan, const std::set<std::string>& on,
                        const std::set<std::string>& other);

/// Describes the difference whose mean is an effect: "the figure with the extension minus the figure without"
/// if the plan varies extensions, "the figure at the level that is named first minus the figure at the other"
/// if it varies settings, or both texts.
std::string effect_meaning(const Plan& plan);
/// The kinds of factors that the plan varies: "extension", "setting" or "extension and setting".
std::string varied_kinds(const Plan& plan);
/// A sentence that defines an interaction, without its full stop.
std::string interaction_meaning(const Plan& plan);

/// For each factor, compares each level after the first with the first.
std::vector<Comparison> all_comparisons(const Plan& plan);

}  // namespace trl::interpreter
