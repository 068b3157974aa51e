// gnuplot, which draws the report's pictures.
#include "interpreter/doctor/probes.hpp"

namespace trl::interpreter {

std::vector<Finding> probe_gnuplot(const Machine& machine, const Needs&) {
  const std::string named = machine.variable("TRL_GNUPLOT"), program = named.empty() ? "gnuplot" : named;
  const Filtered version = machine.run({program, "--version"});
  if (version.status == 0)
    return {{"gnuplot", Finding::Outcome::fine, version.out.substr(0, version.out.find('\n')), "", ""}};
  return {{"gnuplot", Finding::Outcome::note, version.missing() ? "missing" : program + " doesn't run",
           "for pictures; without it reports leave them out",
           "apt-get install gnuplot-nox, or dnf install gnuplot-minimal; TRL_GNUPLOT names one elsewhere"}};
}

}  // namespace trl::interpreter
