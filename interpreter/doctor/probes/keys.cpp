// Checks the API keys of servers that run a model of the experiment.
#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {

std::vector<Finding> probe_keys(const Machine& machine, const Needs& needs) {
  std::vector<Finding> findings;
  for (const auto& [variable, address] : needs.keys) {
    if (machine.variable(variable).empty())
      findings.push_back({variable, Finding::Outcome::lacking, "isn't set", "the key of " + address,
                          "export " + variable + "=… with the server's key"});
    else
      findings.push_back({variable, Finding::Outcome::fine, "set", "the key of " + address, ""});
  }
  return findings;
}

}  // namespace trl::interpreter
