// Simulated studies with known true effects, for tests and benchmarks of the statistics.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "base/statistics/observations.hpp"
#include "base/support/random.hpp"

namespace trl::statistics {

/// Rows of samples that are right if a normal variable is below a threshold: a probit model with random
/// effects of the task, of the row on the task, of the run (a row under one seed), and of the run on the
/// task. All rows have the same expected accuracy, except for `shifts`.
struct StudyModel {
  std::size_t tasks = 60, seeds = 1, samples = 1, rows = 1;
  double accuracy = 0.4;  ///< expected over tasks and runs
  double seed_noise = 0;  ///< standard deviation of a run's expected accuracy, as a share
  double variance =
      2.45;  ///< of the random effects but the run's, where a sample's own is 1: two samples of a task
             ///< correlate by 0.71, for 0.4 an intra-class correlation of right answers of 0.50
  double row_share = 0;     ///< of this variance, of the row on the task
  double run_share = 0;     ///< of this variance, of the run on the task
  double first_noise = 1;   ///< the first row's standard deviation between runs, in multiples of the others'
  double shared_noise = 0;  ///< standard deviation of what all rows of a seed have in common, as a share
  double first_run_noise =
      0;  ///< the same of a first run, which rows with the same number in first_runs share
  std::vector<std::size_t> first_runs = {};  ///< [row]
  std::vector<double> shifts = {};           ///< [row], added to the expected accuracy; none if empty
};

struct SimulatedStudy {
  std::vector<Observations> rows;
  std::vector<std::vector<double>> accuracies;  ///< [row][seed], expected over new tasks
};

SimulatedStudy simulate(const StudyModel& model, RandomStream& stream);

/// Makes `row` nearly equal to `other`, as two rows are between which a factor hardly acts, since rows draw
/// alike under a seed. Each task under each seed gets the samples of `other`, or keeps its own with the
/// probability `share_of_its_own`.
void make_alike(Observations& row, const Observations& other, double share_of_its_own, RandomStream& stream);

/// Counts how many of a number of trials were successful.
struct Tally {
  int trials = 0, hits = 0;
  void count(bool hit) { ++trials, hits += hit; }
  double percent() const { return trials ? 100.0 * hits / trials : 0; }
};

/// Pairs of rows whose kernels are equally fast on every task. The second row solves fewer and easier tasks
/// (survivorship).
struct SpeedModel {
  std::size_t tasks = 60, seeds = 1, samples = 4;
  double first_accuracy = 0.6, second_accuracy = 0.35;
  double difficulty_slope =
      0.4;  ///< how much lower the logarithm of the speed-up is for a task one standard deviation harder
  double task_noise = 0.3, run_noise = 0, sample_noise = 0.1;  ///< standard deviations of the logarithm
};

/// Returns the logarithms of the speed-ups of correct samples, the input of `speed_ratio`.
std::vector<Observations> simulate(const SpeedModel& model, RandomStream& stream);

}  // namespace trl::statistics
