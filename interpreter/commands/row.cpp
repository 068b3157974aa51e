#include "interpreter/commands/row.hpp"

#include "base/support/quoted_names.hpp"
#include "interpreter/commands/console.hpp"

namespace trl::interpreter {

std::vector<const Trace*> traces_of_row(const Plan& plan, const std::string& wanted) {
  std::vector<const Trace*> traces;
  std::vector<std::string> known;
  for (const auto& row : plan.rows) {
    known.push_back(row.label);
    for (const auto& trace : row.traces)
      if (wanted == row.label || wanted == row.label + "/seed " + std::to_string(trace.seed))
        traces.push_back(&trace);
  }
  if (traces.empty())
    throw WrongUsage("`" + plan.experiment + "` has no row `" + wanted + "`",
                     "Its rows are: " + quoted_names(known) + "; one seed of a row is \"" +
                         plan.rows.front().label + "/seed " +
                         std::to_string(plan.rows.front().traces.front().seed) + "\".");
  return traces;
}

}  // namespace trl::interpreter
