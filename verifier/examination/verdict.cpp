#include "verifier/examination/verdict.hpp"

#include <algorithm>

#include "base/contract/verdict.hpp"

namespace trl::runtime {

using nlohmann::json;

json Verdict::to_json() const {
  contract::Verdict row;
  row.valid = valid, row.compiled = compiled, row.tiny = tiny, row.correct = correct, row.values = values;
  row.failed = failed, row.reason = reason, row.message = message, row.line = std::max(line, 0);
  row.claimed = claimed, row.variation = variation;
  row.speedup = speedup, row.time_us = time_us, row.reference_us = reference_us, row.modelled = modelled;
  row.launched_us = launched_us, row.compiled_us = compiled_us, row.launches = launches;
  row.paths = paths, row.no_evidence = no_evidence, row.left_alone = left_alone;
  if (correct) row.masked_without_other = masked_without_other;
  row.kernel_share = kernel_share;
  if (own_sizes)
    row.own_sizes = {own_sizes->programs, own_sizes->all_programs, own_sizes->values, own_sizes->all_values};
  if (kernelbench) row.kernelbench = {kernelbench->correct, kernelbench->reason, kernelbench->message};
  return row.write();
}

json ExaminedStep::to_json() const {
  contract::Step row{stage,  variation, static_cast<contract::Step::Outcome>(outcome),
                     reason, message,   std::max(line, 0),
                     {},     evidence};
  for (const LaunchGeometry& launch : launches)
    row.launches.push_back({launch.kernel,
                            {launch.grid.begin(), launch.grid.end()},
                            {launch.block.begin(), launch.block.end()},
                            launch.num_warps,
                            launch.line});
  return row.write();
}

}  // namespace trl::runtime
