// The samples behind a table's figures, by task and seed. Comparisons between studies use them where the
// studies' stores aren't available.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

/// Sums over the samples for one task under one seed, for one figure.
struct ObservedCell {
  std::uint64_t seed = 0;
  std::string task;  ///< the task's key; empty for a number of a whole seed
  double n = 0, sum = 0, squares = 0;
};

/// The cells of each figure of a table, by row and column.
using Observed = std::map<std::pair<std::string, std::string>, std::vector<ObservedCell>>;

Observed observed(const Table& table, const Inference& inference);

/// The file TABLE.samples.json: {"of": the table, "tasks": [key], "figures": [{"row", "column", "cells":
/// [[seed, index of the task or null, n, sum, sum of squares]]}]}, a figure a line.
std::string samples_json(const std::string& table, const Observed& observed);
/// Reads the JSON that `samples_json` has written. Throws nlohmann::json::exception for other JSON.
Observed read_samples(const nlohmann::json& file);

/// A figure of the study `now` minus the same figure of the study `before`: a difference of means or, for a
/// geometric mean, a ratio of speed-ups on the tasks that both studies solve. Tasks are paired; tasks of only
/// one study don't count. Seeds are paired if both studies have the same seeds. Nothing without common tasks,
/// or if a study has no samples.
struct StudyDifference {
  Difference difference;
  std::size_t tasks = 0;        ///< common tasks; 0 if the figure is about whole seeds
  std::size_t other_tasks = 0;  ///< tasks that only one of the studies has
  bool same_seeds = false;
};
std::optional<StudyDifference> study_difference(const Column& column, const std::vector<ObservedCell>& now,
                                                const std::vector<ObservedCell>& before);

}  // namespace trl::interpreter
