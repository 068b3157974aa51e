// A row of an experiment that a command names: "inputs", or one seed of it: "inputs/seed 2".
#pragma once

#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The chains of that row, one for each seed that is meant. Throws WrongUsage, which lists the rows, if there
/// is none.
std::vector<const Trace*> traces_of_row(const Plan& plan, const std::string& wanted);

}  // namespace trl::interpreter
