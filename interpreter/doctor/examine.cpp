#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {

std::vector<Finding> examine(const Machine& machine, const Needs& needs) {
  std::vector<Finding> findings;
  for (const auto& [what, remedy] : needs.missing)
    findings.push_back({needs.experiment, Finding::Outcome::lacking, what, "", remedy});
  for (const std::string& extension : needs.inert)
    findings.push_back({needs.experiment, Finding::Outcome::note,
                        extension + " changes nothing where times are modelled",
                        "measured times, for its effect to be seen",
                        "Add --kernel-times measured, on a machine with a GPU"});
  for (const Probe probe : probes)
    for (Finding& finding : probe(machine, needs)) findings.push_back(std::move(finding));
  return findings;
}

}  // namespace trl::interpreter
