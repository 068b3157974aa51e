// The wind tunnel's three suites, as stdlib/windtunnel.trl holds them.
#pragma once

#include <string>
#include <vector>

#include "verifier/tasks/task.hpp"

namespace trl::runtime {

/// Level 1: 60 tasks of one operator each.
std::vector<Task> operators_alone();

/// Level 2: 100 chains of 2 to 8 operators, all different, from a fixed seed, without the pairs that
/// `pair_suite` keeps.
std::vector<Task> chain_suite();

/// Pairs: 40 chains of two or three operators. No pair of neighbouring operators occurs in two of them, in
/// level 2, or in the embedded model's pretraining.
std::vector<Task> pair_suite();

/// The tasks of all suites, in this order.
std::vector<Task> every_suite();

/// The text of stdlib/windtunnel.trl.
std::string windtunnel_source();

}  // namespace trl::runtime
