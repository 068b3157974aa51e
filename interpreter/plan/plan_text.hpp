// A plan and its cost as `trl plan` prints them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// "inputs + stages", with "(= …)" for each folded cell.
std::string row_title(const Row& row);

/// The parts of the experiment: cells, controls and seeds, the notes, the rows, and how many stages of
/// each kind there are, with how many would be without sharing. Ends with a newline.
std::string summary_text(const Plan& plan, const std::vector<std::string>& notes,
                         const std::function<bool(const Stage&)>& is_done);

/// The cost of the missing stages, by kind of stage; begins with an empty line and ends with a newline.
std::string cost_text(const Cost& cost);
/// The same for stages that ask a server.
std::string cost_text(const AskingCost& cost);

}  // namespace trl::interpreter
