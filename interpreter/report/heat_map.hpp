// A heat map of the share of correct answers for each row and task, with tasks grouped by suite.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/graphic.hpp"
#include "interpreter/report/table.hpp"

namespace trl::interpreter {

struct HeatMap {
  struct Task {
    std::string id;  ///< the task's ID, "level1/19"; keys and names of tasks aren't unique
    std::string name, group;
  };
  std::vector<Task> tasks;  ///< suites in the exam's order; within a suite, the tasks solved most often first
  std::vector<std::string> rows;            ///< the labels of the rows
  std::vector<std::vector<double>> shares;  ///< [row][task]: the share of correct answers over all samples
                                            ///< and seeds; negative if there are no answers
  int samples = 0;  ///< the number of answers of each row to each task, over all seeds
};

HeatMap heat_map(const Table& table, const Evidence& evidence);

/// CSV with the columns row, suite, task, correct.
std::string as_csv(const HeatMap& map);
/// The map as a picture of this name; empty if there are no tasks.
Picture heat_map_picture(const HeatMap& map, const std::string& name);

}  // namespace trl::interpreter
