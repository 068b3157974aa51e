// The three suites of generated tasks in stdlib/windtunnel.trl.
#pragma once

#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Returns level 1: 60 tasks with one operator each.
std::vector<Task> operators_alone();

/// Returns level 2: 100 different chains of 2 to 8 operators, drawn with a fixed seed. They have none of the
/// pairs of neighbouring operators that occur in `pair_suite`.
std::vector<Task> chain_suite();

/// Returns the suite Pairs: 40 chains of two or three operators. Each pair of neighbouring operators occurs
/// in only one chain of this suite, and neither in level 2 nor in the pretraining data of the embedded model.
std::vector<Task> pair_suite();

/// Returns the tasks of level 1, level 2 and Pairs, in this order.
std::vector<Task> every_suite();

/// Returns the text of stdlib/windtunnel.trl.
std::string windtunnel_source();

}  // namespace trl::runtime
