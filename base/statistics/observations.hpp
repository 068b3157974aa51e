// The observations of one row of an experiment: samples of tasks under training seeds.
#pragma once

#include <cstddef>
#include <vector>

namespace trl::statistics {

/// The samples of one row, stored as sums for each cell. A cell is one task under one training seed. Cells
/// may differ in their numbers of samples, and may be empty. Rows that are compared use the same index for
/// the same task; a row without a task has empty cells there. Samples are 0 or 1 for shares, otherwise any
/// number.
class Observations {
 public:
  Observations(std::size_t tasks, std::size_t seeds);

  /// Adds one sample. Throws std::out_of_range if the task or the seed is out of range; so do the functions
  /// below.
  void add(std::size_t task, std::size_t seed, double value);
  /// Adds `samples` samples, of which `successes` are 1 and the rest 0.
  void add_successes(std::size_t task, std::size_t seed, double successes, double samples);
  /// Adds `count` samples with this sum and this sum of squares.
  void add_sums(std::size_t task, std::size_t seed, double count, double sum, double squares);

  std::size_t tasks() const { return tasks_; }
  std::size_t seeds() const { return seeds_; }
  /// `count` returns the number of samples of a cell, `sum` their sum, and `squares` the sum of their
  /// squares.
  double count(std::size_t task, std::size_t seed) const { return cells_[task * seeds_ + seed].count; }
  double sum(std::size_t task, std::size_t seed) const { return cells_[task * seeds_ + seed].sum; }
  double squares(std::size_t task, std::size_t seed) const { return cells_[task * seeds_ + seed].squares; }

 private:
  struct Cell {
    double count = 0, sum = 0, squares = 0;
  };
  Cell& cell(std::size_t task, std::size_t seed);

  std::size_t tasks_, seeds_;
  std::vector<Cell> cells_;
};

}  // namespace trl::statistics
