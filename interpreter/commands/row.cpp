#include "interpreter/commands/row.hpp"

#include <algorithm>

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
  const std::size_t seed = wanted.find("/seed ");
  if (traces.empty() && seed != std::string::npos &&
      std::find(known.begin(), known.end(), wanted.substr(0, seed)) != known.end()) {
    std::vector<std::string> seeds;
    for (const auto& row : plan.rows)
      if (row.label == wanted.substr(0, seed))
        for (const auto& trace : row.traces) seeds.push_back(std::to_string(trace.seed));
    throw WrongUsage("`" + wanted.substr(0, seed) + "` has no " + wanted.substr(seed + 1),
                     "Its seeds are " + quoted_names(seeds) + ".");
  }
  if (traces.empty())
    throw WrongUsage("`" + plan.experiment + "` has no row `" + wanted + "`",
                     "Its rows are: " + quoted_names(known) + "; one seed of a row is \"" +
                         plan.rows.front().label + "/seed " +
                         std::to_string(plan.rows.front().traces.front().seed) + "\".");
  return traces;
}

}  // namespace trl::interpreter
