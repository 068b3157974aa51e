// The contributions of verdicts and stages to the figures of columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/column.hpp"
#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// The contribution of one candidate, task or stage to a figure. The figure is Σ sum / Σ weight; for a
/// geometric mean, it is the exponential of this quotient.
struct Part {
  std::uint64_t seed = 0;
  std::string task;  ///< the key of the task; parts of one task are a cluster in the statistics
  double sum = 0, weight = 0;
  std::string stage;  ///< the verify stage of the verdict, or the stage whose seconds or tokens count
  std::optional<std::size_t> verdict;  ///< the row in that stage's verdicts
};

/// The function that returns the contribution of a verdict or a stage to this column.
std::variant<OfVerdict, OfStage> adds_of(ColumnName which);

/// Appends to `parts` the contributions of the verdicts of an exam, or another evaluation, under one seed to
/// a column that counts exam answers. If `suite` isn't empty, only verdicts on its tasks count.
void add_verdicts(const Column& column, const std::string& suite, std::uint64_t seed,
                  const std::vector<Verdict>& verdicts, std::vector<Part>& parts);

/// Appends to `parts` the contributions of the verdicts of a training round to a column that counts training
/// answers.
void add_round(const Column& column, const std::string& suite, std::uint64_t seed, const Round& round,
               const Evidence& evidence, std::vector<Part>& parts);

/// The amount, in seconds or tokens, that the stages with these keys add to a column that counts stages.
double amount_of(const Column& column, const std::vector<std::string>& stages, const Evidence& evidence);

/// All contributions to the figure of a row in a column. For pass@k, a task's first sample carries the
/// estimate for the whole task.
std::vector<Part> parts_of(const Column& column, const Row& row, const Evidence& evidence);

}  // namespace trl::interpreter
