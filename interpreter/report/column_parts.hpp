// What verdicts and stages add to the figures of columns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "interpreter/report/column.hpp"
#include "interpreter/report/evidence.hpp"

namespace trl::interpreter {

/// What one candidate, task or stage adds to a figure. The figure is Σ sum / Σ weight, or for a geometric
/// mean the exponential of that.
struct Part {
  std::uint64_t seed = 0;
  std::string task;  ///< the key of the task, which is its cluster
  double sum = 0, weight = 0;
  std::string stage;  ///< the verify stage of the verdict, or the stage whose seconds or tokens count
  std::optional<std::size_t> verdict;  ///< the row in that stage's verdicts
};

/// The function by which a column counts.
std::variant<OfVerdict, OfStage> adds_of(ColumnName which);

/// What an exam's or another evaluation's verdicts under one seed add to a column of the exam's answers.
/// `suite`: of its tasks alone; empty for all.
void add_verdicts(const Column& column, const std::string& suite, std::uint64_t seed,
                  const std::vector<Verdict>& verdicts, std::vector<Part>& parts);

/// What the verdicts of a round of training add to a column of training's answers.
void add_round(const Column& column, const std::string& suite, std::uint64_t seed, const Round& round,
               const Evidence& evidence, std::vector<Part>& parts);

/// What the stages with these keys add to a column of stages: seconds or tokens.
double amount_of(const Column& column, const std::vector<std::string>& stages, const Evidence& evidence);

/// Everything that a figure counts. For pass@k, the first sample of a task has the task's chance.
std::vector<Part> parts_of(const Column& column, const Row& row, const Evidence& evidence);

}  // namespace trl::interpreter
