// Computes figures and differences with intervals from stored results. It decides which of the methods in
// docs/statistics.md a column gets, and which part of a study estimates the error.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/statistics/factorial.hpp"
#include "base/statistics/power.hpp"
#include "base/statistics/speed.hpp"
#include "interpreter/report/column_parts.hpp"
#include "interpreter/report/comparison.hpp"

namespace trl::interpreter {

using statistics::Interval;
using statistics::Scope;

/// One figure: its value, its interval, and the number `n` of observations. There is no value if nothing was
/// measured.
struct Figure {
  std::optional<double> value;
  std::optional<Interval> interval;
  int n = 0;
  Scope scope = Scope::recipe;  ///< the population that the interval is about
};

/// How a figure's tasks relate to seeds.
enum class Tasks {
  crossed,  ///< all seeds have the same tasks, as in an exam
  /// Tasks are sampled anew for each seed, as in training. If there are several seeds, the seeds are then the
  /// independent units of the statistics.
  drawn
};
Tasks tasks_of(const Column& column);

/// The mean of parts, with its interval. If there are several seeds, tasks and seeds both count as random.
Figure level_of(const std::vector<Part>& parts, Mean mean, Tasks tasks);

/// The difference between rows: a difference in the column's unit, or for a geometric mean a ratio on the
/// tasks that both sides solve.
struct Difference {
  double value = 0;
  std::optional<Interval> interval;
  statistics::Estimate estimate;  ///< in the column's unit; for a ratio, the estimate of its logarithm
  /// The smallest true difference that a study with this standard error detects; for a ratio, a factor. Power
  /// and significance level are 80 % and 5 %, or the arguments of `plan`.
  std::optional<double> detectable;
  /// For a ratio: the number of tasks that both sides solve, summed over pairs.
  std::optional<std::size_t> common_tasks;
  /// Sets `detectable` for a test with this significance level and power.
  void plan(const statistics::Certainty& certainty);
  /// Whether the interval excludes "no difference" (0, or the ratio 1).
  bool clear() const;
};

Difference difference_of(const statistics::Estimate& estimate);
Difference difference_of(const statistics::SpeedRatio& ratio);

/// An effect of two extensions (or factors of two levels) on each other.
struct Interaction {
  std::string name;  ///< "inputs x stages"
  /// The names of other effects that have the same contrast, so that they can't be told apart from the
  /// interaction: in a fractional design the effects that are confounded with it, and the main effect of a
  /// factor that never acted at one level of the other factor. May be empty.
  std::string also;
  std::optional<Difference> difference;
};

/// The statistics of one study.
class Inference {
 public:
  explicit Inference(const Evidence& evidence);
  const Evidence& evidence() const { return evidence_; }
  std::size_t seeds() const { return seeds_; }

  /// The figure of a row in a column. The row may be a row of the plan, or such a row under one seed.
  Figure figure(const Column& column, const Row& row) const;

  /// The contributions of a row to its figure in a column. Exam answers under a seed are left out if they
  /// repeat the answers under an earlier seed.
  std::vector<Part> parts(const Column& column, const Row& row) const;

  /// The description of a comparison that power calculations need, for a study with `seeds` seeds in each
  /// row. It is known before any run.
  statistics::Question question(const Comparison& comparison, std::size_t seeds) const;

  /// The reason why the rows of a comparison can't be compared (mixed_hardware); nothing if they can.
  const std::optional<std::string>& refusal(const Comparison& comparison) const;

  /// The difference of a comparison in a column; nothing if one of the rows has no figure, or if the rows
  /// can't be compared.
  std::optional<Difference> difference(const Comparison& comparison, const Column& column) const;

  /// The interactions of all pairs of factors; empty unless the cells are a full factorial design with two
  /// levels for each factor, or a regular fraction of it.
  std::vector<Interaction> interactions(const Column& column) const;
  /// The cells of a two-level design: the names of its factors, each cell's levels, and each cell's row
  /// number in the plan.
  struct Cells {
    std::vector<std::string> factors;
    std::vector<std::vector<bool>> levels;  ///< [cell][factor]
    std::vector<std::size_t> rows;
  };
  Cells cells_of_design() const;
  /// All effects of a two-level design, as pairs of name and value, for a half-normal plot.
  std::vector<std::pair<std::string, double>> all_effects(const Column& column) const;

  /// Whether two rows of the plan gave the same answers under every seed: they are one run.
  bool same_runs(std::size_t first, std::size_t second) const;

  /// The observations of these rows of the plan. A task has the same index in the observations of all rows.
  std::vector<statistics::Observations> observations(const Column& column,
                                                     const std::vector<std::size_t>& rows) const;
  /// The observations of every row of the plan.
  const std::vector<statistics::Observations>& observations(const Column& column) const;

  /// The population of the intervals and the limits of their coverage, in sentences for the reader of a
  /// table.
  std::vector<std::string> sentences() const;

 private:
  struct TwoLevels {
    std::vector<std::string> factors;
    std::vector<std::vector<bool>> levels;    ///< [cell][factor]
    std::vector<statistics::Effect> effects;  ///< the effects of the design, without estimates
  };
  const std::vector<statistics::Effect>& factorial(const Column& column) const;
  std::vector<statistics::Observations> of_cells(const Column& column) const;
  /// The index of the effect in the two-level design that has these coefficients, given by row number;
  /// nothing if there is none.
  std::optional<std::size_t> effect_with(const std::map<std::size_t, double>& coefficients) const;
  /// Whether the effects of the two-level design can be estimated for this column: the column must be
  /// suitable, and all rows must be comparable.
  bool has_effects(const Column& column) const;
  std::string effect_name(const statistics::Factors& factors) const;

  /// The contrast of the plan's rows with these coefficients, in a column that isn't a geometric mean.
  std::optional<Difference> of_coefficients(const std::map<std::size_t, double>& coefficients,
                                            const Column& column) const;
  /// The training runs behind every row of the plan (`runs_of_rows`).
  const statistics::SharedRuns& chains() const;
  statistics::SharedRuns chains_of(const std::vector<std::size_t>& rows) const;
  /// The rows whose runs stand for the error of a contrast with several seeds: cells, controls, and the rows
  /// that it compares.
  std::vector<std::size_t> pool(const std::map<std::size_t, double>& coefficients) const;
  static std::vector<double> coefficients_in(const std::vector<std::size_t>& rows,
                                             const std::map<std::size_t, double>& coefficients);
  /// Whether two effects of the design compare the same runs, up to a factor.
  bool compares_the_same(const statistics::Effect& one, const statistics::Effect& other) const;

  const Evidence& evidence_;
  std::size_t seeds_ = 0;
  std::vector<std::size_t> cells_;  ///< row numbers in the plan
  mutable std::optional<statistics::SharedRuns> chains_;
  std::optional<TwoLevels> two_levels_;
  mutable std::map<std::string, std::vector<statistics::Observations>> observations_;
  mutable std::map<std::string, std::vector<statistics::Effect>> factorial_;
  mutable std::map<std::vector<std::pair<std::size_t, std::size_t>>, std::optional<std::string>> refusals_;
  mutable std::optional<bool> cells_mixed_;  ///< whether cells were made on different hardware; judged once
};

}  // namespace trl::interpreter
