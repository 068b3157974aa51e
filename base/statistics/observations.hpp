// The observations of one row: samples of tasks under training seeds.
#pragma once

#include <cstddef>
#include <vector>

namespace trl::statistics {

/// The samples of one row, as sums over each cell: one task under one training seed. Cells may differ in
/// their numbers of samples, and may have none. Rows that are compared number the same task alike; a row that
/// lacks a task has empty cells there. Samples are 0 or 1 for shares, and any number otherwise.
class Observations {
 public:
  Observations(std::size_t tasks, std::size_t seeds);

  /// Adds one sample. Throws std::out_of_range for a task or seed that isn't there, as `add_successes` does.
  void add(std::size_t task, std::size_t seed, double value);
  /// Adds samples of which so many are 1 and the others 0.
  void add_successes(std::size_t task, std::size_t seed, double successes, double samples);

  std::size_t tasks() const { return tasks_; }
  std::size_t seeds() const { return seeds_; }
  /// The number of samples of a cell, their sum, and the sum of their squares.
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
