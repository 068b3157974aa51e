// A plan and its cost as `trl plan` prints them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "interpreter/plan/cost.hpp"
#include "interpreter/plan/plan.hpp"

namespace trl::interpreter {

/// The label of a row, such as "inputs + stages", with "(= …)" for each cell folded into the row.
std::string row_title(const Row& row);

/// A summary of the experiment: the numbers of cells, controls and seeds, the notes, the rows, the number of
/// stages of each kind, and the number of stages if equal stages weren't shared. Ends with a newline.
std::string summary_text(const Plan& plan, const std::vector<std::string>& notes,
                         const std::function<bool(const Stage&)>& is_done);

/// The cost of the missing stages, by kind of stage; begins with an empty line and ends with a newline.
std::string cost_text(const Cost& cost);
/// Returns a sentence for each number that a cost assumes about answers, training samples and judging, with
/// the source of the number.
std::vector<std::string> assumptions_of(const Cost& cost);
/// The cost of the missing stages that ask a server, as text.
std::string cost_text(const AskingCost& cost);

}  // namespace trl::interpreter
