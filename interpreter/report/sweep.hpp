// A sweep over settings: the row that development chooses, and the expected result of choosing among fewer
// rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

struct Sweep {
  bool on_dev =
      false;  ///< whether rows are chosen by `dev` after their last round, and not by the exam itself
  std::string chosen;  ///< the row with the highest figure there
  double chosen_by = 0;
  Figure exam;  ///< of that row
  std::vector<double>
      expected;  ///< the exam's expected figure of the best of k rows drawn at random, k = 1, 2, …
  std::optional<double> seconds;  ///< of a row's training in the mean, all seeds together
};

/// The sweep of an experiment that varies settings, and not extensions alone, with three rows or more.
/// Nothing for other experiments and for columns that aren't of verdicts.
std::optional<Sweep> sweep_of(const Column& column, const Inference& inference);

/// "Of 20 rows, dev chooses `…` (61.2); its exam: 58.3 [52.1, 64.2]. The best of 1, 2, 5, 20 rows drawn at
/// random: …"
std::string sweep_sentence(const Sweep& sweep, const Column& column);

/// CSV with the columns rows, seconds, expected: a line for each k.
std::string sweep_csv(const Sweep& sweep);

/// The script for gnuplot: the expected figure over the number of rows.
std::string sweep_script(const Sweep& sweep, const Column& column, const std::string& title);

}  // namespace trl::interpreter
