// The wind tunnel's two suites, as stdlib/windtunnel.trl holds them.
#pragma once

#include <string>
#include <vector>

#include "runtime/tasks/task.hpp"

namespace trl::runtime {

/// Level 1: 60 tasks of one operator each.
std::vector<Task> operators_alone();

/// Level 2: 100 chains of 2 to 8 operators, all different, from a fixed seed.
std::vector<Task> chain_suite();

/// The text of stdlib/windtunnel.trl.
std::string windtunnel_source();

}  // namespace trl::runtime
