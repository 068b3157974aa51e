// The probes of `trl doctor`. Each examines one aspect of the machine, and is defined in a file of its name.
#pragma once

#include <vector>

#include "interpreter/doctor/finding.hpp"
#include "interpreter/doctor/machine.hpp"

namespace trl::interpreter {

using Probe = std::vector<Finding> (*)(const Machine& machine, const Needs& needs);

std::vector<Finding> probe_command(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_disk(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_gpu(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_gpus(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_keys(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_programs(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_python(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_sandbox(const Machine& machine, const Needs& needs);
std::vector<Finding> probe_servers(const Machine& machine, const Needs& needs);

/// The probes, in the order in which their findings are shown.
inline constexpr Probe probes[] = {probe_programs, probe_python, probe_gpu,     probe_gpus,   probe_sandbox,
                                   probe_disk,     probe_keys,   probe_servers, probe_command};

/// Returns the findings: first the missing inputs of the experiment itself, then the findings of all probes.
std::vector<Finding> examine(const Machine& machine, const Needs& needs);

}  // namespace trl::interpreter
