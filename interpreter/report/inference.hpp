// From stored results to figures and differences with intervals: which of the statistics of
// docs/statistics.md a column gets, and which part of a study estimates the error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/statistics/factorial.hpp"
#include "base/statistics/power.hpp"
#include "interpreter/report/column_parts.hpp"
#include "interpreter/report/comparison.hpp"

namespace trl::interpreter {

using statistics::Interval;
using statistics::Scope;

/// One figure: its value, its interval, and the number of things that it is over. It has no value if nothing
/// could be measured.
struct Figure {
  std::optional<double> value;
  std::optional<Interval> interval;
  int n = 0;
  Scope scope = Scope::recipe;  ///< the population of the interval
};

/// How a figure's tasks relate to seeds.
enum class Tasks {
  crossed,  ///< the same for all seeds, as in an exam
  drawn     ///< drawn anew for each seed, as in training: seeds are then the independent units, if there are
            ///< several
};
Tasks tasks_of(const Column& column);

/// The mean of parts, with tasks and seeds both random where there are several seeds.
Figure level_of(const std::vector<Part>& parts, Mean mean, Tasks tasks);

/// The difference between rows: a difference in the column's unit, or for a geometric mean a ratio on the
/// tasks that both sides solve.
struct Difference {
  double value = 0;
  std::optional<Interval> interval;
  statistics::Estimate estimate;  ///< in the column's unit; of a ratio's logarithm
  /// The smallest true difference that a study of this standard error finds; of a ratio the factor. With
  /// 80 % power at 5 %, or as `plan` was told.
  std::optional<double> detectable;
  std::optional<std::size_t> common_tasks;  ///< of a ratio: on how many tasks, summed over pairs
  /// Sets `detectable` for a test that is to be so sure.
  void plan(const statistics::Certainty& certainty);
  /// Whether the interval excludes that there is no difference.
  bool clear() const;
};

/// An effect of two extensions (or factors of two levels) on each other.
struct Interaction {
  std::string name;  ///< "inputs x stages"
  std::string also;  ///< in a fraction of a design: the effects with which it is confounded; may be empty
  std::optional<Difference> difference;
};

/// The statistics of one study.
class Inference {
 public:
  explicit Inference(const Evidence& evidence);
  const Evidence& evidence() const { return evidence_; }
  std::size_t seeds() const { return seeds_; }

  /// A figure of a row of the plan, or of such a row under one seed.
  Figure figure(const Column& column, const Row& row) const;

  /// The question that a comparison puts to a study with so many seeds a row, for its power; known before any
  /// run.
  statistics::Question question(const Comparison& comparison, std::size_t seeds) const;

  /// Why the rows of a comparison can't be compared (mixed_hardware); nothing if they can.
  const std::optional<std::string>& refusal(const Comparison& comparison) const;

  /// The difference of a comparison; nothing if one of the rows has nothing measured, or if the rows can't be
  /// compared.
  std::optional<Difference> difference(const Comparison& comparison, const Column& column) const;

  /// The interactions of two factors; empty unless the cells are a complete design of factors with two
  /// levels, or a regular fraction.
  std::vector<Interaction> interactions(const Column& column) const;
  /// The names of the factors of such a design, and its cells' levels and rows in the plan.
  struct Cells {
    std::vector<std::string> factors;
    std::vector<std::vector<bool>> levels;  ///< [cell][factor]
    std::vector<std::size_t> rows;
  };
  Cells cells_of_design() const;
  /// All effects of such a design, with their names, for a half-normal plot.
  std::vector<std::pair<std::string, double>> all_effects(const Column& column) const;

  /// The observations of these rows of the plan; a task has the same number in all of them.
  std::vector<statistics::Observations> observations(const Column& column,
                                                     const std::vector<std::size_t>& rows) const;
  /// The same of every row.
  const std::vector<statistics::Observations>& observations(const Column& column) const;

  /// The population of the intervals and the limits of their coverage, in sentences for the reader of a
  /// table.
  std::vector<std::string> sentences() const;

 private:
  struct TwoLevels {
    std::vector<std::string> factors;
    std::vector<std::vector<bool>> levels;    ///< [cell][factor]
    std::vector<statistics::Effect> effects;  ///< without estimates
  };
  const std::vector<statistics::Effect>& factorial(const Column& column) const;
  std::vector<statistics::Observations> of_cells(const Column& column) const;
  /// The number of the design's effect that has these coefficients by row, if any.
  std::optional<std::size_t> effect_with(const std::map<std::size_t, double>& coefficients) const;
  /// Whether the design's effects can be told: on this column, and by rows that can all be compared.
  bool has_effects(const Column& column) const;
  std::string effect_name(const statistics::Factors& factors) const;

  const Evidence& evidence_;
  std::size_t seeds_ = 0;
  std::vector<std::size_t> cells_;  ///< row numbers in the plan
  statistics::SharedRuns runs_;     ///< of each cell, under the first seed
  std::optional<TwoLevels> two_levels_;
  mutable std::map<std::string, std::vector<statistics::Observations>> observations_;
  mutable std::map<std::string, std::vector<statistics::Effect>> factorial_;
  mutable std::map<std::vector<std::pair<std::size_t, std::size_t>>, std::optional<std::string>> refusals_;
  mutable std::optional<bool> cells_mixed_;  ///< whether cells were made on different hardware; judged once
};

}  // namespace trl::interpreter
