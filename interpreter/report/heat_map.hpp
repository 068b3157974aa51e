// Which row solves which task: the correct share of each, tasks grouped by suite.
#pragma once

#include <string>
#include <vector>

#include "interpreter/report/table.hpp"

namespace trl::interpreter {

struct HeatMap {
  struct Task {
    std::string key, name, group;
  };
  std::vector<Task> tasks;        ///< by suite in the exam's order; within one, most often solved first
  std::vector<std::string> rows;  ///< labels
  std::vector<std::vector<double>>
      shares;       ///< [row][task], over samples and seeds; negative where unmeasured
  int samples = 0;  ///< a row and task, over all seeds
};

HeatMap heat_map(const Table& table, const Evidence& evidence);

/// row,suite,task,correct
std::string as_csv(const HeatMap& map);
std::string heat_map_script(const HeatMap& map, const std::string& title);

}  // namespace trl::interpreter
