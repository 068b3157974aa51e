// Finds a row of an experiment that a command line names, "inputs", or one seed of the row, "inputs/seed 2".
#pragma once

#include <string>
#include <vector>

#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The chains of the named row: one for each seed, or a single chain if the name has a seed. Throws
/// WrongUsage, which lists the rows, if there is no such row.
std::vector<const Trace*> traces_of_row(const Plan& plan, const std::string& wanted);

}  // namespace trl::interpreter
