// A sweep over settings (hyperparameters): the row that results on development tasks choose, and the expected
// result of choosing among fewer rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/graphic.hpp"
#include "interpreter/report/inference.hpp"

namespace trl::interpreter {

struct Sweep {
  /// Whether the row is chosen by its figure on the development tasks (`dev`) after the last round, and
  /// not on the exam.
  bool on_dev = false;
  std::string chosen;  ///< the label of the row with the highest figure
  double chosen_by = 0;
  Figure exam;  ///< the exam's figure of the chosen row
  /// The expected exam figure of the row that is chosen among k random rows, for k = 1, 2, ….
  std::vector<double> expected;
  std::optional<double> seconds;  ///< the mean seconds of a row's training, summed over its seeds
};

/// The sweep of an experiment that varies settings (not only extensions) and has three rows or more. Nothing
/// for other experiments, and for columns that don't count verdicts.
std::optional<Sweep> sweep_of(const Column& column, const Inference& inference);

/// The sweep in a sentence: "Of 20 rows, dev chooses `…` (61.2); its exam: 58.3 [52.1, 64.2]. The best of 1,
/// 2, 5, 20 rows drawn at random: …"
std::string sweep_sentence(const Sweep& sweep, const Column& column);

/// CSV with the columns rows, seconds, expected, and a line for each number k of rows.
std::string sweep_csv(const Sweep& sweep);

/// The expected figure over the number of rows. `name` is the picture's.
Picture sweep_picture(const Sweep& sweep, const Column& column, const std::string& name);

}  // namespace trl::interpreter
